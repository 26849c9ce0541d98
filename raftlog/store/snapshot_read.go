package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/sim/env"
)

// reader reads a snapshot, chunk after chunk.
type reader struct {
	file env.File
	name string
	meta raft.SnapshotMeta
	body int64  // where the chunks begin
	head uint32 // sum of the head
	last uint32 // of the last chunk, as the tail says

	off   int64  // of the next chunk
	left  int64  // bytes of texts in it and those after
	sum   uint32 // of the chunk before
	chunk []byte // what of the last chunk is still to be read
	text  []byte // of a whole chunk
}

// Open opens a snapshot. All of it is checked first, and again as it is read: a
// damaged one is a Corruption.
func (s *Snapshots) Open(id string) (*raft.SnapshotMeta, io.ReadCloser, error) {
	n, ok := parseName(id)
	if !ok {
		return nil, nil, fmt.Errorf("store: open snapshot %q in %s: this is not the ID of a snapshot", id, s.dir)
	}
	r, err := s.reader(n)
	if err != nil {
		return nil, nil, err
	}
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{r}); err != nil {
		r.Close()
		return nil, nil, err
	}
	r.rewind()
	meta := r.meta
	return &meta, r, nil
}

// reader opens a snapshot and reads its head and tail.
func (s *Snapshots) reader(n name) (*reader, error) {
	r := &reader{name: s.file(n)}
	var err error
	if r.file, err = s.disk.Open(r.name, false); err != nil {
		return nil, fmt.Errorf("store: open %s: %w", r.name, err)
	}
	if err = r.describe(n.String()); err != nil {
		r.file.Close()
		return nil, err
	}
	r.rewind()
	return r, nil
}

func (r *reader) describe(id string) error {
	size, err := r.file.Size()
	if err != nil {
		return fmt.Errorf("store: size of %s: %w", r.name, err)
	}
	if err := r.readHead(id, size); err != nil {
		return err
	}
	tail := make([]byte, tailSize)
	if size-r.body < tailSize {
		return r.corrupt(size, "the tail is cut off")
	}
	if err := readAt(r.file, r.name, tail, size-tailSize); err != nil {
		return err
	}
	le := binary.LittleEndian
	if tailSum(r.head, tail) != le.Uint32(tail[12:]) {
		return r.corrupt(size-tailSize, "the checksum of the tail does not match")
	}
	r.meta.Size, r.last = int64(le.Uint64(tail)), le.Uint32(tail[8:])
	texts := size - r.body - tailSize
	if chunks := (r.meta.Size + chunkMax - 1) / chunkMax; r.meta.Size < 0 || r.meta.Size > texts || r.meta.Size+chunks*chunkHead != texts {
		return r.corrupt(size-tailSize, fmt.Sprintf("the file does not have the length that %d bytes take", r.meta.Size))
	}
	return nil
}

func (r *reader) readHead(id string, size int64) error {
	head := make([]byte, headSize)
	if size < int64(headSize) {
		return r.corrupt(size, "the head is cut off")
	}
	if err := readAt(r.file, r.name, head, 0); err != nil {
		return err
	}
	le := binary.LittleEndian
	length := head[len(snapshotMagic):][:4]
	n := int64(le.Uint32(length))
	r.head, r.body = le.Uint32(head[headSize-4:]), int64(headSize)+n
	if string(head[:len(snapshotMagic)]) != snapshotMagic || n > maxMeta || r.body > size {
		return r.corrupt(0, "this is not the head of a snapshot")
	}
	text := make([]byte, n)
	if err := readAt(r.file, r.name, text, int64(headSize)); err != nil {
		return err
	}
	if crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, text) != r.head {
		return r.corrupt(0, "the checksum of the head does not match")
	}
	var ok bool
	if r.meta, ok = decodeMeta(text); !ok {
		return r.corrupt(int64(headSize), "the description is cut off")
	}
	if r.meta.ID != id {
		return r.corrupt(int64(headSize), fmt.Sprintf("this is snapshot %q", r.meta.ID))
	}
	return nil
}

func (r *reader) corrupt(off int64, cause string) error { return &Corruption{r.name, off, cause} }

func (r *reader) rewind() {
	r.off, r.left, r.sum, r.chunk = r.body, r.meta.Size, r.head, nil
}

// Read reads what was written.
func (r *reader) Read(p []byte) (int, error) {
	if len(r.chunk) == 0 && len(p) > 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.chunk)
	r.chunk = r.chunk[n:]
	return n, nil
}

// next reads and checks a chunk.
func (r *reader) next() error {
	size := min(r.left, chunkMax)
	if r.text == nil {
		r.text = make([]byte, chunkHead+size)
	}
	text := r.text[:chunkHead+size]
	if err := readAt(r.file, r.name, text, r.off); err != nil {
		return err
	}
	le := binary.LittleEndian
	sum := chunkSum(r.sum, text[:4], text[chunkHead:])
	if int64(le.Uint32(text)) != size || le.Uint32(text[4:]) != sum {
		return r.corrupt(r.off, "the checksum of a chunk does not match")
	}
	if r.left == size && sum != r.last {
		return r.corrupt(r.off, "the tail belongs to other chunks")
	}
	r.off, r.left, r.sum, r.chunk = r.off+int64(len(text)), r.left-size, sum, text[chunkHead:]
	return nil
}

// Close closes the file.
func (r *reader) Close() error { return r.file.Close() }
