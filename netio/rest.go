package netio

import "github.com/elares/ironcache/engine/keyspace"

// rest is what is left to be sent of a long reply. Its bytes stay where they
// are, in the shard of some loop; the connection's loop has one piece after the
// other copied, whenever the socket has taken the last. Meanwhile the
// connection runs nothing else.
type rest struct {
	from  *Loop         // whose shard has the bytes
	pin   *keyspace.Pin // nil when the last piece was copied
	piece []byte        // the one that is copied or sent
	asked bool          // the piece is in the hands of from
	after []byte        // to be sent after it all
}

// restPiece is how many bytes are copied at a time.
const restPiece = 128 << 10

// follow sends the rest of a reply after what has run so far.
func (l *Loop) follow(c *Conn, r *rest) {
	l.flush(c)
	c.rest = r
}

// fetch has the next piece copied.
func (l *Loop) fetch(c *Conn) {
	r := c.rest
	r.asked = true
	if r.from != l && c.writing { // nothing can be written before it comes
		c.writing = false
		l.poller.WantWrite(c.id, false)
	}
	l.tell(r.from, func(from *Loop) {
		r.copy()
		from.tell(l, func(l *Loop) { l.fetched(c, r) })
	})
}

// copy takes the next piece; the last one has the line end of the reply. Only
// the loop of the shard may call it.
func (r *rest) copy() {
	if r.piece == nil {
		r.piece = make([]byte, restPiece+2)
	}
	r.piece = r.piece[:restPiece]
	r.piece = r.piece[:r.pin.Read(r.piece)]
	if r.pin.Left() == 0 {
		r.pin.Close()
		r.pin = nil
		r.piece = append(r.piece, "\r\n"...)
	}
}

// fetched sends a piece that was copied. After the last one the connection goes
// on with its next request.
func (l *Loop) fetched(c *Conn, r *rest) {
	r.asked = false
	if c.closed {
		l.forget(r)
		return
	}
	c.out, c.outFrom = r.piece, 0
	if r.pin == nil {
		c.rest = nil
		c.out = append(c.out, r.after...)
		l.later(c)
	}
	l.wantWrite(c)
}

// forget drops the rest of a reply whose connection is gone. What is being
// copied is dropped when it comes.
func (l *Loop) forget(r *rest) {
	if r == nil || r.asked || r.pin == nil {
		return
	}
	pin := r.pin
	l.tell(r.from, func(*Loop) { pin.Close() })
}
