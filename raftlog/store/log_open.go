package store

import (
	"errors"
	"fmt"
	"path"

	"github.com/elares/ironcache/sim/env"
)

// openLog reads all segments, and makes durable what it found.
func openLog(disk env.Disk, dir string, segmentSize int64) (*Log, error) {
	if err := sweep(disk, dir); err != nil {
		return nil, err
	}
	l := &Log{disk: disk, dir: dir, segmentSize: segmentSize}
	err := l.load()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *Log) load() error {
	ids, err := l.ids()
	if err != nil {
		return err
	}
	run := newest(ids)
	begins := make([]frame, len(run))
	for i, id := range run {
		s := &segment{id: id, name: path.Join(l.dir, segmentFile(id))}
		if begins[i], err = s.start(l.disk); err != nil {
			return err
		}
		l.segments = append(l.segments, s)
	}
	var r replay
	for i, s := range l.segments[:len(run)-1] {
		if err := r.sealed(s, begins[i+1]); err != nil {
			return err
		}
	}
	last := l.segments[len(run)-1]
	if l.torn, err = r.growing(last); err != nil {
		return err
	}
	l.tornFile = last.name
	if r.known > r.first {
		return &Corruption{path.Join(l.dir, segmentFile(run[0]-1)), 0,
			fmt.Sprintf("the file is missing, and with it the entries %d to %d", r.first, r.known-1)}
	}
	l.first, l.entries = r.first, r.entries
	l.mark(last)
	for _, id := range ids[:len(ids)-len(run)] { // a crash while they were removed
		if err := l.disk.Remove(path.Join(l.dir, segmentFile(id))); err != nil {
			return fmt.Errorf("store: remove segment %d of %s: %w", id, l.dir, err)
		}
	}
	return l.trim()
}

// ids lists the segments in the folder. There is at least one.
func (l *Log) ids() (ids []uint64, err error) {
	names, err := list(l.disk, l.dir, segmentSuffix)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, ok := segmentID(name)
		if !ok {
			return nil, &Corruption{path.Join(l.dir, name), 0, "this is not the name of a segment"}
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, &Corruption{path.Join(l.dir, segmentFile(1)), 0, "the log has lost all of its files"}
	}
	return ids, nil
}

// newest gives the end of a sorted list that has no gaps.
func newest(ids []uint64) []uint64 {
	i := len(ids) - 1
	for i > 0 && ids[i-1]+1 == ids[i] {
		i--
	}
	return ids[i:]
}

// start opens a segment and reads its first frame. A segment gets its name when
// that frame is durable, so none is without.
func (s *segment) start(disk env.Disk) (f frame, err error) {
	file, err := disk.Open(s.name, false)
	if err != nil {
		return f, fmt.Errorf("store: open %s: %w", s.name, err)
	}
	text := make([]byte, beginSize)
	if err = readAt(file, s.name, text, 0); err == nil {
		if cause := f.begins(s, text); cause != "" {
			err = &Corruption{s.name, 0, cause}
		}
	}
	if err != nil {
		return f, errors.Join(err, file.Close())
	}
	s.file, s.end, s.last = file, int64(beginSize), f.sum
	s.synced, s.syncedLast = s.end, s.last
	return f, nil
}

// begins reads the first frame of a segment.
func (f *frame) begins(s *segment, text []byte) (cause string) {
	cause = f.parse(text, place{segment: s.id})
	switch body := text[headerSize:]; {
	case cause != "":
	case f.kind != kindBegin || int(f.size) != len(magic) || !f.intact(body) || string(body) != magic:
		cause = "this is not the beginning of a segment"
	case f.index == 0 || f.index > f.term:
		cause = "the beginning of a segment names indexes that cannot be"
	}
	return cause
}
