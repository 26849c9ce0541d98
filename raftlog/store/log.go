package store

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/elares/ironcache/sim/env"
	"github.com/hashicorp/raft"
)

// Log is a raft.LogStore without gaps. It is a row of segment files that only
// grow: entries are appended, and so are spans, which say what a DeleteRange
// left of them. Old segments are removed as a whole.
//
// Where entries stand is kept in memory; entries themselves are read from the
// disk, and checked, each time.
type Log struct {
	disk        env.Disk
	dir         string
	segmentSize int64
	snapshots   *Snapshots // of the same store
	torn        int64      // see Torn
	tornFile    string

	// writing is held by the call that changes the log.
	writing sync.Mutex
	broken  error  // what every change fails with, once it is unknown what is durable
	buffer  []byte // for the next batch

	// mu guards what follows. It is never held while the disk writes, and
	// whoever changes something holds writing as well.
	mu       sync.RWMutex
	segments []*segment // oldest first, ids without gaps; the last one grows
	first    uint64     // index of the first of entries; without entries, of the next one
	entries  []spot
}

// segment is an open file of the log.
type segment struct {
	id   uint64
	name string
	file env.File

	end  int64  // where the next frame goes
	last uint32 // sum of the frame before end

	// synced <= end is up to where the file is durable for sure, and syncedLast
	// the sum of the frame before. What is between was written after the last
	// batch was durable: its mark.
	synced     int64
	syncedLast uint32
}

// spot is where an entry stands.
type spot struct {
	segment *segment
	off     int64
	size    int // of its frame
}

const segmentSuffix = ".seg"

func segmentFile(id uint64) string { return fmt.Sprintf("%016x%s", id, segmentSuffix) }

// segmentID reads the name of a segment.
func segmentID(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, segmentSuffix)
	id, err := strconv.ParseUint(digits, 16, 64)
	return id, ok && err == nil && id > 0 && segmentFile(id) == name
}

// createLog makes the first segment of an empty log.
func createLog(disk env.Disk, dir string) error {
	return replace(disk, path.Join(dir, segmentFile(1)), begin(1, 1, 1, nil))
}

// begin is the text of a segment without entries that goes on behind another,
// if there is one.
func begin(id, first, next uint64, behind *segment) []byte {
	f := frame{kind: kindBegin, index: first, term: next}
	if behind != nil {
		f.synced, f.prev = behind.synced, behind.syncedLast
	}
	return f.append(nil, place{segment: id}, []byte(magic))
}

// IsMonotonic tells the library, which has just installed a snapshot of another
// node, to remove all entries: indexes have no gaps. But where the log goes on
// behind the newest snapshot there is no gap to come, and what stands there may
// have been acknowledged: the library is to keep it, and to remove what the
// snapshot holds only. If the log has another entry than the snapshot in its last
// place, those up to there go now: no majority ever had them.
func (l *Log) IsMonotonic() bool {
	first, last := l.bounds()
	index := l.snapshots.newest()
	if last <= index {
		return true
	}
	var e raft.Log
	term, _ := l.snapshots.ending(index)
	if first <= index && l.GetLog(index, &e) == nil && e.Term != term {
		l.DeleteRange(first, index) // if it fails, the log is as it was, or broken
	}
	return false
}

// Before gives the term of the entry right before the first one of the log, if that
// is its index and a snapshot that is kept ends with it.
func (l *Log) Before(index uint64) (term uint64, ok bool) {
	if first, _ := l.bounds(); first == 0 || index != first-1 {
		return 0, false
	}
	return l.snapshots.ending(index)
}

// Torn is how many bytes were cut off the end of a file when the log was opened: of a
// write that was never acknowledged, which a crash had left incomplete. 0: none.
func (l *Log) Torn() (file string, bytes int64) {
	return l.tornFile, l.torn
}

// FirstIndex is the index of the first entry, 0 without any.
func (l *Log) FirstIndex() (uint64, error) {
	first, _ := l.bounds()
	return first, nil
}

// LastIndex is the index of the last entry, 0 without any.
func (l *Log) LastIndex() (uint64, error) {
	_, last := l.bounds()
	return last, nil
}

func (l *Log) bounds() (first, last uint64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if len(l.entries) == 0 {
		return 0, 0
	}
	return l.first, l.next() - 1
}

// next is the index behind the last entry.
func (l *Log) next() uint64 { return l.first + uint64(len(l.entries)) }

// GetLog reads the entry of an index, or fails with raft.ErrLogNotFound. An
// entry that does not match its checksum is a Corruption.
func (l *Log) GetLog(index uint64, log *raft.Log) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if index < l.first || index >= l.next() {
		return raft.ErrLogNotFound
	}
	at := l.entries[index-l.first]
	text := make([]byte, at.size)
	if err := readAt(at.segment.file, at.segment.name, text, at.off); err != nil {
		return err
	}
	var f frame
	cause := f.parse(text, place{at.segment.id, at.off})
	switch body := text[headerSize:]; {
	case cause != "":
	case f.length() != at.size || f.kind != kindEntry || f.index != index:
		cause = fmt.Sprintf("this is not the entry %d that was here", index)
	case !f.intact(body):
		cause = fmt.Sprintf("the checksum of entry %d does not match", index)
	default:
		*log = f.entry(body)
		return nil
	}
	return &Corruption{at.segment.name, at.off, cause}
}

// Close closes the files. Every later call fails.
func (l *Log) Close() error {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	var failed []error
	for _, s := range l.segments {
		if err := s.file.Close(); err != nil {
			failed = append(failed, fmt.Errorf("store: close %s: %w", s.name, err))
		}
	}
	if l.broken == nil {
		l.broken = fmt.Errorf("store: %s is closed", l.dir)
	}
	return errors.Join(failed...)
}

// trim removes the segments that hold no entry any more.
func (l *Log) trim() error {
	needed := l.segments[len(l.segments)-1]
	if len(l.entries) > 0 {
		needed = l.entries[0].segment
	}
	for l.segments[0] != needed {
		s := l.segments[0]
		if err := l.disk.Remove(s.name); err != nil {
			return fmt.Errorf("store: remove %s: %w", s.name, err)
		}
		l.mu.Lock()
		l.segments = slices.Delete(l.segments, 0, 1)
		l.mu.Unlock()
		// No entry is in it, so nobody reads it.
		if err := s.file.Close(); err != nil {
			return fmt.Errorf("store: close %s: %w", s.name, err)
		}
	}
	return nil
}
