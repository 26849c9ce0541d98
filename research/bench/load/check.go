package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// A Session speaks to a server one command at a time and reads every reply to
// its end. It is for preparing and checking, not for measuring.
type Session struct {
	conn net.Conn
	in   *bufio.Reader
}

// NewSession connects to a port of 127.0.0.1.
func NewSession(port int) (*Session, error) {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), time.Second)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	return &Session{conn, bufio.NewReaderSize(conn, 1<<16)}, nil
}

// Close ends the session.
func (s *Session) Close() { _ = s.conn.Close() }

// Do sends a command and gives its raw reply; an error reply is an error.
func (s *Session) Do(args ...string) (string, error) {
	_ = s.conn.SetDeadline(time.Now().Add(2 * time.Minute))
	if _, err := s.conn.Write(Command(nil, args...)); err != nil {
		return "", fmt.Errorf("load: send %s: %w", args[0], err)
	}
	text, err := s.reply(nil)
	if err != nil {
		return "", fmt.Errorf("load: reply to %s: %w", args[0], err)
	}
	if text[0] == '-' {
		return "", fmt.Errorf("load: %s: %s", strings.Join(args, " "), strings.TrimSpace(string(text[1:])))
	}
	return string(text), nil
}

// reply appends one whole reply, as it came, to dst.
func (s *Session) reply(dst []byte) ([]byte, error) {
	line, err := s.in.ReadSlice('\n')
	if err != nil {
		return dst, err
	}
	dst = append(dst, line...)
	kind, size := line[0], string(bytes.TrimSpace(line[1:]))
	if strings.IndexByte("$*%~>=", kind) < 0 {
		return dst, nil
	}
	n, err := strconv.Atoi(size)
	if err != nil {
		return dst, fmt.Errorf("length %q of a reply: %w", size, err)
	}
	return s.body(dst, kind, n)
}

func (s *Session) body(dst []byte, kind byte, n int) (_ []byte, err error) {
	switch kind {
	case '$', '=':
		if n < 0 {
			return dst, nil
		}
		at := len(dst)
		dst = append(dst, make([]byte, n+2)...)
		_, err = io.ReadFull(s.in, dst[at:])
		return dst, err
	case '%':
		n *= 2
	}
	for ; n > 0 && err == nil; n-- {
		dst, err = s.reply(dst)
	}
	return dst, err
}

// Check sends the first n requests as one batch and reads every reply to its
// end: none may be an error, and where the shape knows the exact replies they
// must be those. With constant only their length counts.
func (s *Session) Check(r *Requests, n int, constant bool) error {
	n = min(n, r.Len())
	_ = s.conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := s.conn.Write(r.bytes(0, n)); err != nil {
		return fmt.Errorf("load: check %s: %w", r.shape.Name, err)
	}
	for i := range n {
		if err := s.checkOne(r, int(r.keys[i]), constant); err != nil {
			return fmt.Errorf("load: check %s of key %d: %w", r.shape.Name, r.keys[i], err)
		}
	}
	return nil
}

func (s *Session) checkOne(r *Requests, key int, constant bool) error {
	var want, got []byte
	if r.shape.Reply != nil {
		want = r.shape.Reply(nil, key)
	}
	lines := 0
	for lines < r.shape.Lines || len(got) < len(want) {
		at := len(got)
		var err error
		if got, err = s.reply(got); err != nil {
			return err
		}
		if got[at] == '-' {
			return fmt.Errorf("error reply %.80q", got[at:])
		}
		lines += bytes.Count(got[at:], []byte{'\n'})
	}
	if len(want) > 0 && !constant && !bytes.Equal(got, want) || len(want) > 0 && len(got) != len(want) {
		return fmt.Errorf("reply %.120q where %.120q is right", got, want)
	}
	return nil
}
