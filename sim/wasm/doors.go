package wasm

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/tetratelabs/wazero/api"

	"github.com/elares/ironcache/sim/door"
)

// openDoors gives modules the functions that sim/guest imports.
func (r *Runtime) openDoors(ctx context.Context) error {
	b := r.wazero.NewHostModuleBuilder(door.Module)
	for _, list := range [][]function{clockDoors, networkDoors, diskDoors} {
		export(b, list)
	}
	_, err := b.Instantiate(ctx)
	return err
}

var clockDoors = []function{
	{"wall", func(l *life, _ api.Memory, args []uint64) {
		l.enter()
		args[0] = uint64(l.doors.Clock.Wall())
	}, nil, types(i64)},
	{"monotonic", func(l *life, _ api.Memory, args []uint64) {
		l.enter()
		args[0] = uint64(l.doors.Clock.Monotonic())
	}, nil, types(i64)},
	{"fence", fence, types(i32, i32, i32, i32, i64), nil},
	{"applied", applied, types(i64, i64, i64, i64, i32, i32), nil},
	{"standing", standing, types(i32, i64, i64, i64, i64, i64), nil},
	{"lead", lead, types(i64, i64, i32, i32), nil},
	{"mark", mark, types(i32, i32), nil},
	{"why", func(l *life, m api.Memory, args []uint64) {
		args[0] = uint64(copy(bytesAt(m, args[0], args[1]), l.why))
	}, types(i32, i32), types(i32)},
}

// fence hears that a node released replies, or dropped them.
func fence(l *life, m api.Memory, args []uint64) {
	count, released := uint32(args[2]), uint32(args[3]) != 0
	l.world.Note("fence", uint64(l.node.id), int64(count)<<1|int64(args[3]&1))
	tell := l.node.cluster.Fence
	if tell == nil {
		return
	}
	raw, epochs := bytesAt(m, args[0], uint64(2*count)), bytesAt(m, args[1], uint64(8*count))
	f := Fencing{At: l.world.Now(), Released: released, Slots: make([]uint16, count), Epochs: make([]uint64, count)}
	for i := range f.Slots {
		f.Slots[i] = binary.LittleEndian.Uint16(raw[2*i:])
		f.Epochs[i] = binary.LittleEndian.Uint64(epochs[8*i:])
	}
	f.Ends = l.trueTime(int64(args[4]))
	tell(l.node, f)
}

// trueTime is when the clock of the node will show a time, if it goes on as it
// does; now, if it shows it already.
func (l *life) trueTime(shown int64) int64 {
	clock, at := l.node.Machine.Clock, l.world.Now()
	if left := shown - clock.Peek(); left > 0 {
		at += clock.True(left)
	}
	return at
}

// standing hears that a node's standing has changed.
func standing(l *life, _ api.Memory, args []uint64) {
	tell := l.node.cluster.Standing
	if tell == nil {
		return
	}
	s := Standing{At: l.world.Now(), Role: Role(args[0]), Term: args[1], Voted: args[2], Kept: args[3], Epoch: args[4]}
	if args[5] != 0 {
		s.Ends = l.trueTime(int64(args[5]))
	}
	tell(l.node, s)
}

// applied hears that a node applied an entry of the log.
func applied(l *life, m api.Memory, args []uint64) {
	l.world.Note("applied", uint64(l.node.id), int64(args[0]))
	l.world.Note("state", uint64(l.node.id), int64(args[3]))
	if tell := l.node.cluster.Applied; tell != nil {
		text := slices.Clone(bytesAt(m, args[4], args[5]))
		tell(l.node, Applying{l.world.Now(), args[0], args[1], args[2], args[3], text})
	}
}

// lead hears that a node came to lead, and with which log.
func lead(l *life, m api.Memory, args []uint64) {
	count := uint32(args[3])
	l.world.Note("lead", uint64(l.node.id), int64(args[0]))
	tell := l.node.cluster.Led
	if tell == nil {
		return
	}
	raw := bytesAt(m, args[2], uint64(24*count))
	told := Leading{At: l.world.Now(), Term: args[0], Covered: args[1], Log: make([]Held, count)}
	for i := range told.Log {
		word := func(k int) uint64 { return binary.LittleEndian.Uint64(raw[24*i+8*k:]) }
		told.Log[i] = Held{word(0), word(1), word(2)}
	}
	tell(l.node, told)
}

// mark hears that a node came to a place that is seldom reached.
func mark(l *life, m api.Memory, args []uint64) {
	if tell := l.node.cluster.Mark; tell != nil {
		tell(l.node, textAt(m, args[0], args[1]))
	}
}

// bytesAt is a part of the guest's memory. Only the guest's own mistake makes
// it lie outside.
func bytesAt(m api.Memory, at, size uint64) []byte {
	b, ok := m.Read(uint32(at), uint32(size))
	if !ok {
		panic("wasm: a door is handed memory that the guest does not have")
	}
	return b
}

func textAt(m api.Memory, at, size uint64) string { return string(bytesAt(m, at, size)) }

// answer is what a function answers with: a number, or the code of an error.
func (l *life) answer(n int64, err error) uint64 {
	if err != nil {
		l.why = err.Error()
		return uint64(door.CodeOf(err))
	}
	return uint64(n)
}
