package resp

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// aside is a source whose bytes are known.
type aside struct {
	text   []byte
	closed *int
}

func (a *aside) Left() int { return len(a.text) }

func (a *aside) Read(b []byte) int {
	n := copy(b, a.text)
	a.text = a.text[n:]
	return n
}

func (a *aside) Close() { *a.closed++ }

// flat is all that pieces stand for.
func flat(pieces []Piece) (all []byte) {
	for _, p := range pieces {
		if p.From != nil {
			b := make([]byte, p.From.Left())
			p.Bytes = b[:p.From.Read(b)]
			p.From.Close()
		}
		all = append(all, p.Bytes...)
	}
	return all
}

// whole is what a Writer says, as one string, and what it should say.
type whole struct {
	w            Writer
	want         []byte
	marks        []Mark
	long, closed int // sources that there were, and are no more
}

// reply appends one of the replies that a buffer, a piece or a source can hold.
func (m *whole) reply(t *rapid.T) {
	n := rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(0, 3*PieceSize)).Draw(t, "size")
	text := bytes.Repeat([]byte{'a' + byte(n%26)}, n)
	plain := Writer{Buf: make([]byte, 0, n+maxHead), Proto: 2}
	plain.Bulk(text)
	switch rapid.IntRange(0, 5).Draw(t, "way") {
	case 0:
		m.w.Bulk(text)
	case 1:
		m.w.BulkString(string(text))
	case 2:
		m.w.Raw(plain.Buf)
	case 3:
		m.w.Add(Piece{Bytes: plain.Buf})
	case 4:
		other := Writer{Proto: 2}
		other.Bulk(text)
		m.w.Move(&other)
	case 5:
		if n == 0 {
			n, text = 1, []byte("s")
			plain.Reset()
			plain.Bulk(text)
		}
		m.long++
		m.w.Long(&aside{text, &m.closed})
	}
	m.want = append(m.want, plain.Buf...)
}

// Whatever is set apart in pieces, the replies are those of one long buffer.
func TestPiecesAreOneBuffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &whole{w: Writer{Proto: 2}}
		t.Repeat(map[string]func(*rapid.T){
			"reply": m.reply,
			"mark":  func(*rapid.T) { m.marks = append(m.marks, m.w.Mark()) },
			"end": func(t *rapid.T) {
				if len(m.marks) == 0 {
					t.Skip()
				}
				at := m.marks[len(m.marks)-1]
				m.marks = m.marks[:len(m.marks)-1]
				m.w.EndArray(at, 12)
				m.want = slices.Insert(m.want, int(at), []byte("*12\r\n")...)
			},
			"truncate": func(t *rapid.T) {
				if len(m.marks) == 0 {
					t.Skip()
				}
				at := m.marks[len(m.marks)-1]
				m.marks = m.marks[:len(m.marks)-1]
				m.w.Truncate(int(at))
				m.want = m.want[:at]
			},
			"since": func(t *rapid.T) {
				at := m.w.Len()
				m.w.Error(ErrSyntax)
				m.want = append(m.want, "-ERR syntax error\r\n"...)
				if got := string(m.w.Since(at)); got != "-ERR syntax error\r\n" {
					t.Fatalf("an error reply is %q", got)
				}
			},
			"": func(t *rapid.T) {
				if m.w.Len() != len(m.want) {
					t.Fatalf("%d bytes wait, not %d", m.w.Len(), len(m.want))
				}
			},
		})
		if got := flat(m.w.Take()); !bytes.Equal(got, m.want) {
			t.Fatalf("got %d bytes, want %d", len(got), len(m.want))
		}
		if m.w.Len() != 0 || m.closed != m.long {
			t.Fatalf("%d bytes are left; %d of %d sources are closed", m.w.Len(), m.closed, m.long)
		}
	})
}

// A reply beyond the limit is given up, and not built any further.
func TestWriterLimit(t *testing.T) {
	const limit = 1 << 20
	text, closed := strings.Repeat("x", 100_000), 0
	for name, add := range map[string]func(w *Writer){
		"bulk":     func(w *Writer) { w.Bulk([]byte(text)) },
		"string":   func(w *Writer) { w.BulkString(text) },
		"short":    func(w *Writer) { w.Bulk([]byte("twenty bytes of text")) },
		"number":   func(w *Writer) { w.Int(1 << 60) },
		"verbatim": func(w *Writer) { w.Verbatim("txt", text) },
		"raw":      func(w *Writer) { w.Raw([]byte(text)) },
		"piece":    func(w *Writer) { w.Add(Piece{Bytes: []byte(text)}) },
		"source":   func(w *Writer) { closed--; w.Long(&aside{[]byte(text), &closed}) },
	} {
		t.Run(name, func(t *testing.T) {
			w := Writer{Proto: 3, Limit: limit}
			at := w.Mark()
			for n := 0; n < 100; {
				if add(&w); w.Lost {
					n++
				}
				if w.Lost && n == 1 && w.Len() < limit-2*len(text) {
					t.Fatalf("lost at %d bytes", w.Len())
				}
			}
			if !w.Lost || w.Len() > limit+3*PieceSize {
				t.Errorf("lost: %v, %d bytes", w.Lost, w.Len())
			}
			w.EndArray(at, 1)
			if w.Truncate(0); closed != 0 {
				t.Errorf("%d sources are open", -closed)
			}
			if w.Reset(); w.Lost {
				t.Error("lost for ever")
			}
		})
	}
}
