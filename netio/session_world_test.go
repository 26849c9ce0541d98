package netio

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
)

// town is a node on a simulated machine, with clients.
type town struct {
	tb      testing.TB
	world   *sim.World
	machine *sim.Machine
	node    *Node
	actors  []sim.Actor
	log     bytes.Buffer
}

const townAddress = "127.0.0.1:6379"

// newTown starts a node with options, each "name=value".
func newTown(tb testing.TB, shards int, options ...string) *town {
	tb.Helper()
	return newTownIn(tb, sim.New(1, sim.Mix{}), shards, options...)
}

// caller is a client of the town.
type caller struct {
	*sim.Peer
	town *town
	got  []byte
}

func (t *town) dial() *caller { return &caller{Peer: t.world.Dial(townAddress), town: t} }

// dialFrom connects from another machine.
func (t *town) dialFrom(remote string) *caller {
	return &caller{Peer: t.world.DialFrom(remote, townAddress), town: t}
}

// do sends a request and gives the bytes of its reply.
func (c *caller) do(words ...string) string {
	c.town.tb.Helper()
	c.ask(words...)
	return c.reply()
}

// ask sends a request.
func (c *caller) ask(words ...string) {
	w := resp.Writer{Proto: 2}
	w.Array(len(words))
	for _, word := range words {
		w.BulkString(word)
	}
	c.Send(w.Bytes())
}

// line is do for words separated by spaces.
func (c *caller) line(line string) string {
	c.town.tb.Helper()
	return c.do(strings.Fields(line)...)
}

// reply waits for the next reply.
func (c *caller) reply() string {
	c.town.tb.Helper()
	size := 0
	err := c.town.world.Run(func() bool {
		c.got = append(c.got, c.Receive()...)
		size = replySize(c.got)
		return size > 0 || c.Err() != nil
	}, c.town.actors...)
	if err != nil || size == 0 {
		c.town.tb.Fatalf("no reply: %v, %v, after %q", err, c.Err(), c.got)
	}
	text := string(c.got[:size])
	c.got = c.got[size:]
	return text
}

// check sends lines and compares replies.
func (c *caller) check(lines ...[2]string) {
	c.town.tb.Helper()
	for _, line := range lines {
		if got := c.line(line[0]); got != line[1] {
			c.town.tb.Errorf("%s\n\tgot  %q\n\twant %q", line[0], got, line[1])
		}
	}
}

// replySize is how many bytes the reply at the front takes; 0: not all of it
// is there.
func replySize(b []byte) int {
	end := bytes.Index(b, []byte("\r\n"))
	if end < 0 {
		return 0
	}
	size, parts := end+2, 0
	n, _ := strconv.Atoi(string(b[1:end]))
	switch b[0] {
	case '$', '=':
		if n < 0 {
			return size
		}
		if size += n + 2; size > len(b) {
			return 0
		}
	case '*', '~', '>':
		parts = n
	case '%':
		parts = 2 * n
	case '|':
		parts = 2*n + 1
	}
	for range parts {
		part := replySize(b[size:])
		if part == 0 {
			return 0
		}
		size += part
	}
	return size
}

// eachSize runs a test with one loop and with several.
func eachSize(t *testing.T, test func(t *testing.T, shards int)) {
	for _, shards := range []int{1, 3} {
		t.Run(strconv.Itoa(shards)+" shards", func(t *testing.T) { test(t, shards) })
	}
}
