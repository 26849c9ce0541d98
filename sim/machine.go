package sim

import (
	"fmt"

	"github.com/elares/ironcache/sim/env"
)

// Machine is a computer in a world: what a node stands on.
type Machine struct {
	Clock  *Clock
	Disk   *Disk
	Memory *Memory

	world   *World
	id      uint64
	network *Network
	lives   uint64 // how often it started
	rand    env.Rand
}

// Machine adds a machine to the world.
func (w *World) Machine() *Machine {
	m := &Machine{world: w, id: uint64(len(w.machines))}
	m.Clock = &Clock{world: w}
	m.Disk = newDisk(w, m.id)
	w.machines = append(w.machines, m)
	m.start()
	return m
}

// start gives the machine what a restart renews.
func (m *Machine) start() {
	m.lives++
	m.rand = NewRand(hash(m.world.seed, m.id, m.lives))
	m.network = newNetwork(m)
	m.Memory = &Memory{}
}

// address is where a connection that the machine dials comes from.
func (m *Machine) address(dialled uint64) string {
	return fmt.Sprintf("%s:%d", m.Host(), 32768+dialled%28000)
}

// Host is the machine's address in the network, 10.0.0.1 for the first machine.
func (m *Machine) Host() string { return fmt.Sprintf("10.0.%d.%d", (m.id+1)>>8, (m.id+1)&255) }

// Doors gives the node that runs on the machine its world. After a Crash they
// must be fetched again.
func (m *Machine) Doors() env.World {
	return env.World{Clock: m.Clock, Rand: m.rand, Network: m.network, Disk: m.Disk, Memory: m.Memory}
}

// Ready tells whether a poller of this machine has something to report.
func (m *Machine) Ready(p env.Poller) bool { return p.(*poller).anyReady() }

// LimitConns bounds how many connections the machine accepts; 0: no limit.
func (m *Machine) LimitConns(most int) { m.network.mostConns = most }

// LoseDisk puts an empty disk in the place of the machine's. The node must be
// down.
func (m *Machine) LoseDisk() {
	m.world.Note("lose disk", m.id, m.Disk.used)
	empty := newDisk(m.world, m.id)
	empty.Capacity, empty.Fault, empty.Astray = m.Disk.Capacity, m.Disk.Fault, m.Disk.Astray
	empty.files, empty.acts, empty.crashes = m.Disk.files+1, m.Disk.acts, m.Disk.crashes
	m.Disk = empty
}

// Crash ends everything at once and starts the machine again: connections are
// reset, memory is gone, and the disk keeps what was durable and a part of the
// rest. The caller drops the node that ran on it.
func (m *Machine) Crash() {
	m.world.Note("crash", m.id, 0)
	for _, p := range m.network.pollers {
		p.crash()
	}
	m.Disk.Crash()
	m.start()
}
