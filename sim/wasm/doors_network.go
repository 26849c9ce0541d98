package wasm

import (
	"encoding/json"

	"github.com/tetratelabs/wazero/api"

	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/env"
)

var networkDoors = []function{
	{"net_poller", netPoller, nil, types(i32)},
	{"net_listen", netListen, types(i32, i32, i32, i32, i32, i32, i32, i32), types(i64)},
	{"net_dial", netDial, types(i32, i32, i32), types(i64)},
	{"net_accept", netAccept, types(i32, i32, i32, i32), types(i64)},
	{"net_wait", netWait, types(i32, i32, i32, i64), types(i32)},
	{"net_bells", netBells, types(i32, i32), types(i32)},
	{"net_read", netRead, types(i32, i32, i32, i32), types(i64)},
	{"net_write", netWrite, types(i32, i32, i32, i32), types(i64)},
	{"net_want", netWant, types(i32, i32, i32, i32), nil},
	{"net_gone", netGone, types(i32, i32), types(i32)},
	{"net_detach", netDetach, types(i32, i32), nil},
	{"net_attach", netAttach, types(i32, i32), types(i64)},
	{"net_close", netClose, types(i32, i32), nil},
	{"net_shut", netShut, types(i32), nil},
}

// poller is the one that a door's first argument names.
func (l *life) poller(args []uint64) env.Poller {
	l.enter()
	id := uint32(args[0])
	l.drag(l.coreOf(id))
	return l.pollers[id]
}

func conn(arg uint64) env.Conn { return env.Conn(uint32(arg)) }

func netPoller(l *life, _ api.Memory, args []uint64) {
	l.enter()
	p, err := l.doors.Network.Poller()
	if err != nil {
		panic(err) // the simulated network has always room for one more
	}
	args[0] = uint64(len(l.pollers))
	l.pollers, l.armed = append(l.pollers, p), append(l.armed, awaiting{})
}

func netListen(l *life, m api.Memory, args []uint64) {
	id, err := l.poller(args).Listen(env.ListenAddress{
		Network: textAt(m, args[1], args[2]), Address: textAt(m, args[3], args[4]),
		Backlog: int(uint32(args[5])), Shared: uint32(args[6]) != 0, Perm: uint32(args[7]),
	})
	args[0] = l.answer(int64(id), err)
}

func netDial(l *life, m api.Memory, args []uint64) {
	id, err := l.poller(args).Dial(textAt(m, args[1], args[2]))
	args[0] = l.answer(int64(id), err)
}

// netAccept answers with the length of the description of the peer above the
// number of the connection.
func netAccept(l *life, m api.Memory, args []uint64) {
	id, peer, err := l.poller(args).Accept(conn(args[1]))
	if err != nil {
		args[0] = l.answer(0, err)
		return
	}
	text, err := json.Marshal(peer)
	if err != nil {
		panic(err) // text and flags only
	}
	size := copy(bytesAt(m, args[2], args[3]), text)
	args[0] = uint64(size)<<32 | uint64(uint32(id))
}

// netWait tells what is ready now. With nothing to tell, the poller is armed:
// it is rung for when there is, and when so many nanoseconds of the node's clock
// have passed (0: it is not to be rung for, below 0: no limit).
func netWait(l *life, m api.Memory, args []uint64) {
	p := l.poller(args)
	var events [64]env.Event
	room := min(len(events), int(uint32(args[2])))
	n, err := p.Wait(events[:room], -1)
	if err != nil {
		panic(err) // the simulated poller knows no errors
	}
	out := bytesAt(m, args[1], uint64(room*door.EventSize))
	for i, e := range events[:n] {
		door.PutEvent(out[i*door.EventSize:], e)
	}
	if timeout := int64(args[3]); n > 0 || timeout == 0 {
		l.armed[uint32(args[0])] = awaiting{}
	} else {
		l.arm(uint32(args[0]), timeout)
	}
	args[0] = uint64(n)
}

// netBells gives the names of pollers to be rung.
func netBells(l *life, m api.Memory, args []uint64) {
	l.enter()
	n := copy(bytesAt(m, args[0], args[1]), l.bells)
	l.bells = append(l.bells[:0], l.bells[n:]...)
	args[0] = uint64(n)
}

func netRead(l *life, m api.Memory, args []uint64) {
	core := l.coreOf(uint32(args[0]))
	n, err := l.poller(args).Read(conn(args[1]), bytesAt(m, args[2], args[3]))
	if n > 0 {
		l.hasRead(core)
	}
	args[0] = l.answer(int64(n), err)
}

func netWrite(l *life, m api.Memory, args []uint64) {
	n, err := l.poller(args).Write(conn(args[1]), bytesAt(m, args[2], args[3]))
	args[0] = l.answer(int64(n), err)
}

func netWant(l *life, _ api.Memory, args []uint64) {
	p, id, on := l.poller(args), conn(args[1]), uint32(args[3]) != 0
	if uint32(args[2]) != 0 {
		p.WantWrite(id, on)
		return
	}
	p.WantRead(id, on)
}

func netGone(l *life, _ api.Memory, args []uint64) {
	gone := l.poller(args).Gone(conn(args[1]))
	if args[0] = 0; gone {
		args[0] = 1
	}
}

func netDetach(l *life, _ api.Memory, args []uint64) { l.poller(args).Detach(conn(args[1])) }

func netAttach(l *life, _ api.Memory, args []uint64) {
	args[0] = l.answer(0, l.poller(args).Attach(conn(args[1])))
}

func netClose(l *life, _ api.Memory, args []uint64) { l.poller(args).Close(conn(args[1])) }

func netShut(l *life, _ api.Memory, args []uint64) { l.poller(args).Shut() }
