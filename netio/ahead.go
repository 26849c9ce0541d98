package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
)

// stride is how many requests are routed together, and have their memory asked
// for: so many that the first of it has arrived when the last is asked for, and
// so few that all of it fits into the cache closest to the core.
const stride = 64

// askTables asks for what looking up the keys of requests from to to-1 reads
// first, as far as they are this shard's.
func (l *Loop) askTables(b *batch, from, to int) {
	mine := route{toShard, uint8(l.id)}
	for i := from; i < to; i++ {
		if op := &b.ops[i]; op.Key != 0 && b.routes[i] == mine {
			l.askTable(op)
		}
	}
}

// askEntries asks for the entries likewise.
func (l *Loop) askEntries(b *batch, from, to int) {
	mine := route{toShard, uint8(l.id)}
	for i := from; i < to; i++ {
		if op := &b.ops[i]; op.Key != 0 && b.routes[i] == mine {
			l.askEntry(op)
		}
	}
}

// askEverywhere asks for both, for requests of all shards, which stand still.
func (l *Loop) askEverywhere(b *batch, from, to int) {
	for ; from < to; from += stride {
		ops, routes := b.ops[from:min(to, from+stride)], b.routes[from:]
		for i := range ops {
			if ops[i].Key != 0 {
				l.node.loops[routes[i].shard].askTable(&ops[i])
			}
		}
		for i := range ops {
			if ops[i].Key != 0 {
				l.node.loops[routes[i].shard].askEntry(&ops[i])
			}
		}
	}
}

// askAll asks for both, for operations on this loop's shard.
func (l *Loop) askAll(ops []command.Op) {
	for i := range ops {
		if ops[i].Key != 0 {
			l.askTable(&ops[i])
		}
	}
	for i := range ops {
		if ops[i].Key != 0 {
			l.askEntry(&ops[i])
		}
	}
}

func (l *Loop) askTable(op *command.Op) {
	l.shard.Store().Space(int(op.DB)).AskTable(op.Place)
}

func (l *Loop) askEntry(op *command.Op) {
	op.Near = l.shard.Store().Space(int(op.DB)).AskEntry(op.Place)
}

// mailAhead is how many messages are looked at together, so that the memory
// of all their operations is asked for at once.
const mailAhead = 16

// askMail asks for the memory of the operations that the next messages of a
// ring bring, and tells how many messages that were. The operations are copied to
// mailOps, those of message i to mailOps[mailAt[i]:mailAt[i+1]]: to note in
// their batch what was found of them would take it from its loop's cache.
func (l *Loop) askMail(r *ring) int {
	n := r.peek(l.mailBox[:])
	l.mailOps = l.mailOps[:0]
	for i, m := range l.mailBox[:n] {
		if m.kind == askRun {
			l.mailOps = append(l.mailOps, m.asks()...)
		}
		l.mailAt[i+1] = len(l.mailOps)
	}
	for i, m := range l.mailBox[:n] {
		askArguments(m.batch, l.mailOps[l.mailAt[i]:l.mailAt[i+1]])
	}
	l.askAll(l.mailOps)
	clear(l.mailBox[:n])
	return n
}

// askArguments asks for the arguments of operations of a batch, from the key on:
// another core read them from the network, and has them in its cache.
func askArguments(b *batch, ops []command.Op) {
	for i := range ops {
		if op := &ops[i]; op.Key != 0 {
			keyspace.AskBytes(b.Spans[op.First+uint32(op.Key)].In(b.buf))
		}
	}
}

// asks are the operations that a message asks to run.
func (m *message) asks() []command.Op {
	if len(m.ops) > 0 {
		return m.ops
	}
	return m.batch.ops[m.first:m.last]
}
