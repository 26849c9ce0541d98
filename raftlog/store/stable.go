package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/elares/ironcache/sim/env"
)

// Stable is a raft.StableStore: a few values, held in memory, in a file that is
// replaced as a whole with each change. That costs two syncs, and in return the
// file is never legitimately torn: damage to a vote is never taken for a write
// that a crash cut short.
type Stable struct {
	disk env.Disk
	name string

	mu     sync.Mutex
	values map[string][]byte
	broken error // what every change fails with, once it is unknown what is durable
}

// maxStable is the most bytes that the file has.
const maxStable = 1 << 20

// ErrTooLarge says that a value does not fit into the stable store.
var ErrTooLarge = errors.New("the stable store is for a few small values")

func openStable(disk env.Disk, name string) (*Stable, error) {
	text, err := readAll(disk, name, maxStable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Corruption{name, 0, "the file is missing"}
	}
	if err != nil {
		return nil, err
	}
	values, off, cause := decodeStable(text)
	if cause != "" {
		return nil, &Corruption{name, int64(off), cause}
	}
	return &Stable{disk: disk, name: name, values: values}, nil
}

// Set sets a value. It is durable after success; after a failure and a crash
// there is the value of before or this one.
func (s *Stable) Set(key, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	values := maps.Clone(s.values)
	values[string(key)] = bytes.Clone(value)
	text := encodeStable(values)
	if len(text) > maxStable {
		return fmt.Errorf("store: set %q to %d bytes in %s: %w", key, len(value), s.name, ErrTooLarge)
	}
	if err := replace(s.disk, s.name, text); err != nil {
		if unknown(err) {
			s.broken = err
		}
		return err
	}
	s.values = values
	return nil
}

// Get gives a value, nil if there is none.
func (s *Stable) Get(key []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.values[string(key)]), nil
}

// SetUint64 sets a number, as Set does.
func (s *Stable) SetUint64(key []byte, value uint64) error {
	return s.Set(key, binary.LittleEndian.AppendUint64(nil, value))
}

// Broken tells what every change fails with since it is unknown what is durable, nil
// while that is known.
func (s *Stable) Broken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// GetUint64 gives a number, 0 if there is none.
func (s *Stable) GetUint64(key []byte) (uint64, error) {
	value, err := s.Get(key)
	if err != nil || value == nil {
		return 0, err
	}
	if len(value) != 8 {
		return 0, fmt.Errorf("store: the value of %q in %s is no number", key, s.name)
	}
	return binary.LittleEndian.Uint64(value), nil
}

// The file: a magic text, then for each value, sorted by key, the two lengths
// as u32, key and value, and at the end the CRC32C of all that.
const stableMagic = "IronCache set\x00\x00\x01"

func encodeStable(values map[string][]byte) []byte {
	text := []byte(stableMagic)
	le := binary.LittleEndian
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value := values[key]
		text = le.AppendUint32(text, uint32(len(key)))
		text = le.AppendUint32(text, uint32(len(value)))
		text = append(append(text, key...), value...)
	}
	return le.AppendUint32(text, crc32.Checksum(text, castagnoli))
}

// decodeStable reads the values, or gives the place and cause of what is wrong.
func decodeStable(text []byte) (values map[string][]byte, off int, cause string) {
	le := binary.LittleEndian
	end := len(text) - 4
	if end < len(stableMagic) || string(text[:len(stableMagic)]) != stableMagic {
		return nil, 0, "this is not the file of the stable values"
	}
	if crc32.Checksum(text[:end], castagnoli) != le.Uint32(text[end:]) {
		return nil, end, "the checksum does not match"
	}
	values = map[string][]byte{}
	for off = len(stableMagic); off < end; {
		if end-off < 8 {
			return nil, off, "the lengths of a value are cut off"
		}
		key, value := int64(le.Uint32(text[off:])), int64(le.Uint32(text[off+4:]))
		if int64(end-off-8) < key+value {
			return nil, off, "a value is cut off"
		}
		off += 8
		values[string(text[off:][:key])] = bytes.Clone(text[off+int(key):][:value])
		off += int(key + value)
	}
	return values, off, ""
}
