package load

import (
	"bytes"
	"fmt"
)

// form is how the end of a group of replies is known.
type form uint8

const (
	byBytes form = iota // all replies are equally long
	byLines             // none holds a line end within a value
	byReply             // any replies; the slowest to follow
)

// awaited is a group of replies under way.
type awaited struct {
	form     form
	started  bool  // its first byte has come
	left     int   // bytes or lines still to come
	whole    whole // where form is byReply
	requests int   // answered by the whole group
	from     int64 // nanos from which its latency counts
}

func (a *awaited) done() bool { return a.left == 0 && a.whole.done() }

// take books the bytes that belong to the group and tells how many do.
func (a *awaited) take(p []byte) (int, error) {
	if !a.started && p[0] == '-' {
		return 0, fmt.Errorf("load: error reply %.80q", p)
	}
	a.started = true
	switch a.form {
	case byBytes:
		n := min(a.left, len(p))
		a.left -= n
		return n, nil
	case byReply:
		return a.whole.take(p), nil
	}
	return a.takeLines(p)
}

func (a *awaited) takeLines(p []byte) (int, error) {
	if at := bytes.Index(p, []byte("\n-")); at >= 0 {
		return 0, fmt.Errorf("load: error reply %.80q", p[at+1:])
	}
	if ends := bytes.Count(p, []byte{'\n'}); ends <= a.left {
		a.left -= ends
		return len(p), nil
	}
	used := 0
	for ; a.left > 0; a.left-- {
		used += bytes.IndexByte(p[used:], '\n') + 1
	}
	return used, nil
}
