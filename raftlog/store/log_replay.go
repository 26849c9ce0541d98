package store

import (
	"fmt"

	"github.com/elares/ironcache/sim/invariant"
)

// replay is the log as of some frame.
type replay struct {
	first   uint64 // of the log
	known   uint64 // entries from first up to this were in segments that are not there
	entries []spot // of known and those after
}

func (r *replay) next() uint64 { return r.known + uint64(len(r.entries)) }

// take follows a frame. A cause says why it cannot be there.
func (r *replay) take(f *frame, at spot) (cause string) {
	switch {
	case f.kind == kindBegin && at.off != 0:
		return "the beginning of a segment stands within one"
	case f.kind == kindBegin && r.first == 0: // the oldest one
		r.first, r.known = f.index, f.term
	case f.kind == kindEntry && f.index == r.next():
		r.entries = append(r.entries, at)
	case f.kind == kindEntry:
		return fmt.Sprintf("entry %d stands where %d is next", f.index, r.next())
	case f.kind == kindBegin && (f.index != r.first || f.term != r.next()):
		return fmt.Sprintf("the segment begins with a log from %d up to %d, the one before ends with %d up to %d", f.index, f.term, r.first, r.next())
	default:
		return r.span(f.index, f.term)
	}
	return ""
}

// span leaves the entries from first up to next.
func (r *replay) span(first, next uint64) (cause string) {
	if first == next && first > 0 {
		*r = replay{first, first, nil}
		return ""
	}
	if first < r.first || first > next || next > r.next() {
		return fmt.Sprintf("the entries from %d up to %d are to stay of those from %d up to %d", first, next, r.first, r.next())
	}
	known := max(r.known, first)
	if next <= known {
		*r = replay{first, next, nil}
		return ""
	}
	r.entries = r.entries[known-r.known:][:next-known]
	r.first, r.known = first, known
	return ""
}

// sealed reads a segment that another one goes on behind: it is valid up to
// where that one says, and durable.
func (r *replay) sealed(s *segment, behind frame) error {
	size, err := s.file.Size()
	if err != nil {
		return fmt.Errorf("store: size of %s: %w", s.name, err)
	}
	if behind.synced > size {
		return &Corruption{s.name, size, fmt.Sprintf("the file ends too early, the next segment goes on behind byte %d", behind.synced)}
	}
	w := &window{file: s.file, name: s.name, size: behind.synced}
	cause, err := r.walk(w, s)
	switch {
	case err != nil:
		return err
	case cause == "" && s.last != behind.prev:
		cause = "the next segment goes on behind another frame"
	}
	if cause != "" {
		return &Corruption{s.name, s.end, cause}
	}
	return nil
}

// walk follows the frames of a segment up to the end of the window, or up to
// one that is not whole, for the cause that it gives. The segment ends there.
func (r *replay) walk(w *window, s *segment) (cause string, err error) {
	s.end, s.last = 0, 0
	for s.end < w.size {
		f, cause, err := s.read(w)
		if cause != "" || err != nil {
			return cause, err
		}
		if cause := r.take(f, spot{s, s.end, f.length()}); cause != "" {
			return "", &Corruption{s.name, s.end, cause} // no crash writes that
		}
		if f.kind != kindBegin {
			s.synced = f.synced
		}
		s.end += int64(f.length())
		s.last = f.sum
	}
	return "", nil
}

// read reads the frame at the end of the segment.
func (s *segment) read(w *window) (f *frame, cause string, err error) {
	if w.size-s.end < headerSize {
		return nil, "a header is cut off", nil
	}
	h, err := w.at(s.end, headerSize)
	if err != nil {
		return nil, "", err
	}
	f = new(frame)
	switch cause = f.parse(h, place{s.id, s.end}); {
	case cause != "":
		return nil, cause, nil
	case int64(f.length()) > w.size-s.end:
		return nil, "a frame is cut off", nil
	case f.kind != kindBegin && f.prev != s.last:
		return nil, "the frame belongs behind another one", nil
	}
	text, err := w.at(s.end, f.length())
	if err != nil {
		return nil, "", err
	}
	if !f.intact(text[headerSize:]) {
		return nil, "a checksum does not match", nil
	}
	return f, "", nil
}

// growing reads the last segment. What a crash left torn at its end is cut, and
// what is left is durable afterwards.
func (r *replay) growing(s *segment) (cut int64, err error) {
	size, err := s.file.Size()
	if err != nil {
		return 0, fmt.Errorf("store: size of %s: %w", s.name, err)
	}
	w := &window{file: s.file, name: s.name, size: size}
	cause, err := r.walk(w, s)
	if err != nil {
		return 0, err
	}
	if cause != "" {
		if err := s.torn(w, cause); err != nil {
			return 0, err
		}
		invariant.Reached("torn end of the log repaired")
	}
	return size - s.end, s.renew(w)
}

// torn tells whether a crash can have left the segment as it is from its end
// on. A header further on that was written when this place was durable says no.
func (s *segment) torn(w *window, cause string) error {
	for off := s.end + alignment; off+headerSize <= w.size; off += alignment {
		h, err := w.at(off, headerSize)
		if err != nil {
			return err
		}
		var f frame
		if f.parse(h, place{s.id, off}) == "" && f.synced > s.end {
			return &Corruption{s.name, s.end, fmt.Sprintf("%s, and it was durable when byte %d was written", cause, off)}
		}
	}
	return nil
}

// renew cuts the segment at its end and writes again what may not be durable,
// the last batch. After a sync that failed the system gives out what a crash
// makes it forget, and a size that a crash undoes: both are done always.
func (s *segment) renew(w *window) error {
	if err := s.file.Truncate(s.end); err != nil {
		return fmt.Errorf("store: truncate %s to byte %d: %w", s.name, s.end, err)
	}
	for off := s.synced; off < s.end; {
		n := min(s.end-off, windowSize)
		text, err := w.at(off, int(n))
		if err != nil {
			return err
		}
		if _, err := s.file.WriteAt(text, off); err != nil {
			return fmt.Errorf("store: write %s at byte %d: %w", s.name, off, err)
		}
		off += n
	}
	if err := syncFile(s.file, s.name); err != nil {
		return err
	}
	s.synced, s.syncedLast = s.end, s.last
	return nil
}
