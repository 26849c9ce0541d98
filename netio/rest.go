package netio

import (
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// rest is what is left to be sent of replies with long strings in them. The
// bytes of those stay where they are, in the shard of some loop; the
// connection's loop has one piece after the other copied, whenever the socket
// has taken the last. Meanwhile the connection runs nothing else.
type rest struct {
	pieces []resp.Piece // not copied and not handed to the socket
	left   int          // bytes that they and after stand for
	held   int          // those of them that lie in memory for this reply alone
	buf    []byte       // for what is copied
	copied []byte       // the beginning of buf; nil when nothing waits in it
	asked  bool         // it all is in the hands of the loop that copies
	after  []byte       // to be sent after it all
}

// restPiece is how many bytes are copied at a time.
const restPiece = 128 << 10

// follow sends pieces after what has run so far: at once up to the first that
// has to be read from a shard, the others as the client takes them.
func (l *Loop) follow(c *Conn, pieces []resp.Piece) {
	for len(pieces) > 0 && pieces[0].From == nil {
		c.put(pieces[0].Bytes)
		pieces = pieces[1:]
	}
	if len(pieces) == 0 {
		return
	}
	r := &rest{pieces: pieces}
	for i := range pieces {
		r.left += pieces[i].Len()
		r.held += len(pieces[i].Bytes)
	}
	c.rest = r
}

// fetch hands over what comes next of the rest: now, or when another loop has
// copied it.
func (l *Loop) fetch(c *Conn) {
	r := c.rest
	if first := r.pieces[0]; first.From == nil && len(first.Bytes) >= restPiece/4 {
		r.pieces = r.pieces[1:]
		r.held -= len(first.Bytes)
		l.hand(c, first.Bytes)
		return
	}
	from := l
	for i := range r.pieces {
		if r.pieces[i].From != nil {
			from = l.node.ownerOf(r.pieces[i].From)
			break
		}
	}
	r.asked = true
	if from != l && c.writing { // nothing can be written before it comes
		c.writing = false
		l.poller.WantWrite(c.id, false)
	}
	l.tell(from, func(from *Loop) {
		r.copy(from)
		from.tell(l, func(l *Loop) { l.fetched(c, r) })
	})
}

// ownerOf is the loop whose shard has the bytes of a source.
func (n *Node) ownerOf(from resp.Source) *Loop {
	id := 0
	for n.stores[id] != from.(*keyspace.Pin).Store() {
		id++
	}
	return n.loops[id]
}

// copy fills the buffer with what comes next, as far as it is this loop's.
func (r *rest) copy(l *Loop) {
	if r.buf == nil {
		r.buf = make([]byte, restPiece)
	}
	n := 0
	for len(r.pieces) > 0 && n < len(r.buf) {
		p := &r.pieces[0]
		switch {
		case p.From == nil && len(p.Bytes) >= restPiece/4,
			p.From != nil && l.node.ownerOf(p.From) != l:
			r.copied = r.buf[:n]
			return
		case p.From != nil:
			n += p.From.Read(r.buf[n:])
		default:
			size := copy(r.buf[n:], p.Bytes)
			p.Bytes = p.Bytes[size:]
			n += size
		}
		if p.Len() > 0 {
			break
		}
		if p.From != nil {
			p.From.Close()
		}
		*p = resp.Piece{}
		r.pieces = r.pieces[1:]
	}
	r.copied = r.buf[:n]
}

// fetched sends what was copied.
func (l *Loop) fetched(c *Conn, r *rest) {
	r.asked = false
	if c.closed {
		l.forget(r.pieces)
		return
	}
	l.hand(c, r.copied)
}

// hand has bytes of the rest sent. After the last of them the connection goes
// on with its next request.
func (l *Loop) hand(c *Conn, bytes []byte) {
	r := c.rest
	c.out, c.outFrom = bytes, 0
	r.left -= len(bytes)
	if len(r.pieces) == 0 {
		c.rest = nil
		if len(r.after) > 0 {
			c.out = append(c.out[:len(bytes):len(bytes)], r.after...)
		}
		l.later(c)
	}
	l.wantWrite(c)
}

// forget drops pieces of replies whose connection is gone.
func (l *Loop) forget(pieces []resp.Piece) {
	for _, p := range pieces {
		if from := p.From; from != nil {
			l.tell(l.node.ownerOf(from), func(*Loop) { from.Close() })
		}
	}
}

// forgetRest drops the rest of a reply, unless it is being copied: then it is
// dropped when it comes.
func (l *Loop) forgetRest(c *Conn) {
	if r := c.rest; r != nil && !r.asked {
		l.forget(r.pieces)
	}
	c.rest = nil
}

// bytes is the memory of the rest; nil has none.
func (r *rest) bytes() int {
	if r == nil {
		return 0
	}
	return r.held + cap(r.buf) + cap(r.after)
}
