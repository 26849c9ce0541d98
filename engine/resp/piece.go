package resp

import "github.com/elares/ironcache/sim/invariant"

// Piece is a part of the replies that is set apart from a Writer's buffer:
// nothing is copied when more follows it, or when it is handed on.
type Piece struct {
	Bytes []byte // not to be changed
	From  Source // has the bytes instead, when it is not nil
}

// Source is a long string that need not be copied whole to be sent. Whoever
// takes it from a Writer closes it, on the thread that owns the string.
type Source interface {
	Left() int         // how many bytes are still to be read
	Read(b []byte) int // fills b with what comes next and tells how much that is
	Close()
}

// Len is how many bytes the piece stands for.
func (p *Piece) Len() int {
	if p.From != nil {
		return p.From.Left()
	}
	return len(p.Bytes)
}

const (
	// PieceSize is how many bytes are gathered in a Writer's buffer before they
	// become a piece. A longer string is a piece of its own.
	PieceSize = 64 << 10
	// leastSpare is the room behind a piece, in bytes, that is worth using.
	leastSpare = 64
)

// Len tells how many bytes are waiting, in pieces and in the buffer.
func (w *Writer) Len() int { return w.before + len(w.Buf) }

// Pieces tells whether anything is set apart from the buffer.
func (w *Writer) Pieces() bool { return len(w.pieces) > 0 }

// Since gives what was appended since the Writer had n bytes, if all of it is
// in the buffer: any reply of less than PieceSize is.
func (w *Writer) Since(n int) []byte {
	if n < w.before {
		return nil
	}
	return w.Buf[n-w.before:]
}

// Bytes gives all that is waiting as one, which is Buf then. There may be no
// sources in it.
func (w *Writer) Bytes() []byte {
	if len(w.pieces) > 0 {
		all := make([]byte, 0, w.Len())
		for _, p := range w.pieces {
			invariant.Check(p.From == nil, "resp: a source is read by who takes it")
			all = append(all, p.Bytes...)
		}
		w.Buf = append(all, w.Buf...)
		w.pieces, w.before = nil, 0
	}
	return w.Buf
}

// Add appends what is set apart elsewhere.
func (w *Writer) Add(p Piece) {
	switch n := p.Len(); {
	case p.From == nil && n < PieceSize:
		w.Raw(p.Bytes)
	case w.fits(n) || p.From != nil: // which somebody has to close
		w.add(p, n)
	}
}

// Long replies the bytes of a source, which becomes the Writer's.
func (w *Writer) Long(from Source) {
	n := from.Left()
	if !w.fits(n) {
		from.Close()
		return
	}
	w.head('$', int64(n))
	w.add(Piece{From: from}, n)
	w.Buf = append(w.Buf, '\r', '\n')
}

// Move appends all of another Writer, which is empty then.
func (w *Writer) Move(from *Writer) {
	w.Lost = w.Lost || from.Lost
	for _, p := range from.pieces {
		w.Add(p)
	}
	w.Raw(from.Buf)
	if len(from.pieces) > 0 {
		from.Buf = nil
	}
	from.Reset()
}

// Take gives all that is waiting, in order, and leaves the Writer empty and
// without a buffer.
func (w *Writer) Take() []Piece {
	w.seal()
	all := w.pieces
	w.Buf, w.pieces, w.before = nil, nil, 0
	return all
}

// Cut drops what was appended after the first n bytes. Its pieces are the
// caller's.
func (w *Writer) Cut(n int) (dropped []Piece) {
	if n >= w.before {
		w.Buf = w.Buf[:n-w.before]
		return nil
	}
	i := w.pieceAt(n)
	dropped = append(dropped, w.pieces[i:]...)
	w.pieces = w.pieces[:i]
	w.Buf = nil
	w.before = 0
	for k := range w.pieces {
		w.before += w.pieces[k].Len()
	}
	if head := n - w.before; head > 0 {
		w.Buf = append(w.Buf, dropped[0].Bytes[:head]...)
	}
	return dropped
}

// Truncate is Cut for the owner of all that the pieces come from.
func (w *Writer) Truncate(n int) {
	for _, p := range w.Cut(n) {
		if p.From != nil {
			p.From.Close()
		}
	}
}

// pieceAt is the number of the piece that holds byte n, or before which that
// byte would come; n is below w.before.
func (w *Writer) pieceAt(n int) int {
	for i, at := 0, 0; ; i++ {
		if at += w.pieces[i].Len(); n < at {
			return i
		}
	}
}

// Insert puts bytes in front of what followed the mark.
func (w *Writer) Insert(at Mark, reply []byte) {
	if n := int(at) - w.before; n >= 0 {
		body := len(w.Buf)
		w.Buf = append(w.Buf, reply...)
		copy(w.Buf[n+len(reply):], w.Buf[n:body])
		copy(w.Buf[n:], reply)
		return
	}
	i := w.pieceAt(int(at))
	n := int(at)
	for k := range i {
		n -= w.pieces[k].Len()
	}
	split := make([]Piece, 0, len(w.pieces)+2)
	split = append(split, w.pieces[:i]...)
	whole := w.pieces[i].Bytes
	if n > 0 {
		split = append(split, Piece{Bytes: whole[:n:n]})
		w.pieces[i].Bytes = whole[n:]
	}
	split = append(split, Piece{Bytes: append([]byte(nil), reply...)})
	w.pieces = append(split, w.pieces[i:]...)
	w.before += len(reply)
}

// fits tells whether n more bytes are within the limit. The replies are lost
// when they are not.
func (w *Writer) fits(n int) bool {
	if w.Limit > 0 && w.Len()+n > w.Limit {
		w.Lost = true
	}
	return !w.Lost
}

// room makes room for n bytes where there is little, and tells whether they
// may be appended.
func (w *Writer) room(n int) bool {
	if !w.fits(n) {
		return false
	}
	if n > cap(w.Buf)-len(w.Buf) && len(w.Buf)+n > PieceSize {
		w.seal()
		w.Buf = make([]byte, 0, max(n, PieceSize))
	}
	return true
}

// seal makes a piece of what is in the buffer.
func (w *Writer) seal() {
	n := len(w.Buf)
	if n == 0 {
		return
	}
	w.pieces = append(w.pieces, Piece{Bytes: w.Buf[:n:n]})
	w.before += n
	if w.Buf = w.Buf[n:]; cap(w.Buf) < leastSpare {
		w.Buf = make([]byte, 0, 8*leastSpare)
	}
}

// add appends a piece of n bytes.
func (w *Writer) add(p Piece, n int) {
	w.seal()
	w.pieces = append(w.pieces, p)
	w.before += n
}
