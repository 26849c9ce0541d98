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
	for len(requests) < most {
		argc, at := swiftCount(buf, pos)
		if argc <= 0 || argc > limits.Args {
			break
		}
		first := len(spans)
		if spans, at = swiftArgs(buf, at, argc, limits.Bulk, spans); at < 0 {
			spans = spans[:first]
			break
		}
		pos = at
		requests = append(requests, Request{uint32(first), uint32(argc), uint32(at)})
	}
	batch.Spans, batch.Requests, batch.Pos = spans, requests, pos
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
