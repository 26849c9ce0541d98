package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
)

// readSize is the buffer of a batch and so the most that one read takes from a
// connection, unless a single argument needs more.
const readSize = 16 << 10

// batch is what one read brought: the bytes, the requests in them, where each
// goes, and the replies so far. While it waits for another loop it stays with
// its connection, and the loop reads other connections into other batches.
type batch struct {
	resp.Batch
	buf     []byte // buf[:end] was read
	end     int
	region  []byte              // that buf lies in; nil when it lies in the Go heap
	soiled  int                 // bytes of the region that may have been written
	lent    bool                // the running request may keep the region
	tail    []byte              // what lies behind that request
	ops     []command.Op        // one for each request
	routes  []route             // one for each request
	next    int                 // ops[:next] have run
	out     resp.Writer         // their replies
	fault   *resp.ProtocolError // what the parser found behind the requests
	stopped bool                // the parser stopped after one request: more may be complete
	mute    bool                // the reply that begins behind mark bytes of out may have to be dropped
	open    bool                // that reply is being written
	mark    int
	hop     message   // the one message of a strict pipeline
	parts   []message // one for each shard, in a relaxed pipeline
	dealt   int       // ops[next:dealt] are in the parts, some of them have run
	careful bool      // requests are run one by one, each once
	owed    int       // messages under way
	made    int       // bytes of replies since the batch last had its turn

	// In a cluster: the slots that the requests touched whose replies are in
	// out, the view by which they ran, and the node's count of drops then.
	touched []uint16
	under   *raftlog.View
	drops   uint64
}

// takeBatch gives an empty batch.
func (l *Loop) takeBatch() *batch {
	if n := len(l.batches); n > 0 {
		b := l.batches[n-1]
		l.batches = l.batches[:n-1]
		return b
	}
	return &batch{buf: make([]byte, readSize)}
}

// keepBatches is how many idle batches a loop keeps.
const keepBatches = 256

// dropBatch takes a batch back that no message refers to.
func (l *Loop) dropBatch(b *batch) {
	if b.region != nil {
		l.leaveRegion(b)
	}
	if len(b.buf) != readSize {
		b.buf = make([]byte, readSize)
	}
	l.forgetReplies(b)
	if cap(b.out.Buf) > 4*readSize {
		b.out.Buf = nil
	}
	b.clear()
	b.end = 0
	if len(l.batches) < keepBatches {
		l.batches = append(l.batches, b)
	}
}

// forgetReplies drops replies that nobody will take.
func (l *Loop) forgetReplies(b *batch) {
	for id := range b.parts {
		m := &b.parts[id]
		l.forget(m.pieces)
		m.pieces = nil
		l.drop(&m.reply)
	}
	l.drop(&b.hop.reply)
	l.drop(&b.out)
}

// drop empties a writer.
func (l *Loop) drop(w *resp.Writer) {
	if w.Pieces() {
		l.forget(w.Take())
	}
	w.Reset()
}

// clear forgets the requests and replies, not the bytes that were read.
func (b *batch) clear() {
	b.Batch.Reset()
	b.ops, b.routes = b.ops[:0], b.routes[:0]
	b.out.Reset()
	b.made = 0
	b.touched, b.under = b.touched[:0], nil
	b.next, b.dealt, b.mute, b.stopped, b.fault = 0, 0, false, false, nil
}

// args gives the arguments of request i.
func (b *batch) args(i int) command.Args {
	return command.Args{Buf: b.buf, Spans: b.Args(b.Requests[i])}
}
