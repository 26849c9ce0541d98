package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// messageKind says what the receiver does with a message.
type messageKind uint8

const (
	askRun    messageKind = iota // run operations of a batch on the receiver's shard
	answerRun                    // the operations ran; the reply is in the message
	askCall                      // call a function on the receiver's loop
	askTake                      // serve a connection from now on
)

// message travels between loops. A batch owns the messages about it and uses
// them again, so that a hop allocates nothing; whoever holds the message last
// pushed it may read the batch, nobody may change it until the answer is back.
type message struct {
	from  *Loop
	conn  *Conn
	batch *batch
	// The operations to run: batch.ops[first:last], or ops when that is not
	// empty, which are not neighbours in the batch.
	first int
	ops   []command.Op
	call  func(*Loop)

	// What the receiver changes stands together, since each line of memory that
	// it changes has to be fetched for that.
	last   int
	reply  resp.Writer
	kind   messageKind
	served bool  // the operations ran before the message was received
	ends   []int // how long the replies were after each of ops that ran

	// What a relaxed pipeline has taken of the replies to ops: how many, how
	// many bytes, and what is left when they are in pieces.
	taken, passed int
	pieces        []resp.Piece
}

// send hands a message to another loop, in order after what was sent before.
func (l *Loop) send(to *Loop, m *message) {
	over := l.overflow[to.id]
	if len(over) > 0 || !to.inbox[l.id].push(m) {
		l.overflow[to.id] = append(over, m)
	}
	l.touched.add(to.id)
}

// tell calls a function on another loop, or here and now on this one.
func (l *Loop) tell(to *Loop, call func(*Loop)) {
	if to == l {
		call(l)
		return
	}
	l.send(to, &message{kind: askCall, from: l, call: call})
}

// spill pushes what did not fit into full rings, and reports whether all of it
// is gone.
func (l *Loop) spill() bool {
	clean := true
	for id, over := range l.overflow {
		n := 0
		for n < len(over) && l.node.loops[id].inbox[l.id].push(over[n]) {
			n++
		}
		if n > 0 {
			l.touched.add(id)
			l.overflow[id] = append(over[:0], over[n:]...)
		}
		clean = clean && len(l.overflow[id]) == 0
	}
	return clean
}

// wakeTouched wakes the loops that were sent something since the last call.
func (l *Loop) wakeTouched() {
	if l.touched == (shardSet{}) {
		return
	}
	l.wakeSet(l.touched)
	l.touched = shardSet{}
}

// drain takes the messages that other loops sent. It stops at a barrier.
func (l *Loop) drain() {
	for _, r := range l.inbox {
		if r == nil {
			continue
		}
		for n, at := 0, 0; !r.empty(); at++ {
			if at == n {
				n, at = l.askMail(r), 0
			}
			l.receive(r.pop(), l.mailOps[l.mailAt[at]:l.mailAt[at+1]])
			if !l.free() {
				return
			}
		}
	}
}

// inboxEmpty tells whether no message waits.
func (l *Loop) inboxEmpty() bool {
	for _, r := range l.inbox {
		if r != nil && !r.empty() {
			return false
		}
	}
	return true
}

// receive takes a message; ops are the operations that it asks to run.
func (l *Loop) receive(m *message, ops []command.Op) {
	switch m.kind {
	case askRun:
		l.serve(m, ops)
	case answerRun:
		l.answered(m)
	case askCall:
		m.call(l)
	case askTake:
		l.takeOver(m.conn)
	}
}

// serve runs another loop's operations on this loop's shard and sends the
// reply back.
func (l *Loop) serve(m *message, ops []command.Op) {
	if !m.served {
		l.execute(m, ops)
	}
	m.kind, m.served = answerRun, false
	l.send(m.from, m)
}

// serveAhead runs the operations of all messages to this loop that nobody has
// received yet. All loops stand still.
func (l *Loop) serveAhead() {
	for _, m := range l.mail() {
		if m.kind == askRun && !m.served {
			l.execute(m, m.asks())
			m.served = true
		}
	}
}

// mail lists the messages to this loop that it has not received. All loops
// stand still.
func (l *Loop) mail() (all []*message) {
	for _, from := range l.node.loops {
		if from != l {
			all = append(all, l.inbox[from.id].list()...)
			all = append(all, from.overflow[l.id]...)
		}
	}
	return all
}

// execute runs a message's operations on this loop's shard.
func (l *Loop) execute(m *message, ops []command.Op) {
	b := m.batch
	l.actFor(m.conn)
	if len(m.ops) > 0 {
		l.doEach(m, ops)
		return
	}
	n, _ := l.do(b, ops, &m.reply)
	m.last = m.first + n
}
