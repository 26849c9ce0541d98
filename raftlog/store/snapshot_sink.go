package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/sim/env"
)

// sink writes a snapshot. One goroutine at a time may use it.
type sink struct {
	store *Snapshots
	name  name
	temp  string
	file  env.File // nil once it is closed or cancelled
	err   error    // what every later Write and Close fails with

	off   int64  // where the next chunk goes
	size  uint64 // of all texts
	chunk []byte // head and text of the next chunk
	head  uint32 // sum of the head
	sum   uint32 // of the last chunk, or of the head
}

func (s *Snapshots) sink(n name, meta []byte) (raft.SnapshotSink, error) {
	if len(meta) > maxMeta {
		return nil, fmt.Errorf("store: create snapshot %v in %s: the configuration has %d bytes, the most is %d", n, s.dir, len(meta), maxMeta)
	}
	k := &sink{store: s, name: n, temp: s.file(n) + tempSuffix}
	var err error
	if k.file, err = s.disk.Open(k.temp, true); err != nil {
		return nil, fmt.Errorf("store: create %s: %w", k.temp, err)
	}
	le := binary.LittleEndian
	size := le.AppendUint32(nil, uint32(len(meta)))
	k.head = crc32.Update(crc32.Checksum(size, castagnoli), castagnoli, meta)
	k.sum = k.head
	text := append([]byte(snapshotMagic), size...)
	text = append(le.AppendUint32(text, k.head), meta...)
	if k.err = k.file.Truncate(0); k.err == nil {
		k.put(text)
	}
	if k.err != nil {
		return nil, errors.Join(k.err, k.Cancel())
	}
	k.chunk = make([]byte, chunkHead, chunkHead+chunkMax)
	return k, nil
}

// ID is what the snapshot can be opened by once it is closed.
func (k *sink) ID() string { return k.name.String() }

// Write adds to the snapshot.
func (k *sink) Write(p []byte) (n int, err error) {
	if k.file == nil && k.err == nil {
		return 0, fmt.Errorf("store: write %s: the snapshot is closed", k.temp)
	}
	for n < len(p) && k.err == nil {
		room := min(len(p)-n, cap(k.chunk)-len(k.chunk))
		k.chunk = append(k.chunk, p[n:n+room]...)
		if n += room; len(k.chunk) == cap(k.chunk) {
			k.flush()
		}
	}
	if k.err != nil {
		return 0, k.err
	}
	return n, nil
}

// flush writes the chunk, if there is anything in it.
func (k *sink) flush() {
	text := k.chunk[chunkHead:]
	if len(text) == 0 || k.err != nil {
		return
	}
	binary.LittleEndian.PutUint32(k.chunk, uint32(len(text)))
	k.sum = chunkSum(k.sum, k.chunk[:4], text)
	binary.LittleEndian.PutUint32(k.chunk[4:], k.sum)
	k.size += uint64(len(text))
	k.put(k.chunk)
	k.chunk = k.chunk[:chunkHead]
}

func chunkSum(before uint32, size, text []byte) uint32 {
	sum := crc32.Checksum(binary.LittleEndian.AppendUint32(nil, before), castagnoli)
	return crc32.Update(crc32.Update(sum, castagnoli, size), castagnoli, text)
}

func (k *sink) put(text []byte) {
	if _, err := k.file.WriteAt(text, k.off); err != nil {
		k.err = fmt.Errorf("store: write %s at byte %d: %w", k.temp, k.off, err)
	}
	k.off += int64(len(text))
}

// Close makes the snapshot durable and lists it. After a failure it is not
// listed, though a crash may bring it back, whole.
func (k *sink) Close() error {
	if k.file == nil {
		return k.err
	}
	if k.flush(); k.err == nil {
		k.put(tailOf(k.head, k.size, k.sum))
	}
	if k.err == nil {
		k.err = syncFile(k.file, k.temp)
	}
	if k.err != nil {
		return errors.Join(k.err, k.Cancel())
	}
	k.err = k.file.Close()
	k.file = nil
	if k.err == nil {
		k.err = k.store.add(k.name, k.temp)
	}
	if k.err != nil {
		k.store.disk.Remove(k.temp) // Open does it otherwise
	}
	return k.err
}

func tailOf(head uint32, size uint64, sum uint32) []byte {
	le := binary.LittleEndian
	tail := le.AppendUint64(nil, size)
	tail = le.AppendUint32(tail, sum)
	return le.AppendUint32(tail, tailSum(head, tail))
}

func tailSum(head uint32, tail []byte) uint32 {
	return crc32.Update(crc32.Checksum(binary.LittleEndian.AppendUint32(nil, head), castagnoli), castagnoli, tail[:12])
}

// Cancel removes what was written. After Close it does nothing.
func (k *sink) Cancel() error {
	if k.file == nil {
		return nil
	}
	err := k.file.Close()
	k.file = nil
	if k.err == nil {
		k.err = fmt.Errorf("store: %s was cancelled", k.temp)
	}
	if err = errors.Join(err, k.store.disk.Remove(k.temp)); err != nil {
		return fmt.Errorf("store: cancel %s: %w", k.temp, err)
	}
	return nil
}
