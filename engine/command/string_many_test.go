package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
)

var longText, longerText = strings.Repeat("v", 64), strings.Repeat("v", 65)

// manyKeys prepares keys of all kinds that GET and SET meet.
var manyKeys = []string{
	"set text some-value-of-some-length", "set embstr " + strings.Repeat("e", 44), "set raw " + longText,
	"set number 12345", "set fading some-value-of-some-length ex 100", "set gone some-value-of-some-length px 1",
	"append grown some-value-of-some-length", "set large " + strings.Repeat("x", 20_000), "set k text-under-a-short-key",
	"set key-of-16-bytes! some-value-of-some-length", "set a-key-of-more-than-16-bytes some-value-of-some-length",
}

// What RunMany does is what Run does, and it stops where a closer look is needed.
func TestRunManyIsRun(t *testing.T) {
	for what, prepare := range map[string]func(w *world){
		"usual":    func(*world) {},
		"lfu":      func(w *world) { w.call.Policy.LFU = true },
		"no touch": func(w *world) { w.call.NoTouch = true },
		"effects":  func(w *world) { w.listen() },
		"proto 3":  func(w *world) { w.proto = 3 },
	} {
		for _, line := range manyKeys {
			key := strings.Fields(line)[1]
			for _, request := range []string{
				"get " + key, "get missing", "set " + key + " other-value-of-same-len.", "set " + key + " 54321",
				"set " + key + " " + longText, "set " + key + " " + longerText, "set " + key + " v",
				"set " + key + " other-value-of-same-len. ex 5", "set missing v",
			} {
				t.Run(fmt.Sprintf("%s/%.20s/%.40s", what, line, request), func(t *testing.T) {
					many, one := newWorld(t, 1), newWorld(t, 1)
					for _, w := range []*world{many, one} {
						for _, line := range manyKeys {
							w.do(line)
						}
						w.call.Now += 5000
						prepare(w)
					}
					many.runMany(request)
					one.do(request)
					if got, want := many.state(key), one.state(key); got != want {
						t.Errorf("got  %s\nwant %s", got, want)
					}
				})
			}
		}
	}
}

// runMany runs a request by RunMany if it is its usual case, else by Run, and
// tells whether it was.
func (w *world) runMany(request string) bool {
	w.reply.Reset()
	op := w.prepared(request)
	op.Near = w.call.own.Space(w.db).AskEntry(op.Place)
	if w.call.RunMany([]Op{op}, 1<<20) == 1 {
		return true
	}
	w.call.Run(&op)
	return false
}

// state is all that a request may have changed, its reply included.
func (w *world) state(key string) string {
	reply := string(w.reply.Buf)
	c := w.call
	text := fmt.Sprintf("%.100q hits %d misses %d changes %d effects %q events %q failed %v", reply,
		c.Hits, c.Misses, c.Changes, w.effects(), w.events(), c.Failed)
	c.NoTouch, c.Policy.LFU = true, false
	k := c.Hash.Key([]byte(key))
	if e := c.own.Space(w.db).Find(k); e.Ok() {
		text += fmt.Sprintf(" clock %d kind %d", e.Clock(), e.Kind())
	}
	return text + fmt.Sprintf(" then %.100q ttl %s", w.do("get "+key), w.do("pttl "+key))
}

// Neighbours are run together as far as they are of one kind and their usual
// case, and the replies stay within the limit.
func TestRunManyTakesNeighbours(t *testing.T) {
	w := newWorld(t, 1)
	var buf []byte
	for i := range 8 {
		w.do(fmt.Sprintf("set key:%d %s", i, longText))
		buf = fmt.Appendf(buf, "get key:%d\n", i)
	}
	buf = fmt.Appendf(buf, "get key:9\nset key:1 %s\nset key:2 %s\nget key:3\n", longText, longText)
	var batch resp.Batch
	limits := resp.DefaultLimits()
	if err := new(resp.Parser).Parse(buf, &batch, &limits); err != nil {
		t.Fatal(err)
	}
	var ops []Op
	for _, r := range batch.Requests {
		args := Args{buf, batch.Args(r)}
		row, err := Resolve(args)
		if err != nil {
			t.Fatal(err)
		}
		op := w.op(row, args)
		op.First, op.Near = r.First, w.call.own.Space(0).AskEntry(op.Place)
		ops = append(ops, op)
	}
	w.call.Batch(buf, batch.Spans)
	for _, step := range []struct{ from, limit, want int }{
		{0, 1 << 20, 8}, {0, 200, 3}, {8, 1 << 20, 0}, {9, 1 << 20, 2}, {11, 1 << 20, 1},
	} {
		w.reply.Reset()
		if n := w.call.RunMany(ops[step.from:], step.limit); n != step.want {
			t.Errorf("from %d, limit %d: %d operations, want %d", step.from, step.limit, n, step.want)
		}
	}
}
