package engine

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// LatencyEvent is a kind of thing that can take long.
type LatencyEvent uint8

// The events.
const (
	SlowCommand  LatencyEvent = iota // a command
	SlowFast                         // a command that ought to be fast
	SlowExpiry                       // a round of removing what has expired
	SlowEviction                     // a round of evictions
	LoopStall                        // the loop looked at no connection for so long
	latencyEvents
)

// latencyNames spells the events, as Redis does where it has them too.
var latencyNames = [latencyEvents]string{
	"command", "fast-command", "expire-cycle", "eviction-cycle", "loop-stall",
}

// LatencyEvents lists the events.
func LatencyEvents() []LatencyEvent {
	all := make([]LatencyEvent, latencyEvents)
	for i := range all {
		all[i] = LatencyEvent(i)
	}
	return all
}

// String is the name as LATENCY spells it.
func (e LatencyEvent) String() string { return latencyNames[e] }

// MostLatencySamples is how many samples of an event are kept.
const MostLatencySamples = 160

// LatencySample is the longest that an event took within one second.
type LatencySample struct {
	At     int64 // Unix seconds
	Millis int64
}

// LatencySeries is what is known of one event. The zero value knows nothing.
type LatencySeries struct {
	Samples []LatencySample // oldest first, at most one a second, never more than MostLatencySamples
	Max     int64           // milliseconds; also of what is no longer kept
}

// add notes a sample that is not older than those before it.
func (s *LatencySeries) add(at LatencySample) {
	s.Max = max(s.Max, at.Millis)
	if n := len(s.Samples); n > 0 && s.Samples[n-1].At == at.At {
		s.Samples[n-1].Millis = max(s.Samples[n-1].Millis, at.Millis)
		return
	}
	if n := len(s.Samples); n >= MostLatencySamples {
		s.Samples = append(s.Samples[:0], s.Samples[n-MostLatencySamples+1:]...)
	}
	s.Samples = append(s.Samples, at)
}

// Merge gives a series of what both know.
func (s LatencySeries) Merge(other LatencySeries) LatencySeries {
	merged := LatencySeries{Max: max(s.Max, other.Max)}
	a, b := s.Samples, other.Samples
	for len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].At <= b[0].At {
			merged.add(a[0])
			a = a[1:]
			continue
		}
		merged.add(b[0])
		b = b[1:]
	}
	return merged
}

// latencies has the series of each event on one shard.
type latencies [latencyEvents]LatencySeries

// Latency tells what is known of an event on this shard.
func (s *Shard) Latency(e LatencyEvent) LatencySeries { return s.latency[e] }

// ForgetLatency drops what is known of an event.
func (s *Shard) ForgetLatency(e LatencyEvent) { s.latency[e] = LatencySeries{} }

// NoteLatency notes how many nanoseconds an event took, if that is as long as
// the configuration asks for.
func (s *Shard) NoteLatency(e LatencyEvent, nanos int64) {
	if s.tooLong(nanos) {
		s.latency[e].add(LatencySample{s.Micros() / 1e6, nanos / 1e6})
	}
}

func (s *Shard) tooLong(nanos int64) bool {
	return s.opts.LatencyEvents > 0 && nanos >= s.opts.LatencyEvents
}

// noteCommand notes how long a command took.
func (s *Shard) noteCommand(row uint16, nanos int64) {
	event := SlowCommand
	if command.Table[row].Flags&command.Fast != 0 {
		event = SlowFast
	}
	s.NoteLatency(event, nanos)
}

// Prolong adds time to what the command takes that Timed runs right now: the
// node will stand still for so long on its behalf.
func (s *Shard) Prolong(nanos int64) { s.prolonged += nanos }

// Ask runs a function that is in no row on one request, as Do would run a row.
func (s *Shard) Ask(op command.Op, args command.Args, out *resp.Writer, do func(*command.Call) error) {
	s.begin(args.Buf, args.Spans, out)
	if s.store.Over() && !s.roomFor(op) {
		return
	}
	s.call.Ask(op, do)
	if s.call.Failed {
		s.rows[op.Row].Failed++
	}
}
