package resp

import (
	"encoding/binary"

	"github.com/elares/ironcache/sim/invariant"
)

// Writer appends replies to Buf. Nothing is allocated while Buf has room; where
// it has not, and what waits is large, pieces are set apart.
type Writer struct {
	Buf   []byte // the end of what is waiting
	Proto uint8  // 2 or 3
	Lost  bool   // the replies have passed the limit and are not whole
	Limit int    // how many bytes may wait, more or less; 0 for any number

	pieces []Piece // what is waiting before Buf
	before int     // the bytes in them
}

// Mark is a place among the replies, as the number of bytes before it. It stays
// valid until the Writer is truncated below it or an earlier mark is ended.
type Mark int

// Reset drops everything. Sources among the pieces must have been taken.
func (w *Writer) Reset() {
	w.Buf, w.Lost = w.Buf[:0], false
	if len(w.pieces) > 0 {
		w.Buf = nil // its front is in pieces
		w.pieces, w.before = nil, 0
	}
}

// OK replies "OK".
func (w *Writer) OK() { w.Buf = append(w.Buf, "+OK\r\n"...) }

// Queued replies "QUEUED", the answer inside MULTI.
func (w *Writer) Queued() { w.Buf = append(w.Buf, "+QUEUED\r\n"...) }

// Pong replies "PONG".
func (w *Writer) Pong() { w.Buf = append(w.Buf, "+PONG\r\n"...) }

// Raw appends bytes that are already a reply.
func (w *Writer) Raw(reply []byte) {
	if w.room(len(reply)) {
		w.Buf = append(w.Buf, reply...)
	}
}

// Simple replies a status; line breaks in it become spaces.
func (w *Writer) Simple(s string) { w.line('+', s) }

// Error replies an error; line breaks in it become spaces.
func (w *Writer) Error(e Error) { w.line('-', string(e)) }

// Fail replies an error of any kind; one that is no Error gets the code ERR.
func (w *Writer) Fail(err error) { w.Error(AsError(err)) }

// Int replies an integer.
func (w *Writer) Int(n int64) { w.head(':', n) }

// Bulk replies bytes.
func (w *Writer) Bulk(b []byte) {
	at := len(w.Buf)
	if len(b) >= len(heads) || len(b)+headRoom > cap(w.Buf)-at {
		w.bulkSlow(b)
		return
	}
	head := heads[len(b)]
	reply := w.Buf[at : at+len(b)+headRoom]
	binary.LittleEndian.PutUint64(reply, head|'$')
	end := int(head>>56) + copy(reply[head>>56:], b)
	reply[end], reply[end+1] = '\r', '\n'
	w.Buf = w.Buf[:at+end+2]
}

func (w *Writer) bulkSlow(b []byte) { bulk(w, b) }

// BulkString replies a string as bytes.
func (w *Writer) BulkString(s string) { bulk(w, s) }

// bulk replies a string of any length.
func bulk[text []byte | string](w *Writer, s text) {
	if w.room(len(s) + maxHead) {
		w.head('$', int64(len(s)))
		w.Buf = append(append(w.Buf, s...), '\r', '\n')
	}
}

// BulkInt replies the decimal form of n as bytes.
func (w *Writer) BulkInt(n int64) {
	var digits [20]byte
	w.Bulk(AppendInt(digits[:0], n))
}

// Null replies that there is no value.
func (w *Writer) Null() {
	if w.Proto == 3 {
		w.Buf = append(w.Buf, "_\r\n"...)
		return
	}
	w.Buf = append(w.Buf, "$-1\r\n"...)
}

// NullArray replies that there is no array.
func (w *Writer) NullArray() {
	if w.Proto == 3 {
		w.Buf = append(w.Buf, "_\r\n"...)
		return
	}
	w.Buf = append(w.Buf, "*-1\r\n"...)
}

// Array starts an array; n replies follow.
func (w *Writer) Array(n int) { w.head('*', int64(n)) }

// Map starts a map; n keys and values follow. RESP2 sees an array of 2n.
func (w *Writer) Map(n int) {
	if w.Proto == 3 {
		w.head('%', int64(n))
		return
	}
	w.head('*', 2*int64(n))
}

// Set starts a set; n replies follow. RESP2 sees an array.
func (w *Writer) Set(n int) { w.head(w.kind('~'), int64(n)) }

// Push starts a message that answers no request; n replies follow. RESP2 sees
// an array.
func (w *Writer) Push(n int) { w.head(w.kind('>'), int64(n)) }

// Attribute starts n keys and values about the reply that follows them. There
// is no such thing in RESP2.
func (w *Writer) Attribute(n int) {
	invariant.Check(w.Proto == 3, "resp: attributes are sent to RESP3 clients only")
	w.head('|', int64(n))
}

// Bool replies yes or no. RESP2 sees 1 or 0.
func (w *Writer) Bool(yes bool) {
	switch {
	case w.Proto == 3 && yes:
		w.Buf = append(w.Buf, "#t\r\n"...)
	case w.Proto == 3:
		w.Buf = append(w.Buf, "#f\r\n"...)
	case yes:
		w.Buf = append(w.Buf, ":1\r\n"...)
	default:
		w.Buf = append(w.Buf, ":0\r\n"...)
	}
}

// Double replies a number with 17 significant digits. RESP2 sees a bulk.
func (w *Writer) Double(f float64) {
	var digits [32]byte
	text := AppendDouble(digits[:0], f)
	if w.Proto != 3 {
		w.Bulk(text)
		return
	}
	w.Buf = append(append(append(w.Buf, ','), text...), '\r', '\n')
}

// BigNumber replies an integer of any size, given in decimals. RESP2 sees a
// bulk.
func (w *Writer) BigNumber(s string) {
	if w.Proto != 3 {
		w.BulkString(s)
		return
	}
	w.line('(', s)
}

// Verbatim replies text of a format named by three characters, such as "txt".
// RESP2 sees a bulk.
func (w *Writer) Verbatim(format, text string) {
	invariant.Check(len(format) == 3, "resp: a verbatim format is three characters")
	if w.Proto != 3 {
		w.BulkString(text)
		return
	}
	if w.room(len(text) + maxHead) {
		w.head('=', int64(len(text)+4))
		w.Buf = append(append(w.Buf, format...), ':')
		w.Buf = append(append(w.Buf, text...), '\r', '\n')
	}
}

// Mark starts an array, map, set or push whose length is not known yet.
func (w *Writer) Mark() Mark { return Mark(w.Len()) }

// EndArray puts the head of an array of n in front of what followed the mark.
func (w *Writer) EndArray(at Mark, n int) { w.insert(at, '*', int64(n)) }

// EndMap puts the head of a map of n keys and values in front of what followed
// the mark.
func (w *Writer) EndMap(at Mark, n int) {
	if w.Proto == 3 {
		w.insert(at, '%', int64(n))
		return
	}
	w.insert(at, '*', 2*int64(n))
}

// EndSet puts the head of a set of n in front of what followed the mark.
func (w *Writer) EndSet(at Mark, n int) { w.insert(at, w.kind('~'), int64(n)) }

// kind is the type byte for RESP3, or that of an array.
func (w *Writer) kind(c byte) byte {
	if w.Proto == 3 {
		return c
	}
	return '*'
}

// head appends a type byte, a number and the end of the line.
func (w *Writer) head(kind byte, n int64) {
	at := len(w.Buf)
	if uint64(n) >= uint64(len(heads)) || cap(w.Buf)-at < 8 {
		if w.room(maxHead) {
			w.Buf = appendHead(w.Buf, kind, n)
		}
		return
	}
	head := heads[n]
	binary.LittleEndian.PutUint64(w.Buf[at:at+8], head|uint64(kind))
	w.Buf = w.Buf[:at+int(head>>56)]
}

// insert puts a head in front of what followed the mark.
func (w *Writer) insert(at Mark, kind byte, n int64) {
	var head [maxHead]byte
	w.Insert(at, appendHead(head[:0], kind, n))
}

func appendHead(to []byte, kind byte, n int64) []byte {
	return append(AppendInt(append(to, kind), n), '\r', '\n')
}

// maxHead is room for any head, and for what else goes around a string.
const maxHead = 32

// line appends a type byte and text without its line breaks.
func (w *Writer) line(kind byte, text string) {
	w.Buf = append(w.Buf, kind)
	start := len(w.Buf)
	w.Buf = append(w.Buf, text...)
	for i, c := range w.Buf[start:] {
		if c == '\r' || c == '\n' {
			w.Buf[start+i] = ' '
		}
	}
	w.Buf = append(w.Buf, '\r', '\n')
}

// heads holds, for the small numbers, the bytes of a line as a little-endian
// word: a free byte for the type, the digits, the line's end. The top byte
// is the length of it all.
var heads = func() (table [1024]uint64) {
	for n := range table {
		line := append(AppendInt([]byte{0}, int64(n)), '\r', '\n')
		for i, c := range line {
			table[n] |= uint64(c) << (8 * i)
		}
		table[n] |= uint64(len(line)) << 56
	}
	return table
}()

// headRoom is the room that a small head may write to, and a line's end.
const headRoom = 8 + 2
