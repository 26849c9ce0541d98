package netio

import (
	"slices"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/slots"
)

// target says where a request runs.
type target uint8

const (
	toShard   target = iota // on one shard
	toMany                  // on several shards, at a barrier
	toSession               // on the connection's loop: a function of netio
	toNowhere               // it is answered with an error: no such command, wrong arity
)

// route is the one routing decision about a request.
type route struct {
	to    target
	shard uint8 // for toShard
}

// routeAhead routes the requests that come next, when all that are routed have
// run, and asks for the memory that they will touch: first for the tables of
// all, then for their entries. A relaxed pipeline is routed whole.
func (l *Loop) routeAhead(c *Conn, b *batch) {
	from, to := len(b.ops), len(b.Requests)
	if b.next < from {
		return
	}
	if !l.relaxed {
		to = min(to, from+stride)
	}
	l.routeStride(c, b, to)
	if len(b.Requests) == 1 {
		return // there is nothing to do meanwhile
	}
	for ; from < to; from += stride {
		l.askTables(b, from, min(to, from+stride))
		l.askEntries(b, from, min(to, from+stride))
	}
}

// routeStride finds the row, the key and the shard of the requests up to
// number to. The common case is a command with one key at a fixed place, whose
// neighbour is of the same kind.
func (l *Loop) routeStride(c *Conn, b *batch, to int) {
	from := len(b.ops)
	b.ops = slices.Grow(b.ops, to-from)[:to]
	b.routes = slices.Grow(b.routes, to-from)[:to]
	var row *command.Row // of the request before
	keyed := false       // that row is of the common case
	hash, shards := &l.node.hash, len(l.node.loops)
	for i := from; i < to; i++ {
		r, op := &b.Requests[i], &b.ops[i]
		if row == nil || !r.Like {
			row = command.Lookup(b.Spans[r.First].In(b.buf))
			keyed = row != nil && row.Scope == command.ByKey && row.Subs == 0 && row.ArityFits(int(r.Argc))
		}
		if !keyed {
			*op = command.Op{DB: uint16(c.db), Proto: c.proto, First: r.First, Argc: r.Argc}
			b.routes[i] = l.route(row, b, i, op)
			continue
		}
		place := hash.Place(b.Spans[r.First+uint32(row.First)].In(b.buf))
		// Field by field: a whole one would be built elsewhere and copied.
		op.Place, op.Near = place, 0
		op.First, op.Argc = r.First, r.Argc
		op.Row, op.Key = row.ID, row.First
		op.DB, op.Proto = uint16(c.db), c.proto
		b.routes[i] = route{toShard, uint8(slots.Shard(uint16(place>>50), shards))}
	}
}

// route decides about request i, whose command has this row or none, and
// completes its operation.
func (l *Loop) route(row *command.Row, b *batch, i int, op *command.Op) route {
	if row != nil && row.Subs == 0 && row.ArityFits(int(b.Requests[i].Argc)) {
		op.Row = row.ID
		return l.routeRow(row, b, i, op)
	}
	row, err := command.Resolve(b.args(i))
	if err != nil {
		return route{to: toNowhere}
	}
	op.Row = row.ID
	return l.routeRow(row, b, i, op)
}

// shardOf is the shard that owns a place of the keyspace.
func (l *Loop) shardOf(place uint64) uint8 {
	return uint8(slots.Shard(uint16(place>>50), len(l.node.loops)))
}

// routeRow decides for rows whose keys are not one at a fixed place, and for
// those whose function lives here.
func (l *Loop) routeRow(row *command.Row, b *batch, i int, op *command.Op) route {
	if row.Do == nil {
		return route{to: toSession}
	}
	switch row.Scope {
	case command.BySession: // nothing but the request is needed
		return route{toShard, uint8(l.id)}
	case command.AllShards:
		return route{to: toMany}
	case command.ByCursor:
		return route{toShard, uint8(command.CursorShard(b.args(i), len(l.node.loops)))}
	case command.ByKey:
		key := b.args(i).At(int(row.First))
		op.Place, op.Key = l.node.hash.Place(key), row.First
		return route{toShard, l.shardOf(op.Place)}
	}
	set, place := l.shardsOf(row, b.args(i))
	if row.First > 0 {
		op.Place, op.Key = place, row.First
	}
	return l.routeSet(set)
}

// routeSet routes to one shard where one is enough.
func (l *Loop) routeSet(set shardSet) route {
	if only := set.only(); only >= 0 {
		return route{toShard, uint8(only)}
	}
	return route{to: toMany}
}

// shardsOf gives the shards that own a request's keys and the place of its
// first key. A request whose keys cannot be found is this loop's: its function
// will say what is wrong with it.
func (l *Loop) shardsOf(row *command.Row, args command.Args) (set shardSet, first uint64) {
	refs, ok := command.AppendKeys(l.keys[:0], row, args)
	l.keys = refs
	if !ok || len(refs) == 0 {
		set.add(l.id)
		return set, l.placeAt(row, args)
	}
	for _, ref := range refs {
		place := l.node.hash.Place(args.At(int(ref.Arg)))
		set.add(int(l.shardOf(place)))
	}
	return set, l.placeAt(row, args)
}

// placeAt is the place of the row's first key, if the request has it.
func (l *Loop) placeAt(row *command.Row, args command.Args) uint64 {
	if row.First == 0 || int(row.First) >= args.Len() {
		return 0
	}
	return l.node.hash.Place(args.At(int(row.First)))
}
