package differ

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
)

// sentinel is asked for after the bytes of a raw block: its echo marks the end
// of the reply, whatever came before it.
const sentinel = "end-of-raw-block"

var (
	sentinelRequest = fmt.Sprintf("*2\r\n$4\r\nECHO\r\n$%d\r\n%s\r\n", len(sentinel), sentinel)
	sentinelReply   = fmt.Appendf(nil, "$%d\r\n%s\r\n", len(sentinel), sentinel)
)

func (s *Session) raw(b *block) (string, error) {
	c, err := s.conn(b)
	if err != nil {
		return "", err
	}
	c.QueueRaw(Unescape(repeat(strings.Join(b.input, ""))))
	if b.ending == "" && b.replies < 0 {
		c.QueueRaw(sentinelRequest)
	}
	if err := c.Flush(); err != nil {
		c.closed = true
	}
	switch {
	case b.ending == "partial":
		return "", nil
	case b.replies >= 0:
		return c.rawReplies(b.replies), nil
	}
	return c.rawUntil(b.ending == "closing"), nil
}

// rawReplies reads n whole replies and prints their bytes.
func (c *scriptConn) rawReplies(n int) string {
	var seen bytes.Buffer
	whole := c.in
	c.in = newTee(whole, &seen)
	defer func() { c.in = whole }()
	for range n {
		if _, err := c.Read(); err != nil {
			return rawText(seen.Bytes()) + c.failed(err)
		}
	}
	return rawText(seen.Bytes())
}

// rawUntil reads up to the sentinel, or until the server closes.
func (c *scriptConn) rawUntil(closing bool) string {
	var seen []byte
	deadline := time.Now().Add(c.Patience)
	_ = c.net.SetReadDeadline(deadline)
	for closing || !bytes.HasSuffix(seen, sentinelReply) {
		next, err := c.in.ReadByte()
		if err == io.EOF && len(seen) == 0 && closing {
			return c.failed(err)
		}
		if err != nil {
			return rawText(seen) + c.failed(err)
		}
		seen = append(seen, next)
	}
	return rawText(bytes.TrimSuffix(seen, sentinelReply))
}

// rawText prints bytes, a line for each line.
func rawText(seen []byte) string {
	var out strings.Builder
	for _, line := range strings.SplitAfter(string(seen), "\n") {
		if line != "" {
			out.WriteString(shorten(line))
			out.WriteByte('\n')
		}
	}
	return out.String()
}
