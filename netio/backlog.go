package netio

// backlog is what a client that reads slowly has yet to read, behind Conn.out:
// in pieces, so that nothing is copied as it grows or as it goes.
type backlog struct {
	pieces [][]byte
	bytes  int // in all of them
}

// pieceSize is how many bytes replies are gathered to before the next piece
// begins. A longer reply is a piece of its own.
const pieceSize = 64 << 10

// waiting is how many bytes the client has yet to read.
func (c *Conn) waiting() int {
	n := len(c.out) - c.outFrom + c.backlog.bytes
	if c.rest != nil {
		n += c.rest.left
	}
	return n
}

// put puts bytes behind all that waits. They may be others' too, and are not
// changed.
func (c *Conn) put(p []byte) {
	if c.join(p) {
		return
	}
	if len(p) <= pieceSize { // others may be put behind it
		p = append(make([]byte, 0, pieceSize), p...)
	}
	c.keep(p)
}

// join puts bytes behind all that waits if that takes little copying.
func (c *Conn) join(p []byte) bool {
	q := &c.backlog
	last := &c.out
	if n := len(q.pieces); n > 0 {
		last = &q.pieces[n-1]
		if len(*last)+len(p) <= pieceSize {
			q.bytes += len(p)
		}
	}
	if len(*last)+len(p) > pieceSize {
		return false
	}
	*last = append(*last, p...)
	return true
}

// keep puts bytes behind all that waits. They are the connection's from then on.
func (c *Conn) keep(p []byte) {
	if len(c.out) == 0 {
		c.out = p
		return
	}
	c.backlog.pieces = append(c.backlog.pieces, p)
	c.backlog.bytes += len(p)
}

// nextPiece makes the first piece what is sent next, if there is one.
func (c *Conn) nextPiece() bool {
	q := &c.backlog
	if len(q.pieces) == 0 {
		return false
	}
	c.out, c.outFrom = q.pieces[0], 0
	q.pieces[0] = nil
	q.pieces = q.pieces[1:]
	if len(q.pieces) == 0 {
		q.pieces = nil
	}
	q.bytes -= len(c.out)
	return true
}
