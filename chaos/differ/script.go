package differ

import (
	"fmt"
	"strings"
	"time"

	"github.com/cockroachdb/datadriven"
)

// Session runs the blocks of one script against one server.
type Session struct {
	addr   string
	proto  int // protocol of connections that ask for none
	counts *Counts
	lacks  bool // the server lacks the rows marked since=
	gated  bool // the current conversation is marked since=
	admin  *Conn
	fewest int // clients that the server ever had when a conversation began
	conns  map[string]*scriptConn
}

// scriptConn is a named connection of a script.
type scriptConn struct {
	*Conn
	proto  int        // protocol last asked for by the runner
	unread [][]string // commands sent whose replies were not read
	closed bool
}

// NewSession prepares to run a script against the server at addr in the given
// protocol. lacks says that the server lacks rows marked since=.
func NewSession(addr string, proto int, lacks bool, counts *Counts) (*Session, error) {
	admin, err := Dial(addr)
	if err != nil {
		return nil, err
	}
	return &Session{addr: addr, proto: proto, lacks: lacks, counts: counts, admin: admin, conns: map[string]*scriptConn{}}, nil
}

// Close leaves an empty server and ends all connections of the session.
func (s *Session) Close() {
	_, _ = s.reset(nil)
	s.admin.Close()
}

func (s *Session) drop() {
	for _, c := range s.conns {
		c.Close()
	}
	s.conns = map[string]*scriptConn{}
}

// awaitGone waits until the server has noticed that connections were closed: a
// command that counts clients must not find those of an earlier conversation.
func (s *Session) awaitGone() {
	for by := time.Now().Add(time.Second); time.Now().Before(by); time.Sleep(time.Millisecond) {
		list, err := s.admin.Do("CLIENT", "LIST")
		if err != nil {
			return // clean says what is wrong
		}
		n := strings.Count(list.Text, "\n")
		if s.fewest == 0 || n < s.fewest {
			s.fewest = n
		}
		if n <= s.fewest {
			return
		}
	}
}

// directives has an entry for each directive.
var directives = map[string]func(*Session, *block) (string, error){
	"reset": (*Session).reset,
	"do":    (*Session).do,
	"send":  (*Session).send,
	"recv":  (*Session).recv,
	"raw":   (*Session).raw,
	"quiet": (*Session).quiet,
	"close": (*Session).hangUp,
	"sleep": (*Session).sleep,
}

// Run executes one directive and returns its output. ran is false if the block
// is not for this server.
func (s *Session) Run(d *datadriven.TestData) (out string, ran bool, err error) {
	run := directives[d.Cmd]
	if run == nil {
		return "", false, fmt.Errorf("differ: %s: unknown directive %q", d.Pos, d.Cmd)
	}
	b, err := newBlock(d)
	if err != nil {
		return "", false, err
	}
	if d.Cmd == "reset" {
		s.gated = b.since != ""
	}
	if s.lacks && (s.gated || b.since != "") {
		return "", false, nil
	}
	out, err = run(s, b)
	return out, true, err
}

// cleanUp brings a server back to where a conversation starts.
var cleanUp = [][]string{
	{"CONFIG", "SET", "requirepass", ""}, {"CLIENT", "UNPAUSE"}, {"FLUSHALL"},
	{"DEBUG", "SET-ACTIVE-EXPIRE", "1"}, {"LATENCY", "RESET"},
	{"CONFIG", "SET", "maxmemory-policy", "noeviction"}, {"CONFIG", "SET", "maxmemory", "0"},
	{"CONFIG", "SET", "slowlog-log-slower-than", "10000"}, {"CONFIG", "SET", "slowlog-max-len", "128"},
	{"CONFIG", "SET", "latency-monitor-threshold", "0"},
	{"CONFIG", "RESETSTAT"}, {"SLOWLOG", "RESET"},
}

func (s *Session) reset(*block) (string, error) {
	s.drop()
	s.awaitGone()
	if s.clean() == nil {
		return "", nil
	}
	// A conversation may have killed every connection, this one too.
	s.admin.Close()
	admin, err := Dial(s.addr)
	if err != nil {
		return "", err
	}
	s.admin = admin
	return "", s.clean()
}

func (s *Session) clean() error {
	for _, args := range cleanUp {
		s.admin.Queue(args)
	}
	if err := s.admin.Flush(); err != nil {
		return fmt.Errorf("differ: clean up: %w", err)
	}
	for range cleanUp {
		if _, err := s.admin.Read(); err != nil {
			return fmt.Errorf("differ: clean up: %w", err)
		}
	}
	return nil
}

// conn is the connection of a block, in the protocol the block asks for.
func (s *Session) conn(b *block) (*scriptConn, error) {
	proto := b.resp
	if proto == 0 {
		proto = s.proto
	}
	c := s.conns[b.conn]
	if c == nil {
		plain, err := Dial(s.addr)
		if err != nil {
			return nil, err
		}
		c = &scriptConn{Conn: plain, proto: 2}
		s.conns[b.conn] = c
	}
	if c.proto == proto || c.closed {
		return c, nil
	}
	c.proto = proto
	_, err := c.Do("HELLO", fmt.Sprint(proto))
	return c, err
}

func (s *Session) do(b *block) (string, error) {
	if b.sweep {
		return s.sweep(b)
	}
	if _, err := s.send(b); err != nil {
		return "", err
	}
	return s.recv(b)
}

func (s *Session) send(b *block) (string, error) {
	c, err := s.conn(b)
	if err != nil {
		return "", err
	}
	commands, err := b.commands()
	if err != nil {
		return "", err
	}
	for _, args := range commands {
		c.Queue(args)
	}
	c.unread = append(c.unread, commands...)
	if err := c.Flush(); err != nil {
		c.closed = true
	}
	return "", nil
}

func (s *Session) recv(b *block) (string, error) {
	c, err := s.conn(b)
	if err != nil {
		return "", err
	}
	want := b.replies
	if want < 0 {
		want = len(c.unread)
	}
	var out strings.Builder
	for got := 0; got < want; {
		r, err := c.Read()
		if err != nil {
			c.unread = nil
			return out.String() + c.failed(err), nil
		}
		if r.Kind != '>' {
			s.count(c, r)
			got++
		}
		out.WriteString(b.show(r))
	}
	c.unread = nil
	return out.String(), nil
}

// sweep runs each line, a SCAN from cursor 0, to its end.
func (s *Session) sweep(b *block) (string, error) {
	c, err := s.conn(b)
	if err != nil {
		return "", err
	}
	commands, err := b.commands()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, args := range commands {
		found, err := sweepOne(c.Conn, args[2:], s.counts)
		if err != nil {
			return "", err
		}
		out.WriteString(found.Print())
	}
	return out.String(), nil
}

// count records a reply for the oldest command without one.
func (s *Session) count(c *scriptConn, r Reply) {
	if len(c.unread) > 0 {
		s.counts.Add(c.unread[0], r)
		c.unread = c.unread[1:]
	}
}

// failed says in the words of the scripts why no reply was read.
func (c *scriptConn) failed(err error) string {
	switch {
	case isClosed(err):
		c.closed = true
		return "closed\n"
	case isTimeout(err):
		return "timeout\n"
	}
	return "broken: " + err.Error() + "\n"
}

func (s *Session) quiet(b *block) (string, error) {
	c, err := s.conn(b)
	if err != nil {
		return "", err
	}
	defer func(old time.Duration) { c.Patience = old }(c.Patience)
	c.Patience = time.Duration(b.ms) * time.Millisecond
	r, err := c.Read()
	switch {
	case err == nil:
		return b.show(r), nil
	case isTimeout(err):
		return "quiet\n", nil
	}
	return c.failed(err), nil
}

func (s *Session) hangUp(b *block) (string, error) {
	if c := s.conns[b.conn]; c != nil {
		c.Close()
		delete(s.conns, b.conn)
	}
	return "", nil
}

func (s *Session) sleep(b *block) (string, error) {
	time.Sleep(time.Duration(b.ms) * time.Millisecond)
	return "", nil
}
