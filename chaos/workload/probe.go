package workload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/sim"
)

// Probe asks one node, over and over, to answer for a key of its own, until it
// does.
type Probe struct {
	Served int64 // when it answered first, in nanoseconds; 0: it did not yet
	// Ledger is how many bytes its keys and values take by its own account, asked
	// for once it has served; 0: it did not tell yet.
	Ledger int64

	world    *sim.World
	address  string
	text     []byte
	line     *sim.Peer
	got      []byte
	deadline int64
	next     int64
	tries    int
}

// NewProbe makes one, of a key that the node owns.
func NewProbe(w *sim.World, address, key string) *Probe {
	return &Probe{world: w, address: address, text: wire.Request("set", key, "v"), next: w.Now()}
}

// probeEvery is how long, in nanoseconds, a probe waits for an answer, and before
// it asks again.
const probeEvery = 250 * million

// Step asks, or looks for the answer.
func (p *Probe) Step() {
	now := p.world.Now()
	switch {
	case p.Ledger != 0:
	case p.Served != 0 && p.line != nil:
		p.got = append(p.got, p.line.Receive()...)
		if a, size, err := wire.Read(p.got); size > 0 || err != nil || p.line.Err() != nil {
			p.line.Close()
			p.line, p.Ledger = nil, ledgerOf(a.Text)
		}
	case p.Served != 0:
	case p.line == nil && now >= p.next:
		p.tries++
		p.line = p.world.DialFrom(fmt.Sprintf("10.9.1.1:%d", 20000+p.tries), p.address)
		p.line.Send(p.text)
		p.got, p.deadline = nil, now+4*probeEvery
		p.world.At(p.deadline, func() {})
	case p.line != nil:
		p.got = append(p.got, p.line.Receive()...)
		if string(p.got) == "+OK\r\n" {
			p.Served, p.got = now, nil
			p.line.Send(wire.Request("info", "memory"))
			return
		}
		if _, size, err := wire.Read(p.got); size > 0 || err != nil || p.line.Err() != nil || now >= p.deadline {
			p.line.Close()
			p.line = nil
			p.next = now + probeEvery
			p.world.At(p.next, func() {})
		}
	}
}

// ledgerOf finds in the reply to INFO what keys and values take.
func ledgerOf(info string) int64 {
	_, rest, _ := strings.Cut(info, "used_memory_dataset:")
	number, _, _ := strings.Cut(rest, "\r\n")
	bytes, _ := strconv.ParseInt(number, 10, 64)
	return bytes
}
