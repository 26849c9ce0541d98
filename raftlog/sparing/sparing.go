// Package sparing keeps logs short: of what happens over and over it lets a line
// through now and then, which tells how many were left out. It reads no clock and
// writes nothing.
package sparing

import "time"

// Least and Most bound the time between two lines of a kind, in nanoseconds.
const (
	Least = int64(time.Second)
	Most  = int64(time.Minute)
)

// Kind is what lines are about. The first line is written at once, others after a second
// at least, then two, four and so on, up to a minute. When nothing has happened for a minute
// that begins anew. The zero Kind has had no line. One goroutine uses it at a time.
type Kind struct {
	last int64 // when it happened last, by the monotonic clock
	next int64 // when there may be another line
	gap  int64 // between the line before and next; at most Most
	left int   // lines left out since
}

// Line tells whether a line is to be written now, by the monotonic clock in nanoseconds,
// and gives the attributes that it has: args, and how many lines were left out.
func (k *Kind) Line(now int64, args ...any) (attributes []any, ok bool) {
	if now-k.last >= Most {
		k.gap = 0
	}
	k.last = now
	if now < k.next {
		k.left++
		return nil, false
	}
	if k.left > 0 {
		args = append(args, "more since the last such line", k.left)
	}
	k.gap = min(max(Least, 2*k.gap), Most)
	k.next, k.left = now+k.gap, 0
	return args, true
}
