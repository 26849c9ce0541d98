package netio

import (
	"bytes"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/slots"
)

// While a slot migrates two nodes answer for it, each for other keys. The owner
// answers for those that it has; for a key that it has not it sends clients to the
// destination, by ASK, and so never gets it back. The destination answers a request
// that comes with ASKING. So a key has one place at any time: it is at the
// destination from when the owner has it no more.
//
//	                owner                         destination
//	migrates        has the key: answers          MOVED, with ASKING answers
//	                has it not: ASK
//	flipped         MOVED; drops what it has      is the owner, of what it imported
//	cut off         has the key: answers          MOVED; drops what it imported
//	                has it not: TRYAGAIN, until
//	                no lease of the destination
//	                can be left; so does the next
//	                destination
//
// Whether a key is there is looked at where the request then runs, in one go with
// it: on the slot's shard, or with that shard standing still.

// moving tells whether where a key of a slot is answered for depends on whether it
// is here: this node answers for the slot.
func (l *Loop) moving(slot uint16) bool {
	s := l.view.Map.At(slot)
	return s.To != slots.None || s.Cut != 0 && !l.view.Settled(slot, l.boot)
}

// misplaced tells why a request does not run whose keys are of a slot that moves;
// empty if it does. The slot's shard is this loop's, or stands still.
func (l *Loop) misplaced(slot uint16, keys *keyCount) resp.Error {
	s := l.view.Map.At(slot)
	settled := s.Cut == 0 || l.view.Settled(slot, l.boot)
	switch {
	case s.Owner != l.view.Self:
		if !settled || keys.several && keys.missing > 0 {
			return resp.ErrTryAgain
		}
		return ""
	case keys.missing == 0:
		return ""
	case keys.found > 0 || s.To == slots.None || !settled:
		return resp.ErrTryAgain
	}
	m := l.view.State.Member(s.To)
	if m == nil {
		return resp.ErrTryAgain
	}
	return resp.Ask(slot, endpoint(&m.Address, slot))
}

// keyCount is how many of the keys of a request, or of a transaction, are here.
type keyCount struct {
	found, missing int
	first          []byte
	several        bool // not all of them are the same key
}

// count counts the keys of one request.
func (l *Loop) count(into *keyCount, row *command.Row, args command.Args) {
	refs, ok := command.AppendKeys(l.keys[:0], row, args)
	l.keys = refs
	if !ok {
		return
	}
	for _, ref := range refs {
		key := args.At(int(ref.Arg))
		if into.first == nil {
			into.first = key
		}
		into.several = into.several || !bytes.Equal(key, into.first)
		if l.shard.Has(0, key) {
			into.found++
		} else {
			into.missing++
		}
	}
}

// placed tells why a request of a slot does not run here, with the slot's shard
// being this loop's or standing still; empty if it does.
func (l *Loop) placed(b *batch, row *command.Row, slot uint16, asking bool) resp.Error {
	e := l.mayServe(slot, asking)
	if e != "" || !l.moving(slot) {
		return e
	}
	var keys keyCount
	l.count(&keys, row, b.args(b.next))
	return l.misplaced(slot, &keys)
}

// placedAll is placed of a transaction.
func (l *Loop) placedAll(tx *transaction) resp.Error {
	e := l.mayServe(tx.slot, tx.asking)
	if e != "" || !l.moving(tx.slot) {
		return e
	}
	var keys keyCount
	for _, op := range tx.ops {
		l.count(&keys, &command.Table[op.Row], command.Args{Buf: tx.buf, Spans: tx.spans[op.First : op.First+op.Argc]})
	}
	return l.misplaced(tx.slot, &keys)
}

// runAtSlot executes the next request, of a slot that moves and that another shard
// has, with that shard standing still.
func (l *Loop) runAtSlot(c *Conn, b *batch, row *command.Row, at redirected) bool {
	var set shardSet
	set.add(slots.Shard(at.slot, len(l.node.loops)))
	return l.atBarrier(c, set, func() {
		e := l.placed(b, row, at.slot, at.asking)
		switch {
		case e != "":
			l.deny(c, b, row, e)
			return
		case c.tx != nil && row.Flags&command.InMulti == 0:
			c.tx.note(at)
			l.queue(c, b, row)
			return
		}
		l.touch(b, at.slot)
		if row.Do == nil {
			l.runHere(c, b, row)
			return
		}
		l.show(c, b.args(b.next), row)
		l.actFor(c)
		l.doWide(b.ops[b.next], b.buf, b.Spans, &b.out)
		b.next++
	})
}
