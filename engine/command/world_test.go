package command

import (
	"strconv"
	"strings"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
)

// judge is what a world needs of a test: testing.T, testing.B or rapid.T.
type judge interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// world is a keyspace of some shards with a Call on it, and nothing else.
type world struct {
	tb    judge
	call  *Call
	reply resp.Writer
	db    int
	proto uint8
	told  [][]string // the effects, when told is not nil
	dbs   []int      // their databases
	event []string   // what was touched
}

const testDatabases = 4

func newWorld(tb judge, shards int) *world { return newWorldOn(tb, shards, heap{}) }

func newWorldOn(tb judge, shards int, memory env.Memory) *world {
	rand := &dice{state: 1}
	hash := keyspace.NewHash(rand)
	var stores []*keyspace.Store
	for range shards {
		store, err := keyspace.NewStore(memory, keyspace.NewLedger(0), keyspace.Options{Hash: hash, Databases: testDatabases})
		if err != nil {
			tb.Fatal(err)
		}
		stores = append(stores, store)
	}
	policy := Policy{Databases: testDatabases, MaxBulk: 512 << 20, Shared: true, LFULogFactor: 10, LFUDecayTime: 1}
	w := &world{tb: tb, call: NewCall(stores, hash, rand, policy), proto: 2}
	w.call.Now = 1_700_000_000_000
	w.call.Own(0)
	w.call.Reply = &w.reply
	w.call.Own(0)
	return w
}

// listen makes the world note effects.
func (w *world) listen() {
	w.told = [][]string{}
	w.call.Listen(func(e *Effect) {
		words := make([]string, len(e.Args))
		for i, word := range e.Args {
			words[i] = string(word)
		}
		w.told, w.dbs = append(w.told, words), append(w.dbs, e.DB)
		for _, t := range e.Touched {
			w.event = append(w.event, t.Event.String()+" "+string(t.Key.Bytes))
		}
	})
}

// effects gives the effects noted since the last call, as lines.
func (w *world) effects() string {
	var lines []string
	for _, words := range w.told {
		lines = append(lines, strings.Join(words, " "))
	}
	w.told, w.dbs = w.told[:0], w.dbs[:0]
	return strings.Join(lines, "; ")
}

// events gives what was touched since the last call.
func (w *world) events() string {
	text := strings.Join(w.event, "; ")
	w.event = w.event[:0]
	return text
}

// do runs a line in the quoting of redis-cli and gives the reply with spaces in
// place of its line ends.
func (w *world) do(line string) string {
	w.tb.Helper()
	var batch resp.Batch
	limits := resp.DefaultLimits()
	buf := []byte(line + "\n")
	if err := new(resp.Parser).Parse(buf, &batch, &limits); err != nil || len(batch.Requests) != 1 {
		w.tb.Fatalf("%q is no request: %v", line, err)
	}
	return strings.TrimSuffix(strings.ReplaceAll(w.run(buf, batch.Spans), "\r\n", " "), " ")
}

// number runs a line that replies with an integer.
func (w *world) number(line string) int {
	w.tb.Helper()
	n, err := strconv.Atoi(strings.TrimPrefix(w.do(line), ":"))
	if err != nil {
		w.tb.Fatal(line, err)
	}
	return n
}

// doWords runs a request given as words and gives the reply as it is.
func (w *world) doWords(words ...string) string {
	var spans []resp.Span
	var buf []byte
	for _, word := range words {
		spans = append(spans, resp.Span{Off: uint32(len(buf)), Len: uint32(len(word))})
		buf = append(buf, word...)
	}
	return w.run(buf, spans)
}

func (w *world) run(buf []byte, spans []resp.Span) string {
	w.tb.Helper()
	w.reply.Reset()
	w.reply.Proto = w.proto
	args := Args{buf, spans}
	row, err := Resolve(args)
	if err != nil {
		w.reply.Fail(err)
		return string(w.reply.Bytes())
	}
	if row.Do == nil {
		w.tb.Fatalf("%s has no function here", row.Name)
	}
	w.call.Batch(buf, spans)
	op := w.op(row, args)
	w.call.Run(&op)
	return string(w.reply.Bytes())
}

// op is the request that fills a batch, routed as a node does it.
func (w *world) op(row *Row, args Args) Op {
	op := Op{Argc: uint32(args.Len()), Row: row.ID, DB: uint16(w.db), Proto: w.proto}
	if row.First != 0 && row.Scope == ByKey {
		op.Key, op.Place = row.First, w.call.Hash.Place(args.At(int(row.First)))
	}
	return op
}

// check runs lines and compares replies.
func (w *world) check(lines ...[2]string) {
	w.tb.Helper()
	for _, line := range lines {
		if got := w.do(line[0]); got != line[1] {
			w.tb.Errorf("%s\n\tgot  %s\n\twant %s", line[0], got, line[1])
		}
	}
}

// heap is env.Memory in Go's heap.
type heap struct{}

const heapPage = 4096

func (heap) Map(size int) ([]byte, error) { return make([]byte, size), nil }
func (heap) Unmap([]byte)                 {}
func (heap) Discard(part []byte)          { clear(part) }
func (heap) PageSize() int                { return heapPage }
func (heap) Resident() int64              { return 0 }
