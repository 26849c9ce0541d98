package netio

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/sim/env"
)

// crowdPoller has connections that send one pipeline after the other, without
// end: what a loop costs without the system's part.
type crowdPoller struct {
	stillPoller
	conns    int
	accepted int
	requests [][]byte // pipelines, taken in turn
	next     int
	reads    int
}

func (p *crowdPoller) Accept(env.Conn) (env.Conn, env.Peer, error) {
	if p.accepted == p.conns {
		return 0, env.Peer{}, env.ErrAgain
	}
	p.accepted++
	return env.Conn(p.accepted), env.Peer{Remote: "127.0.0.1:1", Loopback: true}, nil
}

func (p *crowdPoller) Wait(events []env.Event, _ int64) (int, error) {
	if p.accepted < p.conns {
		events[0] = env.Event{Conn: 0, Readable: true}
		return 1, nil
	}
	if len(p.requests) == 0 {
		return 0, nil
	}
	for i := range p.conns {
		events[i] = env.Event{Conn: env.Conn(i + 1), Readable: true}
	}
	return p.conns, nil
}

func (p *crowdPoller) Read(_ env.Conn, b []byte) (int, error) {
	n := copy(b, p.requests[p.next])
	p.next = (p.next + 1) % len(p.requests)
	p.reads++
	return n, nil
}

func (p *crowdPoller) Poller() (env.Poller, error) { return p, nil }

// pipelines renders GET or SET of random keys of many, n to a piece.
func pipelines(name string, many, pieces, n int) [][]byte {
	draw := rand.New(rand.NewPCG(1, 2))
	var list [][]byte
	for range pieces {
		list = append(list, pipelineOf(name, n, func() int { return draw.IntN(many) }))
	}
	return list
}

func pipelineOf(name string, n int, key func() int) (text []byte) {
	for range n {
		k := key()
		if name == "set" {
			text = fmt.Appendf(text, "*3\r\n$3\r\nSET\r\n$16\r\nkey:%012d\r\n$64\r\n%064d\r\n", k, k)
		} else {
			text = fmt.Appendf(text, "*2\r\n$3\r\nGET\r\n$16\r\nkey:%012d\r\n", k)
		}
	}
	return text
}

// BenchmarkPipeline is the time of one command that arrives in a pipeline on one
// of 50 connections.
func BenchmarkPipeline(b *testing.B) {
	const many = 1_000_000
	p := &crowdPoller{conns: 50}
	doors := host.NewWorld(host.Options{})
	doors.Network = p
	node, err := New(Options{World: doors, Config: config.New(), Shards: 1, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err == nil {
		err = node.Listen()
	}
	if err != nil {
		b.Fatal(err)
	}
	step := func() { node.loops[0].Step(false) }
	for p.accepted < p.conns {
		step()
	}
	next := -1
	for range many / 100 {
		p.requests = append(p.requests, pipelineOf("set", 100, func() int { next++; return next }))
	}
	for p.reads < len(p.requests) {
		step()
	}
	for _, name := range []string{"get", "set"} {
		for _, n := range []int{16, 64} {
			p.requests, p.next = pipelines(name, many, 200_000/n, n), 0
			b.Run(fmt.Sprintf("%s p%d", name, n), func(b *testing.B) {
				for at := 0; at < b.N; at += n * p.conns {
					step()
				}
			})
		}
	}
}
