package command

import (
	"testing"
)

// fastLines are requests that must not allocate, whatever they find.
var fastLines = []string{
	"get key:000001", "get number", "set key:000001 some-value-of-some-length", "set number 12345",
	"incr number", "exists key:000001", "ttl key:000001", "mget key:000001 number missing",
	"set key:000001 v ex 100", "expire key:000001 100", "strlen key:000001", "getrange key:000001 0 -1",
	"get missing", "append key:000001 x", "touch key:000001 number", "mset key:000001 a number 2", "del missing also",
}

// prepared is a request that is ready to run over and over.
func (w *world) prepared(line string) Op {
	args := argsOf(line)
	row, err := Resolve(args)
	if err != nil {
		w.tb.Fatal(err)
	}
	w.call.Batch(args.Buf, args.Spans)
	return w.op(row, args)
}

func fastWorld(tb testing.TB) *world {
	w := newWorld(tb, 1)
	w.do("set key:000001 some-value-of-some-length")
	w.do("set number 1")
	return w
}

func TestFastCommandsDoNotAllocate(t *testing.T) {
	for _, line := range fastLines {
		w := fastWorld(t)
		op := w.prepared(line)
		run := func() {
			w.reply.Reset()
			w.call.Run(&op)
		}
		run()
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", line, n)
		}
	}
}

func TestEffectsDoNotAllocate(t *testing.T) {
	for _, line := range fastLines {
		w := fastWorld(t)
		told := 0
		w.call.Listen(func(e *Effect) { told += len(e.Args) })
		op := w.prepared(line)
		run := func() {
			w.reply.Reset()
			w.call.Run(&op)
		}
		run()
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", line, n)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for _, line := range fastLines[:5] {
		b.Run(line, func(b *testing.B) {
			w := fastWorld(b)
			op := w.prepared(line)
			b.ReportAllocs()
			for range b.N {
				w.reply.Reset()
				w.call.Run(&op)
			}
		})
	}
}

// BenchmarkFloor is what BenchmarkRun would cost with a function that does
// nothing but reply.
func BenchmarkFloor(b *testing.B) {
	w := fastWorld(b)
	op := w.prepared("get missing")
	rows := append([]Row(nil), w.call.rows...)
	rows[op.Row].Do = func(c *Call) error { c.Reply.OK(); return nil }
	w.call.rows = rows
	for range b.N {
		w.reply.Reset()
		w.call.Run(&op)
	}
}
