package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/slots"
)

// answer takes one reply.
func (c *Client) answer(now int64, a wire.Value) {
	k := c.job.asks[c.at]
	k.answers = append(k.answers, a)
	each := 1
	if k.asking {
		each = 2
	}
	if len(k.answers) < each*len(k.sends) {
		return
	}
	if k.asking {
		k.answers = everySecond(k.answers)
	}
	c.take(now, k)
	if c.at++; c.at == len(c.job.asks) {
		c.waiting = false
		c.settle(now)
	}
}

// everySecond is answers without those to ASKING.
func everySecond(list []wire.Value) (kept []wire.Value) {
	for i := 1; i < len(list); i += 2 {
		kept = append(kept, list[i])
	}
	return kept
}

// take takes the answers to one ask.
func (c *Client) take(now int64, a *ask) {
	o, odd := a.tell(a.answers)
	if odd != "" {
		c.odd(a, odd)
	}
	if o.Result != linearize.Refused {
		if a.op.Kind == "" {
			return
		}
		c.owner[slots.Of([]byte(a.route))] = c.to
		if o.Result == linearize.Value && a.op.Kind == linearize.Get {
			a.key.seen = o.Text
		}
		a.op.Return, a.op.Outcome = now, o
		c.write(a)
		return
	}
	switch code, _, _ := strings.Cut(o.Text, " "); code {
	case "MOVED", "ASK", "CLUSTERDOWN", "TRYAGAIN", "LOADING", "MASTERDOWN":
		a.left = true
		c.learn(a, o.Text)
	default:
		c.odd(a, o.Text)
		if a.op.Kind != "" {
			a.op.Return, a.op.Outcome = now, o
			c.write(a)
		}
	}
}

// learn remembers where a redirection points.
func (c *Client) learn(a *ask, text string) {
	code, rest, _ := strings.Cut(text, " ")
	slot := slots.Of([]byte(a.route))
	delete(c.owner, slot)
	a.asking = false
	if code != "MOVED" && code != "ASK" || code == "ASK" && a.transaction() {
		return
	}
	number, address, _ := strings.Cut(rest, " ")
	told, err := strconv.ParseUint(number, 10, 16)
	to := slices.Index(c.crowd.nodes, address)
	if err != nil || uint16(told) != slot || to < 0 {
		c.odd(a, text)
		return
	}
	if c.to == to && code == "MOVED" {
		c.odd(a, "a node sends a client to itself: "+text)
	}
	if a.asking = code == "ASK"; a.asking {
		c.crowd.Sent++
	} else {
		c.crowd.Moved++
		c.owner[slot] = to
	}
	a.to = to + 1
}

// settle goes on when every ask was answered: with those that were turned away, or
// with what follows.
func (c *Client) settle(now int64) {
	var left []*ask
	for _, a := range c.job.asks {
		if a.left {
			left = append(left, a)
		}
	}
	switch {
	case len(left) > 0 && (c.job.then != nil || !c.first):
		c.hangUp() // what was begun on the connection ends with it
		c.done(now)
	case len(left) > 0:
		c.follow(now, left)
	case c.job.then != nil && c.first:
		c.job.asks, c.first = c.job.then(), false
		c.rest(now + c.dice.Between(0, 40)*million)
	default:
		c.done(now)
	}
}

// follow goes where the first of those asks was sent, or anywhere after a moment.
// The others go with it.
func (c *Client) follow(now int64, left []*ask) {
	to := left[0].to - 1
	for _, a := range left {
		a.asking = a.asking && a.to == left[0].to
		a.to = 0
	}
	c.job.asks = left
	if to < 0 {
		c.elsewhere(now)
		return
	}
	c.to = to
	c.rest(now + million)
}

// elsewhere tries any node after a moment: nothing was done.
func (c *Client) elsewhere(now int64) {
	if !c.first {
		c.done(now)
		return
	}
	delete(c.owner, c.slot())
	c.to = c.dice.Below(len(c.lines))
	c.rest(now + c.dice.Between(20, 150)*million)
}

func (c *Client) odd(a *ask, text string) {
	c.crowd.Odd = append(c.crowd.Odd, fmt.Sprintf("client %d at %d, %.200q: %s", c.id, c.crowd.world.Now(), a.sends, text))
}
