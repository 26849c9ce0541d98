package resp

import (
	"bytes"
	"math"

	"github.com/elares/ironcache/sim/invariant"
)

// Parser cuts a stream into requests. It owns no bytes: it remembers only how
// far it came within a request whose end has not arrived yet, as offsets from
// the start of that request, so that each byte is looked at once however the
// stream is split. The zero value is ready.
type Parser struct {
	partial []Span // arguments of the unfinished request that are complete
	at      int    // where the line or argument to be read starts
	seen    int    // bytes of that line that hold no line end
	bulk    int    // length of the argument at at, if inBulk
	left    int32  // arguments still missing; 0 before the count is known
	inBulk  bool
}

// keptSpans is how many spans of an unfinished request a parser keeps room
// for; a connection that once sent a huge request gives the rest back.
const keptSpans = 64

// Parse appends to batch every complete request in buf[batch.Pos:] and moves
// batch.Pos behind the last one. Bytes after Pos must be handed in again, with
// what follows them. An inline request with quotes is unescaped in buf.
//
// When the stream is broken it returns the error; the requests before the
// fault are in the batch, and the parser must not be used again before Reset.
// len(buf) must stay below 4 GB.
func (p *Parser) Parse(buf []byte, batch *Batch, limits *Limits) *ProtocolError {
	invariant.Check(len(buf) < math.MaxUint32, "resp: a buffer is smaller than 4 GB")
	batch.Need = 0
	most := math.MaxInt
	if limits.Requests > 0 {
		most = len(batch.Requests) + limits.Requests
	}
	for {
		if p.Idle() {
			swift(buf, batch, limits, most)
		}
		if len(batch.Requests) == most || batch.Pos == len(buf) {
			return nil
		}
		if done, err := p.step(buf, batch, limits); !done || err != nil {
			return err
		}
	}
}

// Reset forgets an unfinished request.
func (p *Parser) Reset() { *p = Parser{} }

// Idle tells that no unfinished request is remembered.
func (p *Parser) Idle() bool { return p.at == 0 && p.seen == 0 }

// step goes on with the request at batch.Pos, byte for byte as Redis reads it,
// and tells whether it came to its end.
func (p *Parser) step(buf []byte, batch *Batch, limits *Limits) (done bool, err *ProtocolError) {
	if p.left == 0 {
		if buf[batch.Pos] != '*' {
			return p.inline(buf, batch)
		}
		if done, err = p.count(buf[batch.Pos:], limits); !done {
			return false, err
		}
	}
	for p.left > 0 {
		if done, err = p.argument(buf[batch.Pos:], batch, limits); !done {
			return false, err
		}
	}
	p.deliver(batch)
	return true, nil
}

// count reads "*n". A count below 1 is a request of nothing.
func (p *Parser) count(b []byte, limits *Limits) (bool, *ProtocolError) {
	line, ok, err := p.line(b, errCountLine)
	if !ok {
		return false, err
	}
	n, ok := ParseInt(line[1:])
	switch {
	case !ok || n > math.MaxInt32 || !limits.Guest && n > int64(limits.Args):
		return false, errCount
	case n > int64(limits.Args):
		return false, errGuestCount
	}
	p.left = int32(max(n, 0))
	return true, nil
}

// argument reads "$n" and n bytes. As in Redis, the two bytes behind them are
// not looked at.
func (p *Parser) argument(b []byte, batch *Batch, limits *Limits) (bool, *ProtocolError) {
	if !p.inBulk {
		if done, err := p.length(b, limits); !done {
			return false, err
		}
	}
	end := p.at + p.bulk
	if missing := end + 2 - len(b); missing > 0 {
		batch.Need = missing
		return false, nil
	}
	p.partial = append(p.partial, Span{uint32(p.at), uint32(p.bulk)})
	p.at, p.inBulk = end+2, false
	p.left--
	return true, nil
}

// length reads "$n".
func (p *Parser) length(b []byte, limits *Limits) (bool, *ProtocolError) {
	start := p.at
	line, ok, err := p.line(b, errLengthLine)
	if !ok {
		return false, err
	}
	if b[start] != '$' {
		return false, &ProtocolError{"expected '$', got '" + string(b[start:start+1]) + "'"}
	}
	n, ok := ParseInt(line[1:])
	switch {
	case !ok || n < 0 || !limits.Guest && n > int64(limits.Bulk) || n > math.MaxUint32:
		return false, errLength
	case n > int64(limits.Bulk):
		return false, errGuestLength
	}
	p.bulk, p.inBulk = int(n), true
	return true, nil
}

// line takes the line at at, without its end: a '\r' and, as in Redis, whatever
// byte follows it.
func (p *Parser) line(b []byte, tooBig *ProtocolError) ([]byte, bool, *ProtocolError) {
	if !p.find(b, '\r') {
		if p.seen > MaxInline {
			return nil, false, tooBig
		}
		return nil, false, nil
	}
	start, end := p.at, p.at+p.seen
	if end+2 > len(b) {
		return nil, false, nil
	}
	p.at, p.seen = end+2, 0
	return b[start:end], true, nil
}

// find moves seen up to the next c, or over all that can belong to the line.
func (p *Parser) find(b []byte, c byte) bool {
	until := min(len(b), p.at+MaxInline+1)
	i := bytes.IndexByte(b[p.at+p.seen:until], c)
	if i < 0 {
		p.seen = until - p.at
		return false
	}
	p.seen += i
	return true
}

// deliver hands over the finished request, unless it is empty.
func (p *Parser) deliver(batch *Batch) {
	first := len(batch.Spans)
	for _, s := range p.partial {
		batch.Spans = append(batch.Spans, Span{s.Off + uint32(batch.Pos), s.Len})
	}
	batch.Pos += p.at
	batch.close(first)
	p.partial = p.partial[:0]
	if cap(p.partial) > keptSpans {
		p.partial = nil
	}
	p.at, p.seen = 0, 0
}

// close makes the spans from first on a request that ends at Pos.
func (b *Batch) close(first int) {
	if argc := len(b.Spans) - first; argc > 0 {
		b.Requests = append(b.Requests, Request{uint32(first), uint32(argc), uint32(b.Pos), false})
	}
}

var (
	errCount       = &ProtocolError{"invalid multibulk length"}
	errCountLine   = &ProtocolError{"too big mbulk count string"}
	errGuestCount  = &ProtocolError{"unauthenticated multibulk length"}
	errGuestLength = &ProtocolError{"unauthenticated bulk length"}
	errInline      = &ProtocolError{"too big inline request"}
	errLength      = &ProtocolError{"invalid bulk length"}
	errLengthLine  = &ProtocolError{"too big bulk count string"}
	errQuotes      = &ProtocolError{"unbalanced quotes in request"}
)
