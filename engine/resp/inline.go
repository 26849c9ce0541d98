package resp

// inline reads a request that is a line of words, as typed into telnet. A '\n'
// ends it, with one '\r' before it or none.
func (p *Parser) inline(buf []byte, batch *Batch) (done bool, err *ProtocolError) {
	b := buf[batch.Pos:]
	if !p.find(b, '\n') {
		if p.seen > MaxInline {
			return false, errInline
		}
		return false, nil
	}
	end := p.seen
	next := batch.Pos + end + 1
	if end > 0 && b[end-1] == '\r' {
		end--
	}
	first := len(batch.Spans)
	if !batch.split(buf, batch.Pos, batch.Pos+end) {
		batch.Spans = batch.Spans[:first]
		return false, errQuotes
	}
	batch.Pos = next
	batch.close(first)
	p.seen = 0
	return true, nil
}

// split cuts buf[at:end] into words as Redis's sdssplitargs does and tells
// whether its quotes are balanced. A word with quotes is unescaped where it
// stands: that never makes it longer.
func (b *Batch) split(buf []byte, at, end int) bool {
	for {
		for at < end && isSpace(buf[at]) {
			at++
		}
		if at == end {
			return true
		}
		start := at
		size, next, ok := word(buf[:end], start)
		if !ok {
			return false
		}
		b.Spans = append(b.Spans, Span{uint32(start), uint32(size)})
		at = next
	}
}

// word unescapes the word at start in place, and gives its size and where it
// ends. A quote may open anywhere in it, but only its end may follow a closing
// one.
func word(b []byte, start int) (size, next int, ok bool) {
	out := start
	for at := start; at < len(b); at++ {
		switch c := b[at]; c {
		case ' ', '\n', '\r', '\t':
			return out - start, at, true
		case '"', '\'':
			out, at, ok = quoted(b, out, at+1, c)
			return out - start, at, ok && (at == len(b) || isSpace(b[at]))
		default:
			b[out] = c
			out++
		}
	}
	return out - start, len(b), true
}

// quoted unescapes what stands between quotes, from at on, to out; at ends up
// behind the closing quote.
func quoted(b []byte, out, at int, quote byte) (int, int, bool) {
	for at < len(b) {
		if b[at] == quote {
			return out, at + 1, true
		}
		c, size := unescape(b[at:], quote)
		b[out] = c
		out, at = out+1, at+size
	}
	return out, at, false
}

// unescape reads one byte between quotes, and tells how long its spelling is.
// In single quotes only the quote itself can be escaped.
func unescape(b []byte, quote byte) (c byte, size int) {
	switch {
	case b[0] != '\\' || len(b) == 1:
		return b[0], 1
	case quote == '\'' && b[1] == '\'':
		return '\'', 2
	case quote == '\'':
		return '\\', 1
	case b[1] == 'x' && len(b) >= 4 && isHex(b[2]) && isHex(b[3]):
		return hexValue(b[2])<<4 | hexValue(b[3]), 4
	}
	return escapes(b[1]), 2
}

// escapes is what a letter behind a backslash means.
func escapes(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	case 'a':
		return '\a'
	}
	return c
}

// isSpace is C's isspace in the C locale.
func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

func isDigit(c byte) bool { return c-'0' < 10 }

func isHex(c byte) bool { return isDigit(c) || (c|0x20)-'a' < 6 }

// hexValue is the value of a hexadecimal digit.
func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return (c | 0x20) - 'a' + 10
}
