// Package wire writes requests and reads values of RESP2 and RESP3, for those who play
// clients of a simulated cluster and for those who listen to what passes. It knows no
// command and does no I/O.
//
// The promise that callers rely on: a value is read once all of it is there, and no
// sooner; what cannot become one is an error as soon as that shows.
package wire

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Bounds of a value. What goes beyond is an error, since nobody would wait for it.
const (
	MostText     = 512 << 20 // bytes of a string, as in Redis
	MostLine     = 64 << 10  // bytes of whatever ends with its line
	MostElements = 1 << 20   // of an array, set or push; a map has as many pairs
	MostDeep     = 32        // values that one is within
)

// Value is a value of RESP2 or RESP3, see https://redis.io/docs/latest/develop/reference/protocol-spec/.
type Value struct {
	// Kind is its first byte. That of every null is '_', in both protocols.
	Kind byte
	// Text is what it says, as it stands there; that of a verbatim string has its
	// format in front ("txt:"). Nulls and values with elements have none.
	Text string
	// List has the elements of arrays, sets, pushes and maps, where each key stands
	// before its value. It is nil only if the value can have none.
	List []Value
}

// Null tells whether it is a null.
func (v Value) Null() bool { return v.Kind == '_' }

// Failed tells whether it is an error.
func (v Value) Failed() bool { return v.Kind == '-' || v.Kind == '!' }

// OK tells whether it is the status OK.
func (v Value) OK() bool { return v.Kind == '+' && v.Text == "OK" }

// String is the value as one reads it.
func (v Value) String() string {
	if v.List == nil {
		return string(v.Kind) + v.Text
	}
	var parts []string
	for _, part := range v.List {
		parts = append(parts, part.String())
	}
	return string(v.Kind) + "[" + strings.Join(parts, " ") + "]"
}

// Request writes a request.
func Request(words ...string) []byte {
	text := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, word := range words {
		text = fmt.Appendf(text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text
}

// Read reads the value that a text begins with, and tells how many bytes it takes: 0 if
// it is not all there. An error means that no value begins so. Attributes are read over:
// the value is what they are about.
func Read(text []byte) (v Value, size int, err error) { return read(text, 0) }

// ReadAll reads the values that a text begins with, and gives what follows those that
// are all there: nothing, or the beginning of one.
func ReadAll(text []byte) (list []Value, rest []byte, err error) {
	for {
		v, size, err := Read(text)
		if size == 0 {
			return list, text, err
		}
		list, text = append(list, v), text[size:]
	}
}

// First bytes by what follows them.
const (
	lines   = "+-:,(#_" // a line
	strands = "$=!"     // how many bytes, and those
	lists   = "*~>%"    // how many elements, and those
	asides  = "|"       // how many pairs, and those, and what they are about
	known   = lines + strands + lists + asides
)

func read(text []byte, deep int) (v Value, size int, err error) {
	head, size, err := line(text)
	if size == 0 {
		return Value{}, 0, err
	}
	v = Value{Kind: text[0], Text: head}
	if strings.IndexByte(lines, v.Kind) >= 0 {
		if !v.sound() {
			return Value{}, 0, unlike(text, "its line does not fit its kind")
		}
		return v, size, nil
	}
	n, err := strconv.Atoi(head)
	switch {
	case head == "-1" && (v.Kind == '$' || v.Kind == '*'):
		return Value{Kind: '_'}, size, nil
	case err != nil || n < 0 || strconv.Itoa(n) != head:
		return Value{}, 0, unlike(text, "its length is no number of 0 or more")
	case strings.IndexByte(strands, v.Kind) >= 0:
		return strand(text, size, n)
	case n > MostElements || deep == MostDeep:
		return Value{}, 0, unlike(text, fmt.Sprintf("of %d elements and within %d others, more than %d or %d", n, deep, MostElements, MostDeep))
	}
	return elements(text, size, n, deep)
}

// line reads up to the end of a line: what stands behind the first byte, and the size of
// all, 0 if the end is not there.
func line(text []byte) (head string, size int, err error) {
	if len(text) == 0 {
		return "", 0, nil
	}
	if strings.IndexByte(known, text[0]) < 0 {
		return "", 0, unlike(text, "its first byte is that of no kind")
	}
	end := bytes.Index(text[:min(len(text), MostLine)], []byte("\r\n"))
	switch {
	case end >= 0:
		return string(text[1:end]), end + 2, nil
	case len(text) >= MostLine:
		return "", 0, unlike(text, fmt.Sprintf("its line has more than %d bytes", MostLine))
	}
	return "", 0, nil
}

// sound tells whether a value that is a line can be of its kind.
func (v Value) sound() bool {
	var err error
	switch v.Kind {
	case ':':
		_, err = strconv.ParseInt(v.Text, 10, 64)
	case ',':
		_, err = strconv.ParseFloat(v.Text, 64)
	case '(':
		_, ok := new(big.Int).SetString(v.Text, 10)
		return ok
	case '#':
		return v.Text == "t" || v.Text == "f"
	case '_':
		return v.Text == ""
	}
	return err == nil
}

// strand reads a string of n bytes that begin at a place.
func strand(text []byte, at, n int) (v Value, size int, err error) {
	if n > MostText {
		return Value{}, 0, unlike(text, fmt.Sprintf("it has more than %d bytes", MostText))
	}
	size = at + n + len("\r\n")
	switch {
	case len(text) < size:
		return Value{}, 0, nil
	case !bytes.HasSuffix(text[:size], []byte("\r\n")):
		return Value{}, 0, unlike(text, "it does not end where it says")
	}
	return Value{Kind: text[0], Text: string(text[at : at+n])}, size, nil
}

// elements reads n elements, or pairs of them, that begin at a place.
func elements(text []byte, at, n, deep int) (v Value, size int, err error) {
	v, size = Value{Kind: text[0], List: []Value{}}, at
	if v.Kind == '%' || v.Kind == '|' {
		n *= 2
	}
	for range n {
		part, more, err := read(text[size:], deep+1)
		if more == 0 {
			return Value{}, 0, err
		}
		v.List, size = append(v.List, part), size+more
	}
	if v.Kind != '|' {
		return v, size, nil
	}
	v, more, err := read(text[size:], deep+1)
	if more == 0 {
		return Value{}, 0, err
	}
	return v, size + more, nil
}

// unlike says why no value begins with a text.
func unlike(text []byte, why string) error {
	return fmt.Errorf("wire: %.40q is no value of RESP: %s", text[:min(len(text), 40)], why)
}
