package wasm

import (
	"encoding/binary"
	"errors"
	"slices"
)

// What the binary format calls them
// (https://webassembly.github.io/spec/core/binary/modules.html).
const (
	headerSize   = 8
	dataSection  = 11
	countSection = 12 // how many segments of data there are

	opConst = 0x41 // i32.const
	opEnd   = 0x0b
)

// mostGap is how many zeros between two segments of data are written out.
const mostGap = 256

var errData = errors.New("wasm: the data of the module is not as the Go linker writes it")

// joined gives a module whose memory begins as that of another, with few segments of
// data in the place of many: the Go linker writes a hundred thousand, and each costs
// something at the start of every instance.
func joined(module []byte) ([]byte, error) {
	if len(module) < headerSize {
		return nil, errData
	}
	out := append([]byte(nil), module[:headerSize]...)
	r := &binaryReader{text: module[headerSize:]}
	for len(r.text) > 0 && !r.bad {
		id, body := r.byte(), r.vector()
		switch id {
		case countSection: // what uses it needs the segments as they are
			return module, nil
		case dataSection:
			segments := readSegments(body)
			if segments == nil {
				return nil, errData
			}
			body = writeSegments(segments)
		}
		out = appendVector(append(out, id), body)
	}
	if r.bad {
		return nil, errData
	}
	return out, nil
}

// segment is what a part of memory begins with.
type segment struct {
	at   int64
	text []byte
}

// readSegments reads a section of data, nil if there is something else in it than
// bytes for places in memory. Neighbours come as one segment.
func readSegments(section []byte) []segment {
	r := &binaryReader{text: section}
	list := []segment{}
	for range r.number() {
		if r.byte() != 0 || r.byte() != opConst {
			return nil
		}
		s := segment{at: r.signed()}
		if r.byte() != opEnd {
			return nil
		}
		s.text = r.vector()
		if r.bad {
			return nil
		}
		list = join(list, s)
	}
	return list
}

// join adds a segment to a list, or to the last one of it: if it is close behind it,
// and none of the others has something to say about what is between the two.
func join(list []segment, s segment) []segment {
	n := len(list)
	if n == 0 {
		return append(list, s.clone())
	}
	last := &list[n-1]
	gap := s.at - last.end()
	if gap < 0 || gap > mostGap || touches(list[:n-1], last.end(), s.at) {
		return append(list, s.clone())
	}
	last.text = append(append(last.text, make([]byte, gap)...), s.text...)
	return list
}

// touches tells whether segments say something about what is from a place to another.
func touches(list []segment, from, to int64) bool {
	for i := range list {
		if list[i].at < to && from < list[i].end() {
			return true
		}
	}
	return false
}

func (s segment) clone() segment { return segment{s.at, slices.Clone(s.text)} }

func (s *segment) end() int64 { return s.at + int64(len(s.text)) }

func writeSegments(list []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(list)))
	for _, s := range list {
		out = appendSigned(append(out, 0, opConst), s.at)
		out = appendVector(append(out, opEnd), s.text)
	}
	return out
}

func appendVector(out, text []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// appendSigned is LEB128 of a number with a sign, which is not that of
// encoding/binary.
func appendSigned(out []byte, n int64) []byte {
	for n < -64 || n > 63 {
		out = append(out, byte(n)|0x80)
		n >>= 7
	}
	return append(out, byte(n)&0x7f)
}

// binaryReader reads the binary format. What is not there makes it bad, and reads
// as nothing.
type binaryReader struct {
	text []byte
	bad  bool
}

func (r *binaryReader) byte() byte {
	if len(r.text) == 0 {
		r.bad = true
		return 0
	}
	b := r.text[0]
	r.text = r.text[1:]
	return b
}

func (r *binaryReader) number() uint64 {
	n, size := binary.Uvarint(r.text)
	if size <= 0 {
		r.bad = true
		return 0
	}
	r.text = r.text[size:]
	return n
}

func (r *binaryReader) signed() (n int64) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 && shift < 57 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.bad = true
	return 0
}

// vector is a number of bytes, and those.
func (r *binaryReader) vector() []byte {
	size := r.number()
	if r.bad || size > uint64(len(r.text)) {
		r.bad = true
		return nil
	}
	v := r.text[:size:size]
	r.text = r.text[size:]
	return v
}
