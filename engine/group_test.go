package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// mixed is a batch of quick commands, unusual cases and errors among them, and
// of commands that are timed alone.
func (r *rig) mixed() (ops []command.Op, buf []byte, spans []resp.Span) {
	text := strings.Repeat("v", 64)
	r.must("+OK\r\n", "set", "text", text)
	r.must("+OK\r\n", "set", "other", text)
	r.must("+OK\r\n", "set", "number", "17")
	for _, line := range []string{
		"get text", "get other", "get missing", "get text", "incr text", "set text " + text, "set other " + text,
		"set other short", "get number", "incr number", "getrange text 0 3", "get other", "incr other", "get text",
	} {
		words := strings.Fields(line)
		op := r.op(words)
		op.First = uint32(len(spans))
		op.Near = r.shards[0].Store().Space(0).AskEntry(op.Place)
		for _, span := range r.spans {
			spans = append(spans, resp.Span{Off: span.Off + uint32(len(buf)), Len: span.Len})
		}
		buf = append(buf, r.buf...)
		ops = append(ops, op)
	}
	r.out.Reset()
	return ops, buf, spans
}

// Operations that run together give the replies, the ends of replies and the
// statistics of operations that run one by one.
func TestTogetherIsOneByOne(t *testing.T) {
	tell := func(r *rig, ends []int) string {
		s := r.shards[0]
		total, codes := s.Errors()
		text := fmt.Sprintf("%q ends %v errors %d %v hits %d misses %d changes %d", r.out.Buf, ends,
			total, codes, s.call.Hits, s.call.Misses, s.call.Changes)
		for _, name := range []string{"get", "set", "incr", "getrange"} {
			row := s.Row(command.Lookup([]byte(name)).ID)
			text += fmt.Sprintf(" %s %d failed %d", name, row.Calls, row.Failed)
		}
		return text
	}
	newOne := func() *rig { return newRig(t, 1, 0, keyspace.Options{}, usual("allkeys-lru")) }

	one := newOne()
	ops, buf, spans := one.mixed()
	var ends []int
	for i := range ops {
		one.shards[0].Do(ops[i:i+1], buf, spans, &one.out)
		ends = append(ends, one.out.Len())
	}
	want := tell(one, ends)
	if !strings.Contains(want, "errors 2 ") {
		t.Fatalf("the batch has no two errors: %s", want)
	}

	together := newOne()
	ops, buf, spans = together.mixed()
	if n := together.shards[0].Do(ops, buf, spans, &together.out); n != len(ops) {
		t.Fatalf("%d of %d operations ran", n, len(ops))
	}
	if got := tell(together, ends); got != want {
		t.Errorf("together:\n%s\none by one:\n%s", got, want)
	}

	each := newOne()
	ops, buf, spans = each.mixed()
	got := each.shards[0].DoEach(ops, buf, spans, &each.out, []int{7})
	if len(got) == 0 || got[0] != 7 {
		t.Fatalf("what was in ends is gone: %v", got)
	}
	if got := tell(each, slices.Clone(got[1:])); got != want {
		t.Errorf("each:\n%s\none by one:\n%s", got, want)
	}
}
