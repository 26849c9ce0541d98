//go:build linux

package load

import "time"

// probed drives a load on all connections but the first, and an open one, the
// probe, on the first until the load ends.
type probed struct {
	load  driver
	probe *open
}

// Probed runs a load while the first connection sends the probe's requests on
// their schedule. The probe's latencies tell how long the server's loop was
// away; it needs two connections or more. Both results come back.
func (c *Client) Probed(plan Closed, probe Open) (load, seen Result, err error) {
	d := c.closed(plan, c.conns[1:])
	start := nanos()
	seen, err = c.probed(d, probe)
	d.result.Elapsed = time.Duration(d.last - start)
	return d.result, seen, err
}

func (c *Client) probed(load driver, probe Open) (Result, error) {
	d := &probed{load, c.open(probe, c.conns[:1])}
	err := c.run(d, true)
	d.probe.result.Elapsed = time.Duration(d.probe.last - d.probe.start)
	return d.probe.result, err
}

func (d *probed) tick(now int64) (bool, error) {
	loaded, err := d.load.tick(now)
	if err != nil {
		return true, err
	}
	if loaded {
		d.probe.end = min(d.probe.end, now)
	}
	quiet, err := d.probe.tick(now)
	return loaded && quiet, err
}

func (d *probed) answered(c *conn, what awaited, now int64) error {
	if c.index == 0 {
		return d.probe.answered(c, what, now)
	}
	return d.load.answered(c, what, now)
}
