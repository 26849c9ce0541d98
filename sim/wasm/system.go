package wasm

import (
	"context"
	"encoding/binary"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// function is one function of the host.
type function struct {
	name            string
	call            func(l *life, m api.Memory, args []uint64)
	params, results []api.ValueType
}

const (
	i32 = api.ValueTypeI32
	i64 = api.ValueTypeI64
)

func types(list ...api.ValueType) []api.ValueType { return list }

// export adds functions to a module. Each finds the life of its caller.
func export(b wazero.HostModuleBuilder, functions []function) {
	for _, f := range functions {
		call := func(ctx context.Context, m api.Module, args []uint64) { f.call(of(ctx), m.Memory(), args) }
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(call), f.params, f.results).Export(f.name)
	}
}

// systemDoors replace those functions of WASI through which a Go program waits
// (https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md).
var systemDoors = []function{
	{"poll_oneoff", pollOneoff, types(i32, i32, i32, i32), types(i32)},
	{"fd_fdstat_get", fdStat, types(i32, i32), types(i32)},
	{"fd_fdstat_set_flags", fdSetFlags, types(i32, i32), types(i32)},
}

const (
	subscriptionSize = 48
	eventSize        = 32
)

// pollOneoff is where an instance sleeps: for a time, and for bells when it
// asks for standard input.
func pollOneoff(l *life, m api.Memory, args []uint64) {
	l.enter()
	l.node.Memory = max(l.node.Memory, int64(m.Size()))
	in, out, count := uint32(args[0]), uint32(args[1]), uint32(args[2])
	timeout, clock, input := int64(-1), uint64(0), uint64(0)
	l.wantBells = false
	for i := range count {
		s, _ := m.Read(in+subscriptionSize*i, subscriptionSize)
		switch s[8] {
		case 0:
			clock, timeout = binary.LittleEndian.Uint64(s), int64(binary.LittleEndian.Uint64(s[24:]))
		case 1:
			input, l.wantBells = binary.LittleEndian.Uint64(s), true
		}
	}
	l.ring()
	rung := func() bool { return l.wantBells && len(l.bells) > 0 }
	if !rung() && timeout != 0 {
		l.sleep(timeout)
	}
	var event [eventSize]byte
	if rung() {
		binary.LittleEndian.PutUint64(event[:], input)
		event[10] = 1
	} else {
		binary.LittleEndian.PutUint64(event[:], clock)
	}
	m.Write(out, event[:])
	m.WriteUint32Le(uint32(args[3]), 1)
	args[0] = 0
}

// sleep waits for a bell, or until timeout nanoseconds of the node's clock have
// passed (below 0: no limit).
func (l *life) sleep(timeout int64) {
	l.timer++
	l.timerDue = false
	if timeout > 0 {
		this := l.timer
		l.world.At(l.world.Now()+l.node.Machine.Clock.True(timeout), func() {
			if l.timer == this {
				l.timerDue = true
			}
		})
	}
	l.wait()
	l.timer++
}

// fdStat describes standard input, output and error: streams, of which the
// first does not block.
func fdStat(_ *life, m api.Memory, args []uint64) {
	var stat [24]byte
	stat[0] = 2
	if uint32(args[0]) == 0 {
		stat[2] = 4
	}
	m.Write(uint32(args[1]), stat[:])
	args[0] = 0
}

func fdSetFlags(_ *life, _ api.Memory, args []uint64) { args[0] = 0 }
