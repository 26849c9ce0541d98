//go:build linux

package load

import "time"

// Closed keeps one batch under way on every connection.
type Closed struct {
	Requests *Requests
	Pipeline int           // requests in a batch
	For      time.Duration // time to send for; 0 means until Once is through
	Once     bool          // send every request once and stop
}

type closed struct {
	client *Client
	conns  []*conn
	plan   Closed
	next   int // the request after the last one sent
	busy   int // batches under way
	begun  bool
	end    int64
	result Result
	last   int64
}

// Closed runs a plan over all connections.
func (c *Client) Closed(plan Closed) (Result, error) {
	d := c.closed(plan, c.conns)
	start := nanos()
	err := c.run(d, false)
	d.result.Elapsed = time.Duration(d.last - start)
	return d.result, err
}

func (c *Client) closed(plan Closed, conns []*conn) *closed {
	d := &closed{client: c, conns: conns, plan: plan, end: nanos() + int64(plan.For)}
	if plan.For == 0 {
		d.end = 1<<63 - 1
	}
	return d
}

func (d *closed) tick(now int64) (bool, error) {
	if !d.begun {
		d.begun = true
		for _, conn := range d.conns {
			if err := d.send(conn, now); err != nil {
				return true, err
			}
		}
	}
	return d.busy == 0, nil
}

func (d *closed) send(conn *conn, now int64) error {
	from, n := d.batch()
	if n == 0 || now >= d.end {
		return nil
	}
	group := d.plan.Requests.awaits(n)
	group.from = now
	d.busy++
	return d.client.send(conn, d.plan.Requests.bytes(from, from+n), group)
}

// batch takes the next requests; none are left when it says 0.
func (d *closed) batch() (from, n int) {
	all := d.plan.Requests.Len()
	if d.next >= all && !d.plan.Once {
		d.next = 0
	}
	from, n = d.next, min(d.plan.Pipeline, all-d.next)
	d.next += n
	return from, n
}

func (d *closed) answered(conn *conn, what awaited, now int64) error {
	d.busy--
	d.last = now
	d.result.Commands += int64(what.requests * d.plan.Requests.shape.Commands)
	d.result.Latency.add(now - what.from)
	return d.send(conn, now)
}
