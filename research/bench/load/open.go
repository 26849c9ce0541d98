//go:build linux

package load

import "time"

// Open sends single requests on a fixed schedule, whatever the server does.
type Open struct {
	Requests *Requests
	Every    time.Duration // between two requests
	For      time.Duration // 0 means until the load beside it ends
	Conns    int           // connections to use; 0 means all
}

type open struct {
	client *Client
	conns  []*conn
	plan   Open
	start  int64
	end    int64
	sent   int64 // requests; request i is due at start + i*Every
	busy   int
	result Result
	last   int64
}

// Open runs a plan over the connections, in turn.
func (c *Client) Open(plan Open) (Result, error) {
	conns := c.conns
	if plan.Conns > 0 {
		conns = conns[:plan.Conns]
	}
	d := c.open(plan, conns)
	err := c.run(d, true)
	d.result.Elapsed = time.Duration(d.last - d.start)
	return d.result, err
}

func (c *Client) open(plan Open, conns []*conn) *open {
	d := &open{client: c, conns: conns, plan: plan, start: nanos()}
	d.end = d.start + int64(plan.For)
	if plan.For == 0 {
		d.end = 1<<63 - 1
	}
	return d
}

func (d *open) tick(now int64) (bool, error) {
	for due := d.due(); due <= now && due < d.end; due = d.due() {
		d.result.Late = max(d.result.Late, time.Duration(now-due))
		if err := d.send(due); err != nil {
			return true, err
		}
	}
	return d.due() >= d.end && d.busy == 0, nil
}

func (d *open) due() int64 { return d.start + d.sent*int64(d.plan.Every) }

func (d *open) send(due int64) error {
	from := int(d.sent % int64(d.plan.Requests.Len()))
	group := d.plan.Requests.awaits(1)
	group.from = due
	conn := d.conns[d.sent%int64(len(d.conns))]
	d.sent++
	d.busy++
	return d.client.send(conn, d.plan.Requests.bytes(from, from+1), group)
}

func (d *open) answered(_ *conn, what awaited, now int64) error {
	d.busy--
	d.last = now
	d.result.Commands += int64(d.plan.Requests.shape.Commands)
	d.result.Latency.add(now - what.from)
	return nil
}
