package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// Client is one client: it asks for one thing at a time.
type Client struct {
	// Answered is when it last got an answer, in nanoseconds; Silent is when a
	// request last went without one for as long as the client waits.
	Answered, Silent int64

	crowd  *Crowd
	id     int
	dice   fault.Dice
	lines  []*sim.Peer // to each node, nil where there is none
	owner  map[uint16]int
	dialed int
	asked  int // operations so far

	key      *key
	op       linearize.Operation
	begun    int64 // when the operation was first tried
	trying   bool  // there is an operation
	waiting  bool  // for a reply
	to       int   // node
	asking   bool  // ASKING goes first
	skip     int   // replies to what went first
	got      []byte
	deadline int64
	wake     int64
}

// How long clients wait, in nanoseconds.
const (
	replyTime = 1000 * million // for one reply
	patience  = 3000 * million // for somebody who answers for a key
)

// rest lets the client do nothing until a time.
func (c *Client) rest(until int64) {
	c.wake = until
	c.crowd.world.At(until, func() {})
}

func (c *Client) step(now int64) {
	switch {
	case c.waiting:
		c.look(now)
	case now < c.wake:
	case c.trying:
		c.send(now)
	default:
		c.begin(now)
	}
}

// begin draws the next operation.
func (c *Client) begin(now int64) {
	c.asked++
	c.crowd.Asked++
	c.key = pick(c.dice, c.crowd.keys)
	value := fmt.Sprintf("%d-%d", c.id, c.asked)
	c.op = c.crowd.workload.next(c.dice, c.key, value)
	c.op.Client, c.op.Key = c.id, c.key.name()
	if c.op.Value != "" && c.dice.Chance(30) {
		c.key.seen = value
	}
	c.begun, c.trying, c.asking = now, true, false
	to, known := c.owner[slots.Of([]byte(c.op.Key))]
	if !known {
		to = c.dice.Below(len(c.lines))
	}
	c.to = to
	c.send(now)
}

// send sends the operation to the node that it is for.
func (c *Client) send(now int64) {
	if now-c.begun > patience {
		c.crowd.Given++
		c.done(now)
		return
	}
	if c.lines[c.to] == nil {
		c.dialed++
		from := fmt.Sprintf("10.9.0.%d:%d", c.id, 20000+c.dialed%40000)
		c.lines[c.to] = c.crowd.world.DialFrom(from, c.crowd.nodes[c.to])
	}
	text := request(words(&c.op))
	if c.skip = 0; c.asking {
		text = append(request([]string{"asking"}), text...)
		c.skip, c.asking = 1, false
	}
	c.op.Call, c.got, c.waiting = now, nil, true
	c.deadline = now + replyTime
	c.crowd.world.At(c.deadline, func() {})
	c.lines[c.to].Send(text)
}

// look looks for the reply.
func (c *Client) look(now int64) {
	line := c.lines[c.to]
	c.got = append(c.got, line.Receive()...)
	for {
		size, outcome := reply(c.got)
		if size == 0 {
			break
		}
		if size < 0 {
			c.odd(fmt.Sprintf("%q", c.got))
			c.hangUp()
			c.lost(now)
			return
		}
		c.got = c.got[size:]
		if c.skip > 0 {
			c.skip--
			continue
		}
		c.waiting, c.Answered = false, now
		c.take(now, outcome)
		return
	}
	switch {
	case line.Refused():
		c.hangUp()
		c.waiting = false
		c.elsewhere(now)
	case line.Err() != nil:
		c.hangUp()
		c.lost(now)
	case now >= c.deadline:
		c.Silent = now
		c.hangUp()
		c.lost(now)
	}
}

// hangUp drops the connection that is waited on.
func (c *Client) hangUp() {
	c.lines[c.to].Close()
	c.lines[c.to] = nil
}

// elsewhere tries any node after a moment: the operation was not done.
func (c *Client) elsewhere(now int64) {
	delete(c.owner, slots.Of([]byte(c.op.Key)))
	c.to = c.dice.Below(len(c.lines))
	c.rest(now + c.dice.Between(20, 150)*million)
}

// take takes a reply.
func (c *Client) take(now int64, o linearize.Outcome) {
	if o.Result != linearize.Refused {
		if o.Result == linearize.Value && c.op.Kind == linearize.Get {
			c.key.seen = o.Text
		}
		c.owner[slots.Of([]byte(c.op.Key))] = c.to
		c.write(now, o)
		c.done(now)
		return
	}
	code, rest, _ := strings.Cut(o.Text, " ")
	switch code {
	case "MOVED", "ASK":
		c.follow(now, code, rest)
	case "CLUSTERDOWN", "TRYAGAIN", "LOADING", "MASTERDOWN":
		c.elsewhere(now)
	default:
		c.odd(o.Text)
		c.write(now, o)
		c.done(now)
	}
}

// follow goes where a redirection points.
func (c *Client) follow(now int64, code, rest string) {
	number, address, _ := strings.Cut(rest, " ")
	slot, err := strconv.ParseUint(number, 10, 16)
	to := slices.Index(c.crowd.nodes, address)
	if err != nil || uint16(slot) != slots.Of([]byte(c.op.Key)) || to < 0 {
		c.odd(code + " " + rest)
		c.elsewhere(now)
		return
	}
	if c.to == to && code == "MOVED" {
		c.odd("a node sends a client to itself: " + code + " " + rest)
	}
	c.to, c.asking = to, code == "ASK"
	if code == "MOVED" {
		c.owner[uint16(slot)] = to
	}
	c.rest(now + million)
}

// lost gives an operation up whose outcome nobody knows. Of a read nothing is
// remembered.
func (c *Client) lost(now int64) {
	c.waiting = false
	delete(c.owner, slots.Of([]byte(c.op.Key)))
	if c.op.Kind != linearize.Get {
		c.key.lost++
		c.write(linearize.Infinite, linearize.Outcome{Result: linearize.Lost})
	}
	c.done(now)
}

// write writes an operation down.
func (c *Client) write(returned int64, o linearize.Outcome) {
	c.op.Return, c.op.Outcome = returned, o
	c.crowd.History.Operations = append(c.crowd.History.Operations, c.op)
}

// done ends the operation and thinks for a while.
func (c *Client) done(now int64) {
	c.trying = false
	c.rest(now + c.dice.Between(10, 120)*million)
}

func (c *Client) odd(text string) {
	c.crowd.Odd = append(c.crowd.Odd, fmt.Sprintf("client %d at %d, %s: %s", c.id, c.crowd.world.Now(), strings.Join(words(&c.op), " "), text))
}
