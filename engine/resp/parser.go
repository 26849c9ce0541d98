package resp

// Parser cuts a stream into requests. It owns no bytes: it remembers only how
// far it came within a request whose end has not arrived yet, as offsets from
// the start of that request, so that each byte is looked at once however the
// stream is split. The zero value is ready.
type Parser struct {
	partial []Span // complete arguments of the unfinished request, from its start
}

// Parse appends to batch every complete request in buf[batch.Pos:] and moves
// batch.Pos behind the last one. Bytes after Pos must be handed in again, with
// what follows them. An inline request with quotes is unescaped in buf.
//
// When the stream is broken it returns the error; the requests before the
// fault are in the batch, and the parser must not be used again before Reset.
// len(buf) must stay below 4 GB.
func (p *Parser) Parse(buf []byte, batch *Batch, limits *Limits) *ProtocolError {
	panic("unfinished")
}

// Reset forgets an unfinished request.
func (p *Parser) Reset() { *p = Parser{} }

// Idle tells that no unfinished request is remembered.
func (p *Parser) Idle() bool { return true }
