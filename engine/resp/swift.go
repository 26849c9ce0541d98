package resp

import "encoding/binary"

// Heads of one and two digits, as four bytes in little-endian order with '0'
// for each digit: the XOR with a head leaves only the values of the digits.
const (
	count1  = '*' | '0'<<8 | '\r'<<16 | '\n'<<24
	length1 = '$' | '0'<<8 | '\r'<<16 | '\n'<<24
	length2 = '$' | '0'<<8 | '0'<<16 | '\r'<<24
)

// swift cuts complete requests that are written the way every client library
// writes them, and stops at the first that is not, or not yet. It only ever
// does what step would do, faster: it needs no state because it leaves none.
func swift(buf []byte, batch *Batch, limits *Limits, most int) {
	spans, requests, pos := batch.Spans, batch.Requests, batch.Pos
	var last opening
	for len(requests) < most {
		first := len(spans)
		like := last.begins(buf, pos)
		argc, at, left := last.argc, pos+last.size, last.argc-1
		if like {
			spans = append(spans, Span{uint32(pos) + last.name.Off, last.name.Len})
		} else {
			argc, at = swiftCount(buf, pos)
			if left = argc; argc <= 0 || argc > limits.Args {
				break
			}
		}
		if spans, at = swiftArgs(buf, at, left, limits.Bulk, spans); at < 0 {
			spans = spans[:first]
			break
		}
		if !like && at+16 <= len(buf) {
			last.learn(buf, pos, argc, spans[first])
		}
		pos = at
		requests = append(requests, Request{uint32(first), uint32(argc), uint32(at), like})
	}
	batch.Spans, batch.Requests, batch.Pos = spans, requests, pos
}

// opening is how a request begins: its count and its first argument, which in a
// pipeline are often those of the next one too. The zero value is none.
type opening struct {
	low, high uint64 // the first 16 bytes, in little-endian order
	mask      uint64 // of high: what belongs to the opening
	size      int    // bytes; 0 for none
	argc      int
	name      Span // the first argument; Off counts from the request's start
}

// begins tells whether a request with this opening stands at an offset.
func (o *opening) begins(buf []byte, at int) bool {
	return at+16 <= len(buf) && o.size > 0 &&
		binary.LittleEndian.Uint64(buf[at:]) == o.low &&
		(binary.LittleEndian.Uint64(buf[at+8:])^o.high)&o.mask == 0
}

// learn takes over the opening of the request at an offset.
func (o *opening) learn(buf []byte, at, argc int, name Span) {
	o.size = 0
	size := int(name.Off+name.Len) + 2 - at
	if size < 8 || size > 16 {
		return
	}
	*o = opening{
		low: binary.LittleEndian.Uint64(buf[at:]), high: binary.LittleEndian.Uint64(buf[at+8:]),
		mask: 1<<(8*(size-8)) - 1, size: size, argc: argc, name: Span{name.Off - uint32(at), name.Len},
	}
}

// swiftArgs reads argc arguments at an offset and gives the offset behind
// them, below 0 when they are not all there or need a closer look.
func swiftArgs(buf []byte, at, argc, most int, spans []Span) ([]Span, int) {
	for range argc {
		if at+5 > len(buf) {
			return spans, -1
		}
		var size int
		w := binary.LittleEndian.Uint32(buf[at:])
		x, y := w^length1, w^length2
		tens, ones := y>>8&0xff, y>>16
		switch {
		case x&0xff == 0 && x < 10<<8:
			size, at = int(x>>8), at+4
		case y&0xff == 0 && tens-1 < 9 && ones < 10 && buf[at+4] == '\n':
			size, at = int(tens*10+ones), at+5
		default:
			size, at = swiftHead(buf, at, '$')
		}
		if uint(size) > uint(most) || size > len(buf)-at-2 {
			return spans, -1
		}
		spans = append(spans, Span{uint32(at), uint32(size)})
		at += size + 2
	}
	return spans, at
}

// swiftCount reads "*n\r\n" at an offset and gives n and the offset behind it; n
// is below 0 when it is not there or needs a closer look.
func swiftCount(buf []byte, at int) (n, next int) {
	if at+4 > len(buf) {
		return -1, at
	}
	if x := binary.LittleEndian.Uint32(buf[at:]) ^ count1; x&0xff == 0 && x < 10<<8 {
		return int(x >> 8), at + 4
	}
	return swiftHead(buf, at, '*')
}

// swiftHead reads a head of one to nine digits.
func swiftHead(buf []byte, at int, kind byte) (n, next int) {
	if buf[at] != kind || buf[at+1] == '0' {
		return -1, at
	}
	for i, c := range buf[at+1 : min(at+11, len(buf))] {
		if c-'0' < 10 {
			n = n*10 + int(c-'0')
			continue
		}
		end := at + 1 + i
		if i == 0 || i > 9 || c != '\r' || end+1 >= len(buf) || buf[end+1] != '\n' {
			break
		}
		return n, end + 2
	}
	return -1, at
}
