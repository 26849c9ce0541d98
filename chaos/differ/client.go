package differ

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Conn is a client connection that sends commands in pipelines and reads
// replies in order. It is used by one goroutine.
type Conn struct {
	// Patience bounds each wait for a reply.
	Patience time.Duration

	net     net.Conn
	in      *bufio.Reader
	out     []byte
	writing chan error // the unfinished write of a large pipeline, else nil
}

// maxElements bounds an aggregate a server may announce.
const maxElements = 1 << 24

// patience is the default wait for a reply.
const patience = 5 * time.Second

// Dial connects to a server on this machine.
func Dial(addr string) (*Conn, error) {
	c, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		return nil, fmt.Errorf("differ: dial %s: %w", addr, err)
	}
	return &Conn{net: c, in: bufio.NewReaderSize(c, 64<<10), Patience: patience}, nil
}

// Close ends the connection.
func (c *Conn) Close() { _ = c.net.Close() }

// Queue adds a command to the pipeline that Flush sends.
func (c *Conn) Queue(args []string) {
	c.out = append(c.out, '*')
	c.out = strconv.AppendInt(c.out, int64(len(args)), 10)
	c.out = append(c.out, "\r\n"...)
	for _, arg := range args {
		c.out = append(c.out, '$')
		c.out = strconv.AppendInt(c.out, int64(len(arg)), 10)
		c.out = append(c.out, "\r\n"...)
		c.out = append(c.out, arg...)
		c.out = append(c.out, "\r\n"...)
	}
}

// QueueRaw adds bytes to the pipeline as they are.
func (c *Conn) QueueRaw(raw string) { c.out = append(c.out, raw...) }

// Flush sends the pipeline. A large one is written while its replies are read,
// so that neither side waits for the other for ever.
func (c *Conn) Flush() error {
	if err := c.settle(); err != nil {
		return err
	}
	data := c.out
	c.out = nil
	if len(data) <= 32<<10 {
		err := c.write(data)
		c.out = data[:0]
		return err
	}
	c.writing = make(chan error, 1)
	go func(done chan<- error) { done <- c.write(data) }(c.writing)
	return nil
}

func (c *Conn) settle() error {
	if c.writing == nil {
		return nil
	}
	err := <-c.writing
	c.writing = nil
	return err
}

func (c *Conn) write(data []byte) error {
	_ = c.net.SetWriteDeadline(time.Now().Add(c.Patience))
	_, err := c.net.Write(data)
	return err
}

// Read returns the next reply, a push included.
func (c *Conn) Read() (Reply, error) {
	if c.in.Buffered() == 0 {
		_ = c.net.SetReadDeadline(time.Now().Add(c.Patience))
	}
	return c.read()
}

// Do sends one command and returns its reply.
func (c *Conn) Do(args ...string) (Reply, error) {
	c.Queue(args)
	if err := c.Flush(); err != nil {
		return Reply{}, err
	}
	return c.Read()
}

func (c *Conn) read() (Reply, error) {
	line, err := c.in.ReadString('\n')
	if err != nil {
		return Reply{}, err
	}
	if len(line) < 3 || line[len(line)-2] != '\r' {
		return Reply{}, fmt.Errorf("differ: malformed reply line %q", line)
	}
	r := Reply{Kind: line[0], Text: line[1 : len(line)-2]}
	switch r.Kind {
	case '+', '-', ':', '_', '#', ',', '(':
		return r, nil
	case '$', '=', '!':
		return c.readBulk(r)
	case '*', '%', '~', '>', '|':
		return c.readItems(r)
	}
	return Reply{}, fmt.Errorf("differ: unknown reply type in %q", line)
}

func (c *Conn) readBulk(r Reply) (Reply, error) {
	n, err := strconv.Atoi(r.Text)
	if err != nil || n < -1 || n > 512<<20 {
		return Reply{}, fmt.Errorf("differ: bulk length %q", r.Text)
	}
	if n == -1 {
		return Reply{Kind: r.Kind, Null: true}, nil
	}
	body := make([]byte, n+2)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return Reply{}, err
	}
	if string(body[n:]) != "\r\n" {
		return Reply{}, errors.New("differ: a bulk is longer than announced")
	}
	r.Text = string(body[:n])
	return r, nil
}

func (c *Conn) readItems(r Reply) (Reply, error) {
	n, err := strconv.Atoi(r.Text)
	if err != nil || n < -1 || n > maxElements {
		return Reply{}, fmt.Errorf("differ: aggregate length %q", r.Text)
	}
	r.Text, r.Null = "", n == -1
	if r.Kind == '%' || r.Kind == '|' {
		n *= 2
	}
	for range n {
		item, err := c.read()
		if err != nil {
			return Reply{}, err
		}
		r.Items = append(r.Items, item)
	}
	if r.Kind != '|' {
		return r, nil
	}
	next, err := c.read()
	next.Attrs = r.Items
	return next, err
}

// isClosed says whether err means that the server ended the connection.
func isClosed(err error) bool {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	text := err.Error()
	return strings.Contains(text, "reset by peer") || strings.Contains(text, "broken pipe")
}

// isTimeout says whether err means that no reply came in time.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}
