package netio

import (
	"fmt"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/resp"
)

// latencyOf is what all shards know of an event. All loops stand still.
func (n *Node) latencyOf(e engine.LatencyEvent) engine.LatencySeries {
	var all engine.LatencySeries
	for _, l := range n.loops {
		all = all.Merge(l.shard.Latency(e))
	}
	return all
}

// latencyNamed is what is known of the event with that name; an unknown event
// has no samples.
func (n *Node) latencyNamed(name []byte) engine.LatencySeries {
	for _, e := range engine.LatencyEvents() {
		if is(name, e.String()) {
			return n.latencyOf(e)
		}
	}
	return engine.LatencySeries{}
}

// latencyLatest lists the latest sample of each event.
func latencyLatest(r *Request) {
	at, n := r.Reply.Mark(), 0
	for _, e := range engine.LatencyEvents() {
		series := r.Loop.node.latencyOf(e)
		if len(series.Samples) == 0 {
			continue
		}
		last := series.Samples[len(series.Samples)-1]
		r.Reply.Array(4)
		r.Reply.BulkString(e.String())
		r.Reply.Int(last.At)
		r.Reply.Int(last.Millis)
		r.Reply.Int(series.Max)
		n++
	}
	r.Reply.EndArray(at, n)
}

// latencyHistory lists the samples of an event.
func latencyHistory(r *Request) {
	series := r.Loop.node.latencyNamed(r.At(2))
	r.Reply.Array(len(series.Samples))
	for _, s := range series.Samples {
		r.Reply.Array(2)
		r.Reply.Int(s.At)
		r.Reply.Int(s.Millis)
	}
}

// latencyReset forgets the named events, or all, and tells how many had
// samples.
func latencyReset(r *Request) {
	forgotten := int64(0)
	for _, e := range engine.LatencyEvents() {
		if r.Len() > 2 && !r.names(2, e.String()) || len(r.Loop.node.latencyOf(e).Samples) == 0 {
			continue
		}
		for _, l := range r.Loop.node.loops {
			l.shard.ForgetLatency(e)
		}
		forgotten++
	}
	r.Reply.Int(forgotten)
}

// names tells whether a word is among the arguments from i on.
func (r *Request) names(i int, word string) bool {
	for _, arg := range r.rest(i) {
		if is(arg, word) {
			return true
		}
	}
	return false
}

// latencyGraph draws the samples of an event.
func latencyGraph(r *Request) {
	series := r.Loop.node.latencyNamed(r.At(2))
	if len(series.Samples) == 0 {
		r.Reply.Error(resp.NoLatencySamples(r.At(2)))
		return
	}
	r.Reply.Verbatim("txt", drawLatency(string(r.At(2)), series, r.Loop.shard.Micros()/1e6))
}

// drawLatency is the picture of a series as of a moment, Unix seconds.
func drawLatency(name string, series engine.LatencySeries, now int64) string {
	low, high := series.Samples[0].Millis, int64(0)
	var points []point
	for _, s := range series.Samples {
		low, high = min(low, s.Millis), max(high, s.Millis)
		points = append(points, point{s.Millis, ago(now - s.At)})
	}
	head := fmt.Sprintf("%s - high %d ms, low %d ms (all time high %d ms)\n", name, high, low, series.Max)
	return head + graph(points, low, high)
}

// ago is how long something is past, in the largest unit that fits.
func ago(seconds int64) string {
	for _, unit := range [...]struct {
		seconds int64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}} {
		if seconds >= unit.seconds {
			return fmt.Sprintf("%d%s", seconds/unit.seconds, unit.name)
		}
	}
	return fmt.Sprintf("%ds", max(0, seconds))
}
