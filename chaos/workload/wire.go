package workload

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// request writes words as RESP.
func request(words []string) []byte {
	text := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, word := range words {
		text = fmt.Appendf(text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text
}

// An answer is one reply, of RESP2 or RESP3.
type answer struct {
	kind byte // its first byte; that of every null is '_'
	text string
	list []answer // of arrays, maps, sets and pushes
}

// String is the answer as one reads it.
func (a answer) String() string {
	if a.list == nil {
		return string(a.kind) + a.text
	}
	var parts []string
	for _, part := range a.list {
		parts = append(parts, part.String())
	}
	return string(a.kind) + "[" + strings.Join(parts, " ") + "]"
}

// parse reads one reply: how many bytes it took, 0 if it is not all there, below 0
// if it is no reply at all.
func parse(text []byte) (size int, a answer) {
	end := bytes.Index(text, []byte("\r\n"))
	switch {
	case end < 0:
		return 0, a
	case end == 0:
		return -1, a
	}
	a.kind, a.text = text[0], string(text[1:end])
	size = end + 2
	switch a.kind {
	case '+', ':', '-', '_', '#', ',', '(':
		return size, a
	}
	n, err := strconv.Atoi(a.text)
	switch {
	case err != nil || n < -1 || !bytes.ContainsRune([]byte("$=!*~>%"), rune(a.kind)):
		return -1, a
	case n < 0:
		return size, answer{kind: '_'}
	case a.kind == '$' || a.kind == '=' || a.kind == '!':
		if len(text) < size+n+2 {
			return 0, a
		}
		a.text = string(text[size : size+n])
		return size + n + 2, a
	case a.kind == '%':
		n *= 2
	}
	a.text, a.list = "", []answer{}
	for range n {
		took, part := parse(text[size:])
		if took <= 0 {
			return took, a
		}
		size, a.list = size+took, append(a.list, part)
	}
	return size, a
}

// failed tells whether it is an error.
func (a answer) failed() bool { return a.kind == '-' || a.kind == '!' }
