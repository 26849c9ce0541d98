package load

import (
	"bytes"
	"strconv"
	"strings"
)

// whole finds the end of replies of any kind in a stream that comes in pieces.
// It holds at most one header line and copies nothing else.
type whole struct {
	left int    // replies and elements still to come
	skip int    // bytes of a bulk still to come
	line []byte // header that was cut by the end of a piece
}

// take books p and tells how many of its bytes belong to what is awaited;
// more belongs to it as long as left or skip is above zero.
func (w *whole) take(p []byte) int {
	used := 0
	for used < len(p) && (w.left > 0 || w.skip > 0) {
		if w.skip > 0 {
			n := min(w.skip, len(p)-used)
			w.skip -= n
			used += n
			continue
		}
		used += w.header(p[used:])
	}
	return used
}

func (w *whole) header(p []byte) int {
	end := bytes.IndexByte(p, '\n')
	if end < 0 {
		w.line = append(w.line, p...)
		return len(p)
	}
	line := p[:end+1]
	if len(w.line) > 0 {
		line = append(w.line, line...)
		w.line = w.line[:0]
	}
	w.open(line)
	return end + 1
}

// open books a complete header line.
func (w *whole) open(line []byte) {
	w.left--
	kind := line[0]
	if strings.IndexByte("$=*%~>", kind) < 0 {
		return
	}
	n, _ := strconv.Atoi(string(bytes.TrimSpace(line[1:])))
	switch {
	case n < 0:
	case kind == '$' || kind == '=':
		w.skip = n + 2
	case kind == '%':
		w.left += 2 * n
	default:
		w.left += n
	}
}

func (w *whole) done() bool { return w.left == 0 && w.skip == 0 }
