package store

import (
	"errors"
	"fmt"
	"path"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/sim/invariant"
)

// ErrGap says that entries do not follow the last one.
var ErrGap = errors.New("entries of a log have no gaps")

// maxBuffer is the most memory, in bytes, that is kept between batches.
const maxBuffer = 1 << 20

// StoreLog appends one entry.
func (l *Log) StoreLog(log *raft.Log) error { return l.StoreLogs([]*raft.Log{log}) }

// StoreLogs appends entries. They must follow the last one, and each other; the
// first of an empty log may have any index above 0. After success they are
// durable; after a failure none of them is in the log, though a crash may bring
// back those at the front. When it is unknown what is durable, everything fails
// until the store is opened again.
func (l *Log) StoreLogs(logs []*raft.Log) error {
	if len(logs) == 0 {
		return nil
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.fits(logs); err != nil {
		return err
	}
	if err := l.ready(); err != nil {
		return err
	}
	b := l.batch()
	first := l.first
	if len(l.entries) == 0 && logs[0].Index != first {
		first = logs[0].Index
		b.add(frame{kind: kindSpan, index: first, term: first})
	}
	spots := make([]spot, 0, len(logs))
	for _, log := range logs {
		spots = append(spots, b.add(frameOf(log), log.Data, log.Extensions))
	}
	if err := l.write(b); err != nil {
		return err
	}
	l.mu.Lock()
	l.first, l.entries = first, append(l.entries, spots...)
	l.mu.Unlock()
	l.mark(b.segment)
	return nil
}

// Broken tells what everything fails with since it is unknown what is durable, nil
// while that is known.
func (l *Log) Broken() error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.broken
}

// fits checks that entries may be appended.
func (l *Log) fits(logs []*raft.Log) error {
	next := l.next()
	if len(l.entries) == 0 {
		next = max(1, logs[0].Index)
	}
	for _, log := range logs {
		if log.Index != next {
			return fmt.Errorf("store: append entry %d to %s where %d is next: %w", log.Index, l.dir, next, ErrGap)
		}
		if size := len(log.Data) + len(log.Extensions); size > MaxEntry {
			return fmt.Errorf("store: append entry %d to %s: it has %d bytes, the most is %d", log.Index, l.dir, size, MaxEntry)
		}
		next++
	}
	return nil
}

// DeleteRange removes the entries from the index low to high. They must be at
// an end of the log: a hole is refused. What lies beyond the log is ignored.
// After success the removal is durable. Files without entries are removed as
// well; a failure to do so is reported, and tried again later.
func (l *Log) DeleteRange(low, high uint64) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	first, next := l.first, l.next()
	low, high = max(low, first), min(high, next-1)
	if len(l.entries) == 0 || low > high {
		return nil
	}
	switch {
	case low == first:
		first = high + 1
	case high == next-1:
		next = low
	default:
		return fmt.Errorf("store: remove entries %d to %d of %s, which has %d to %d: %w", low, high, l.dir, first, next-1, ErrGap)
	}
	if err := l.ready(); err != nil {
		return err
	}
	b := l.batch()
	b.add(frame{kind: kindSpan, index: first, term: next})
	if err := l.write(b); err != nil {
		return err
	}
	l.mu.Lock()
	l.entries = l.entries[first-l.first:][:next-first]
	l.first = first
	l.mu.Unlock()
	l.mark(b.segment)
	return l.trim()
}

// batch is a row of frames that become durable together.
type batch struct {
	segment *segment
	text    []byte
	last    uint32 // sum of the last frame
}

func (l *Log) batch() *batch {
	s := l.segments[len(l.segments)-1]
	return &batch{s, l.buffer[:0], s.last}
}

// add appends a frame, and tells where it will stand.
func (b *batch) add(f frame, parts ...[]byte) spot {
	off := b.segment.end + int64(len(b.text))
	f.prev, f.synced = b.last, b.segment.synced
	b.text = f.append(b.text, place{b.segment.id, off}, parts...)
	b.last = f.sum
	return spot{b.segment, off, f.length()}
}

// write makes a batch durable.
func (l *Log) write(b *batch) error {
	s := b.segment
	if l.buffer = b.text; cap(l.buffer) > maxBuffer {
		l.buffer = nil
	}
	if _, err := s.file.WriteAt(b.text, s.end); err != nil {
		err = fmt.Errorf("store: write %s at byte %d: %w", s.name, s.end, err)
		if undo := s.file.Truncate(s.end); undo != nil {
			l.broken = errors.Join(err, fmt.Errorf("store: truncate %s to byte %d: %w", s.name, s.end, undo))
			return l.broken
		}
		return err
	}
	if err := syncFile(s.file, s.name); err != nil {
		l.broken = err
		return err
	}
	s.end += int64(len(b.text))
	s.last = b.last
	s.synced, s.syncedLast = s.end, s.last
	return nil
}

// mark appends a span that changes nothing. It is the proof that all before it
// was durable, so that damage to the last batch is not taken for a write that a
// crash tore. It need not be durable itself: a later batch is a proof as well.
func (l *Log) mark(s *segment) {
	invariant.Check(s.synced == s.end, "store: marks are set on what is durable")
	b := &batch{s, nil, s.last}
	b.add(frame{kind: kindSpan, index: l.first, term: l.next()})
	if _, err := s.file.WriteAt(b.text, s.end); err != nil {
		return // the next frame goes over what there is of it
	}
	s.end += int64(len(b.text))
	s.last = b.last
}

// ready tells whether the log may be written, and starts a next segment when
// the last one is full.
func (l *Log) ready() error {
	if l.broken != nil {
		return l.broken
	}
	s := l.segments[len(l.segments)-1]
	if s.end < l.segmentSize {
		return nil
	}
	next := &segment{id: s.id + 1, name: path.Join(l.dir, segmentFile(s.id+1))}
	if err := replace(l.disk, next.name, begin(next.id, l.first, l.next(), s)); err != nil {
		if unknown(err) {
			l.broken = err
		}
		return err
	}
	if _, err := next.start(l.disk); err != nil {
		return err
	}
	l.mu.Lock()
	l.segments = append(l.segments, next)
	l.mu.Unlock()
	return nil
}
