package workload

import (
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize"
)

// one is the job of one ask.
func one(a *ask) *job { return &job{asks: []*ask{a}} }

func nextRegister(c *Client) *job {
	k := pick(c.dice, c.crowd.keys)
	return one(single(k, c.register(k)))
}

func nextCounter(c *Client) *job {
	return one(single(pick(c.dice, c.crowd.keys), c.counter()))
}

// lifetime draws a time to live, in nanoseconds.
func lifetime(d fault.Dice) int64 { return d.Between(200, 3000) * million }

// moment draws when something is to end, in whole milliseconds, now and then in
// whole seconds, and now and then a moment that is past.
func (c *Client) moment() int64 {
	const second = 1000 * million
	at := max(million, c.crowd.world.Now()/million*million+c.dice.Between(-100, 3000)*million)
	if c.dice.Chance(30) {
		return at/second*second + second
	}
	return at
}

// register draws what is asked of a string.
func (c *Client) register(k *key) linearize.Operation {
	d := c.dice
	seen, fresh := k.seen, c.fresh(true)
	op := linearize.Operation{Kind: linearize.Set, Value: fresh}
	switch draw := d.Below(100); {
	case draw < 38:
		return linearize.Operation{Kind: linearize.Get}
	case draw < 55: // a plain write
	case draw < 69:
		op.If, op.Old = "eq", seen
	case draw < 72:
		op.If, op.Old = "ne", seen
	case draw < 78:
		c.expire(&op)
	case draw < 80:
		op.If = []string{"nx", "xx"}[d.Below(2)]
	case draw < 82:
		op.Keep = true
	case draw < 84:
		op.Kind = linearize.SetNX
	case draw < 87:
		op.Kind = linearize.GetSet
	case draw < 89:
		op = linearize.Operation{Kind: linearize.GetDel}
	case draw < 92:
		op = linearize.Operation{Kind: linearize.GetEx}
		c.expire(&op)
	case draw < 93:
		op = linearize.Operation{Kind: linearize.DelIfEq, Old: seen}
	case draw < 95:
		op = linearize.Operation{Kind: linearize.DelEx, If: []string{"eq", "ne"}[d.Below(2)], Old: seen}
	default:
		op = c.any()
	}
	if op.Value != "" && d.Chance(30) {
		k.seen = fresh
	}
	return op
}

// expire draws the deadline of an operation; sometimes it is none.
func (c *Client) expire(op *linearize.Operation) {
	switch c.dice.Below(5) {
	case 0, 1:
		op.Life = lifetime(c.dice)
	case 2, 3:
		op.At = c.moment()
	default:
		op.Keep = c.dice.Chance(30)
	}
}

// counter draws what is asked of an integer.
func (c *Client) counter() linearize.Operation {
	switch draw := c.dice.Below(100); {
	case draw < 35:
		return linearize.Operation{Kind: linearize.Get}
	case draw < 75:
		return linearize.Operation{Kind: linearize.IncrBy, Delta: c.dice.Between(1, 1000)}
	case draw < 90:
		return linearize.Operation{Kind: linearize.DecrBy, Delta: c.dice.Between(1, 1000)}
	}
	return c.any()
}

// any draws what can be asked of a key whatever it holds.
func (c *Client) any() linearize.Operation {
	switch c.dice.Below(5) {
	case 0:
		return linearize.Operation{Kind: linearize.PExpire, Life: lifetime(c.dice)}
	case 1:
		return linearize.Operation{Kind: linearize.PExpireAt, At: c.moment()}
	case 2:
		return linearize.Operation{Kind: linearize.Persist}
	}
	return linearize.Operation{Kind: linearize.Del}
}

// nextPipeline draws some asks, of keys for which the same node answered before:
// the others are sent away from it. Some are on one key alone.
func nextPipeline(c *Client) *job {
	var asks []*ask
	keys, first := c.crowd.keys, c.dice.Below(len(c.crowd.keys))
	same := c.dice.Chance(25)
	for n := c.dice.Between(2, 6); n > 0; n-- {
		at := c.dice.Below(len(keys))
		if same || !c.near(keys[first], keys[at]) {
			at = first
		}
		k := use(keys, at)
		op := linearize.Operation{}
		if k.place%3 == 2 {
			op = c.counter()
		} else {
			op = c.register(k)
		}
		asks = append(asks, single(k, op))
		if c.dice.Chance(20) {
			c.asked++
			asks = append(asks, echo(fmt.Sprintf("echo-%d-%d", c.id, c.asked)))
		}
	}
	return &job{asks: asks}
}
