package netio

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/engine"
)

// latencyAdvice tells, for each event, what helps when it takes long.
var latencyAdvice = map[engine.LatencyEvent][]string{
	engine.SlowCommand: {
		"SLOWLOG GET shows which commands took long; the option slowlog-log-slower-than says from which time on.",
		"A command that visits many keys or elements holds its shard up. SCAN and its kin do such work in small steps.",
	},
	engine.SlowFast: {
		"Commands that are fast by themselves took long: the machine is likely busy with something else. " +
			"Compare the number of shards with the cores that are free, and look for swapping.",
	},
	engine.SlowExpiry: {
		"Very many keys expire at the same time. Spread their times, or lower active-expire-effort.",
	},
	engine.SlowEviction: {
		"Commands wait for evictions. Raise maxmemory, or lower maxmemory-eviction-tenacity.",
	},
	engine.LoopStall: {
		"A loop served no connection for that long: the other events of the same second tell why. " +
			"Without any, the machine did not let it run.",
	},
}

// latencyDoctor tells in words what was seen, and what to do about it.
func latencyDoctor(r *Request) {
	n := r.Loop.node
	var seen []engine.LatencyEvent
	for _, e := range engine.LatencyEvents() {
		if len(n.latencyOf(e).Samples) > 0 {
			seen = append(seen, e)
		}
	}
	switch {
	case len(seen) > 0:
		r.Reply.Verbatim("txt", n.diagnose(seen))
	case n.values.Load().LatencyMonitorThreshold == 0:
		r.Reply.Verbatim("txt", "Latency is not observed: latency-monitor-threshold is 0.\n"+
			"CONFIG SET latency-monitor-threshold <milliseconds> begins it.\n")
	default:
		r.Reply.Verbatim("txt", "Nothing has taken as long as latency-monitor-threshold since the node started.\n")
	}
}

// diagnose describes the events that were seen.
func (n *Node) diagnose(seen []engine.LatencyEvent) string {
	var text strings.Builder
	text.WriteString("These events took as long as latency-monitor-threshold or longer:\n\n")
	for i, e := range seen {
		fmt.Fprintf(&text, "%d. %s: %s\n", i+1, e, sumUp(n.latencyOf(e)))
	}
	text.WriteString("\nWhat may help:\n\n")
	for _, e := range seen {
		for _, advice := range latencyAdvice[e] {
			fmt.Fprintf(&text, "- %s\n", advice)
		}
	}
	return text.String()
}

// sumUp describes a series. It has samples.
func sumUp(s engine.LatencySeries) string {
	count := int64(len(s.Samples))
	var sum, deviation int64
	for _, sample := range s.Samples {
		sum += sample.Millis
	}
	mean := sum / count
	for _, sample := range s.Samples {
		deviation += max(sample.Millis-mean, mean-sample.Millis)
	}
	span := max(0, s.Samples[count-1].At-s.Samples[0].At) // the civil time may have been set back
	period := float64(span) / float64(max(1, count-1))
	return fmt.Sprintf("%d latency spikes (average %dms, mean deviation %dms, period %.2f sec). Worst all time event %dms.",
		count, mean, deviation/count, period, s.Max)
}
