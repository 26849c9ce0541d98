//go:build linux

package load

import (
	"bytes"
	"fmt"
)

// scan walks the whole keyspace with SCAN on one connection, one call after
// the other.
type scan struct {
	client *Client
	conn   *conn
	count  string
	cursor string
	begun  bool
	done   bool
	now    int64
	result Result
}

// ProbedScan walks the keyspace, asking for count elements a call, while the
// first connection sends the probe's requests on their schedule.
func (c *Client) ProbedScan(count string, probe Open) (load, seen Result, err error) {
	walk := &scan{client: c, conn: c.conns[1], count: count, cursor: "0"}
	seen, err = c.probed(walk, probe)
	return walk.result, seen, err
}

func (d *scan) tick(now int64) (bool, error) {
	if !d.begun {
		d.begun = true
		return false, d.send(now)
	}
	return d.done, nil
}

func (d *scan) send(now int64) error {
	d.conn.opening = d.conn.opening[:0]
	request := Command(nil, "SCAN", d.cursor, "COUNT", d.count)
	return d.client.send(d.conn, request, awaited{whole: whole{left: 1}, form: byReply, requests: 1, from: now})
}

func (d *scan) answered(c *conn, what awaited, now int64) error {
	d.result.Commands++
	d.result.Latency.add(now - what.from)
	// *2 CRLF $n CRLF cursor CRLF
	parts := bytes.SplitN(c.opening, []byte("\r\n"), 4)
	if len(parts) < 4 {
		return fmt.Errorf("load: reply to SCAN begins with %q", c.opening)
	}
	d.cursor = string(parts[2])
	d.done = d.cursor == "0"
	if d.done {
		return nil
	}
	return d.send(now)
}
