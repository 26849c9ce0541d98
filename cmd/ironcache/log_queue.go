package main

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	// queuedLines is how many lines of the log may wait to be written.
	queuedLines = 1024
	// lastLines is how long the process waits at its end for lines to be written.
	lastLines = time.Second
)

// logQueue writes lines in a goroutine of its own, so that no loop waits for a
// pipe that nobody reads or for a slow disk. When too many wait, lines are lost,
// and the next one that is written tells how many.
type logQueue struct {
	out   io.Writer
	items chan queuedLine
	lost  atomic.Int64
}

// queuedLine is a line to write, or a flush to acknowledge.
type queuedLine struct {
	text    []byte
	flushed chan<- struct{} // nil for a line
}

func newLogQueue(out io.Writer) *logQueue {
	q := &logQueue{out: out, items: make(chan queuedLine, queuedLines)}
	go q.run()
	return q
}

// Write takes a line and never waits.
func (q *logQueue) Write(line []byte) (int, error) {
	select {
	case q.items <- queuedLine{text: bytes.Clone(line)}:
	default:
		q.lost.Add(1)
	}
	return len(line), nil
}

// run writes what comes, for ever. What cannot be written is lost: there is no
// place to tell it.
func (q *logQueue) run() {
	for item := range q.items {
		if item.flushed != nil {
			close(item.flushed)
			continue
		}
		_, _ = q.out.Write(item.text)
		if n := q.lost.Swap(0); n > 0 {
			_, _ = fmt.Fprintf(q.out, "%s warning Lines of the log were lost: they could not be written as fast as they came lines=%d\n",
				time.Now().UTC().Format(timeFormat), n)
		}
	}
}

// flush waits until what was taken is written, though not for long.
func (q *logQueue) flush() {
	patience := time.NewTimer(lastLines)
	defer patience.Stop()
	flushed := make(chan struct{})
	select {
	case q.items <- queuedLine{flushed: flushed}:
	case <-patience.C:
		return
	}
	select {
	case <-flushed:
	case <-patience.C:
	}
}
