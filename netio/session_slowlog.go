package netio

import (
	"cmp"
	"slices"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/resp"
)

// slowEntries lists what the shards logged, latest first. All loops stand
// still.
func (n *Node) slowEntries() []engine.SlowEntry {
	var all []engine.SlowEntry
	for _, l := range n.loops {
		all = append(all, l.shard.Slow().Entries()...)
	}
	slices.SortFunc(all, func(a, b engine.SlowEntry) int { return cmp.Compare(b.ID, a.ID) })
	if most := int(n.values.Load().SlowlogMaxLen); len(all) > most {
		all = all[:most]
	}
	return all
}

// slowlogGet replies with the latest slow commands, 10 unless told otherwise.
func slowlogGet(r *Request) {
	count := int64(10)
	if r.Len() > 3 {
		r.misused()
		return
	}
	if r.Len() == 3 {
		n, ok := resp.ParseInt(r.At(2))
		if !ok || n < -1 {
			r.Reply.Error(resp.ErrSlowLogCount)
			return
		}
		count = n
	}
	all := r.Loop.node.slowEntries()
	if count >= 0 && count < int64(len(all)) {
		all = all[:count]
	}
	r.Reply.Array(len(all))
	for i := range all {
		writeSlow(r.Reply, &all[i])
	}
}

func writeSlow(w *resp.Writer, e *engine.SlowEntry) {
	w.Array(6)
	w.Int(e.ID)
	w.Int(e.At)
	w.Int(e.Nanos / 1000)
	w.Array(len(e.Args))
	for _, arg := range e.Args {
		w.BulkString(arg)
	}
	w.BulkString(e.Client)
	w.BulkString(e.Name)
}

func slowlogLen(r *Request) { r.Reply.Int(int64(len(r.Loop.node.slowEntries()))) }

func slowlogReset(r *Request) {
	for _, l := range r.Loop.node.loops {
		l.shard.Slow().Reset()
	}
	r.Reply.OK()
}
