package store

import (
	"encoding/binary"
	"hash/crc32"
	"time"

	"github.com/hashicorp/raft"
)

// A segment is a row of frames: a header, a body, zeros up to a multiple of 8.
//
//	 0 u32  sum         CRC32C of segment, offset and the header from byte 4 on
//	 4 u32  body        CRC32C of the body with its zeros
//	 8 u32  prev        sum of the frame before: a frame fits behind one alone
//	12 u32  size        of the body, in bytes
//	16 u32  extensions  how many bytes of the body's end are extensions
//	20 u8   kind
//	21 u8   type        of an entry
//	22 u16  0
//	24 u64  index       of an entry; span: the first index of the log
//	32 u64  term        of an entry; span: the index after the last
//	40 u64  synced      up to which offset the segment was durable when this was
//	                    written; begin: up to which the segment before is valid
//	48 i64  seconds     when an entry was appended, since 1970
//	56 u32  nanoseconds
//	60 u32  0
//
// Numbers are little-endian.
type frame struct {
	sum, body, prev  uint32
	size, extensions uint32
	kind             kind
	logType          uint8
	index, term      uint64
	synced           int64
	seconds          int64
	nanoseconds      uint32
}

type kind uint8

const (
	// kindBegin is the first frame of a segment: a span with the magic text.
	kindBegin kind = iota + 1
	// kindEntry is an entry; its index is the next one.
	kindEntry
	// kindSpan says which entries are the log from here on.
	kindSpan
)

const (
	headerSize = 64
	alignment  = 8
	magic      = "IronCache log\x00\x00\x01"
	beginSize  = headerSize + len(magic)
)

// MaxEntry is the most bytes that data and extensions of an entry have.
const MaxEntry = 64 << 20

// place is where a frame stands.
type place struct {
	segment uint64
	off     int64
}

// padded is the length of a body with its zeros.
func padded(size uint32) int { return (int(size) + alignment - 1) &^ (alignment - 1) }

// length is how many bytes the frame takes.
func (f *frame) length() int { return headerSize + padded(f.size) }

// append writes the frame behind b, sets its sums, and gives the whole.
func (f *frame) append(b []byte, at place, parts ...[]byte) []byte {
	start := len(b)
	b = append(b, make([]byte, headerSize)...)
	for _, part := range parts {
		b = append(b, part...)
	}
	f.size = uint32(len(b) - start - headerSize)
	b = append(b, make([]byte, padded(f.size)-int(f.size))...)
	f.body = crc32.Checksum(b[start+headerSize:], castagnoli)
	h := b[start:][:headerSize]
	le := binary.LittleEndian
	le.PutUint32(h[4:], f.body)
	le.PutUint32(h[8:], f.prev)
	le.PutUint32(h[12:], f.size)
	le.PutUint32(h[16:], f.extensions)
	h[20], h[21] = byte(f.kind), f.logType
	le.PutUint64(h[24:], f.index)
	le.PutUint64(h[32:], f.term)
	le.PutUint64(h[40:], uint64(f.synced))
	le.PutUint64(h[48:], uint64(f.seconds))
	le.PutUint32(h[56:], f.nanoseconds)
	f.sum = headerSum(h, at)
	le.PutUint32(h, f.sum)
	return b
}

func headerSum(h []byte, at place) uint32 {
	var where [16]byte
	binary.LittleEndian.PutUint64(where[:], at.segment)
	binary.LittleEndian.PutUint64(where[8:], uint64(at.off))
	return crc32.Update(crc32.Checksum(where[:], castagnoli), castagnoli, h[4:headerSize])
}

// parse reads a header. A cause says why it is none.
func (f *frame) parse(h []byte, at place) (cause string) {
	le := binary.LittleEndian
	*f = frame{
		sum: le.Uint32(h), body: le.Uint32(h[4:]), prev: le.Uint32(h[8:]),
		size: le.Uint32(h[12:]), extensions: le.Uint32(h[16:]),
		kind: kind(h[20]), logType: h[21],
		index: le.Uint64(h[24:]), term: le.Uint64(h[32:]), synced: int64(le.Uint64(h[40:])),
		seconds: int64(le.Uint64(h[48:])), nanoseconds: le.Uint32(h[56:]),
	}
	switch {
	case f.kind < kindBegin || f.kind > kindSpan: // first, since it costs nothing
		return "a frame of unknown kind"
	case f.sum != headerSum(h, at):
		return "the checksum of a header does not match"
	case f.size > MaxEntry || f.extensions > f.size || f.synced < 0:
		return "a length that is not possible"
	}
	return ""
}

// intact tells whether a body with its zeros is the frame's.
func (f *frame) intact(body []byte) bool { return crc32.Checksum(body, castagnoli) == f.body }

// frameOf makes the frame of an entry, without its place in the log.
func frameOf(log *raft.Log) frame {
	return frame{
		kind: kindEntry, logType: uint8(log.Type), index: log.Index, term: log.Term,
		extensions: uint32(len(log.Extensions)),
		seconds:    log.AppendedAt.Unix(), nanoseconds: uint32(log.AppendedAt.Nanosecond()),
	}
}

// entry makes the entry of a frame with its body, which the entry keeps.
func (f *frame) entry(body []byte) raft.Log {
	data := f.size - f.extensions
	return raft.Log{
		Index: f.index, Term: f.term, Type: raft.LogType(f.logType),
		Data: part(body[:data:data]), Extensions: part(body[data:f.size:f.size]),
		AppendedAt: time.Unix(f.seconds, int64(f.nanoseconds)).UTC(),
	}
}

// part is nil where there is nothing.
func part(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}
