package workload

import (
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// Client is one client: it does one job at a time.
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
	asked  int // values so far
	wrote  int // lines of requests that were sent together

	job      *job  // under way
	begun    int64 // when it was first tried
	first    bool  // the first asks of it are under way
	waiting  bool  // for replies
	to       int   // node
	greeting int   // replies to what a new connection begins with
	at       int   // of the job's asks, the one that is answered next
	got      []byte
	deadline int64
	wake     int64
}

// How long clients wait, in nanoseconds.
const (
	replyTime = 1000 * million // for more of a reply
	longTime  = 3000 * million // for the reply to a long request
	patience  = 3000 * million // for somebody who answers for a key
)

// long is from how many bytes on a request is long.
const long = 8 << 10

// rushEvery is how far apart the moments are, in nanoseconds, at which clients ask
// when they rush.
const rushEvery = 60 * million

// rest lets the client do nothing until a time.
func (c *Client) rest(until int64) {
	if c.crowd.rush {
		until = (until + rushEvery - 1) / rushEvery * rushEvery
	}
	c.wake = until
	c.crowd.world.At(until, func() {})
}

func (c *Client) step(now int64) {
	switch {
	case c.waiting:
		c.look(now)
	case now < c.wake:
	case c.job != nil:
		c.send(now)
	default:
		c.begin(now)
	}
}

// begin draws the next job.
func (c *Client) begin(now int64) {
	c.job = c.crowd.workload.next(c)
	c.begun, c.first = now, true
	to, known := c.owner[c.slot()]
	if !known {
		to = c.dice.Below(len(c.lines))
	}
	c.to = to
	c.send(now)
}

// slot is that of the job's first ask.
func (c *Client) slot() uint16 { return slots.Of([]byte(c.job.asks[0].route)) }

// fresh is a value that nobody has written, now and then a long one.
func (c *Client) fresh(longOnes bool) string {
	c.asked++
	size := 0
	if longOnes && c.dice.Chance(5) {
		size = int(c.dice.Between(100, 40_000))
	}
	return value(c.id, c.asked, size)
}

// send sends the job's asks to the node that they are for.
func (c *Client) send(now int64) {
	if now-c.begun > patience {
		if !c.first && c.lines[c.to] != nil {
			c.hangUp() // what is watched must not end another transaction
		}
		c.crowd.Given++
		c.done(now)
		return
	}
	var text []byte
	if c.greeting = 0; c.lines[c.to] == nil {
		c.dial()
		if c.id%2 == 0 {
			text = wire.Request("hello", "3")
			c.greeting = 1
		}
	}
	operations := 0
	for _, a := range c.job.asks {
		for _, words := range a.sends {
			if a.asking {
				text = append(text, wire.Request("asking")...)
			}
			text = append(text, wire.Request(words...)...)
		}
		if a.answers, a.left = nil, false; a.op.Kind != "" {
			operations++
		}
	}
	c.number(now, operations)
	c.at, c.got, c.waiting = 0, nil, true
	if c.deadline = now + replyTime; len(text) > long {
		c.deadline = now + longTime
	}
	c.crowd.world.At(c.deadline, func() {})
	c.lines[c.to].Send(text)
}

// number notes when the operations of the job were called, and in which order.
func (c *Client) number(now int64, operations int) {
	line := 0
	if operations > 1 {
		c.wrote++
		line = c.wrote
	}
	place := 0
	for _, a := range c.job.asks {
		if a.op.Kind != "" {
			a.op.Client, a.op.Call, a.op.Line, a.op.Place = c.id, now, line, place*min(line, 1)
			c.crowd.Asked++
			place++
		}
	}
}

func (c *Client) dial() {
	c.dialed++
	from := fmt.Sprintf("10.9.0.%d:%d", c.id, 20000+c.dialed%40000)
	c.lines[c.to] = c.crowd.world.DialFrom(from, c.crowd.nodes[c.to])
}

// look looks for replies.
func (c *Client) look(now int64) {
	line := c.lines[c.to]
	more := line.Receive()
	c.got = append(c.got, more...)
	if len(more) > 0 && now+replyTime > c.deadline {
		c.deadline = now + replyTime
		c.crowd.world.At(c.deadline, func() {})
	}
	if !c.read(now) || !c.waiting {
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

// read takes the replies that are there; false if one was none.
func (c *Client) read(now int64) bool {
	for c.waiting {
		a, size, err := wire.Read(c.got)
		if size == 0 && err == nil {
			return true
		}
		if err != nil || c.greeting > 0 && a.Failed() {
			c.odd(c.job.asks[c.at], fmt.Sprintf("%.200q", c.got))
			c.hangUp()
			c.lost(now)
			return false
		}
		c.got, c.Answered = c.got[size:], now
		if c.greeting > 0 {
			c.greeting--
			continue
		}
		c.answer(now, a)
	}
	return true
}

// hangUp drops the connection that is waited on.
func (c *Client) hangUp() {
	c.lines[c.to].Close()
	c.lines[c.to] = nil
}

// lost gives up what was not answered: nobody knows its outcome.
func (c *Client) lost(now int64) {
	c.waiting = false
	delete(c.owner, c.slot())
	for _, a := range c.job.asks[c.at:] {
		if a.reads || a.op.Kind == "" {
			continue // nothing is remembered
		}
		a.key.lost++
		a.op.Return, a.op.Outcome = linearize.Infinite, linearize.Outcome{Result: linearize.Lost}
		c.write(a)
	}
	c.done(now)
}

// write writes an operation down.
func (c *Client) write(a *ask) {
	c.crowd.History.Operations = append(c.crowd.History.Operations, a.op)
}

// done ends the job and thinks for a while, longer after a long one.
func (c *Client) done(now int64) {
	think := c.dice.Between(10, 120) * million
	switch {
	case c.crowd.rush:
		think /= 4
	case len(c.job.asks) > 1:
		think *= 2
	}
	c.job = nil
	c.rest(now + think)
}
