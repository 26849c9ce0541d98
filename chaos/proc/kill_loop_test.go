package proc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/differ"
	"github.com/elares/ironcache/linearize"
)

// envSoak makes tests of chance last for a time, as 5m, instead of some seconds.
const envSoak = "IRONCACHE_SOAK"

func soak(t *testing.T, usual time.Duration) time.Duration {
	t.Helper()
	text := os.Getenv(envSoak)
	if text == "" {
		return usual
	}
	span, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", envSoak, err)
	}
	return span
}

// Nodes are killed, started and paused again and again while clients read and write.
// There is an order of all they did that explains what they saw, each start of a node
// being a wipe of its keys, and in the end the cluster is whole.
func TestKillLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	const nodes, clients, keys = 3, 4, 12
	b := newBench(t, nodes)
	b.join()
	w := &witness{bench: b, began: time.Now(), owners: map[string]int{}, dice: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))}
	for range keys {
		w.keys = append(w.keys, w.fresh(len(w.keys)%nodes))
	}
	var done sync.WaitGroup
	over := make(chan struct{})
	for id := range clients {
		done.Go(func() { (&customer{witness: w, id: id + 1, conns: make([]*differ.Conn, nodes)}).ask(over) })
	}
	for until := time.Now().Add(soak(t, 5*time.Second)); time.Now().Before(until) && !t.Failed(); {
		w.harm()
	}
	b.until("the cluster is whole", b.whole)
	well := w.now()
	b.until("clients use it", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.last > well
	})
	close(over)
	done.Wait()
	w.judge()
}

// witness writes down what clients do and see, and what nodes suffer.
type witness struct {
	*bench
	began time.Time
	dice  *rand.Rand // of harm alone

	mu      sync.Mutex
	history linearize.History
	keys    []*used
	turns   int
	owners  map[string]int // of keys
	harms   int
	last    int64 // when somebody last had an answer
}

// used is a key that clients use for a while: the judge's search is bounded.
type used struct {
	name        string
	owner       int
	asked, lost int
}

// Limits of a key, below those of the judge.
const (
	mostAsked = 100
	mostLost  = 3
)

func (w *witness) now() int64 { return int64(time.Since(w.began)) }

// fresh is a key of a node that was not used before.
func (w *witness) fresh(owner int) *used {
	w.turns++
	k := &used{name: KeyOf(owner, len(w.Nodes), w.turns), owner: owner}
	w.owners[k.name] = owner
	return k
}

// pick is the n-th key in use, or a fresh one in its place.
func (w *witness) pick(n int) *used {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.keys[n%len(w.keys)]
	if k.asked >= mostAsked || k.lost >= mostLost {
		k = w.fresh(k.owner)
		w.keys[n%len(w.keys)] = k
	}
	return k
}

// harm kills a node and starts it after a moment, or, every third time, lets it stand
// still for longer than its lease. About every other time it waits until all is well.
func (w *witness) harm() {
	w.harms++
	at := w.dice.IntN(len(w.Nodes))
	n := w.Nodes[at]
	var err error
	if w.harms%3 == 0 {
		if err = n.Pause(); err == nil {
			time.Sleep(Lease + time.Duration(w.dice.IntN(500))*time.Millisecond)
			err = n.Resume()
		}
	} else {
		from := w.now()
		if err = n.Kill(); err == nil {
			time.Sleep(time.Duration(w.dice.IntN(800)) * time.Millisecond)
			err = n.Start()
		}
		w.wiped(at, from)
	}
	if err != nil {
		w.t.Errorf("harm %d, to node %d: %v", w.harms, at, err)
	}
	if w.dice.IntN(2) == 0 && !w.t.Failed() {
		w.until("the cluster is whole", w.whole)
	}
	time.Sleep(time.Duration(w.dice.IntN(300)) * time.Millisecond)
}

// wiped notes that a node has lost its keys.
func (w *witness) wiped(node int, from int64) {
	to := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.history.Marks = append(w.history.Marks, linearize.Mark{Kind: linearize.Wipe, Node: fmt.Sprint(node), From: from, To: to})
}

// judge looks for an order of operations that explains all.
func (w *witness) judge() {
	w.t.Helper()
	h := &w.history
	w.concern()
	report, err := linearize.Check(h, linearize.Options{Wipes: true, Limits: linearize.Limits{Unknowns: 20}})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, v := range report.Keys {
		if v.Class != linearize.OK {
			w.t.Errorf("key %s: %s: %s", v.Key, v.Class, v.Reason)
		}
	}
	if len(h.Operations) < 100 || len(h.Marks)+1 < w.harms/3 {
		w.t.Errorf("%d operations, %d wipes, of %d harms", len(h.Operations), len(h.Marks), w.harms)
	}
	w.t.Logf("%d harms, %d of them kills, %d operations on %d keys", w.harms, len(h.Marks), len(h.Operations), w.turns)
}

// concern says which keys each wipe is about.
func (w *witness) concern() {
	h := &w.history
	var kept []linearize.Mark
	for _, m := range h.Marks {
		for _, key := range h.Keys() {
			if fmt.Sprint(w.owners[key]) == m.Node {
				m.Keys = append(m.Keys, key)
			}
		}
		if len(m.Keys) > 0 { // without keys it would be about every key
			kept = append(kept, m)
		}
	}
	h.Marks = kept
}

// customer is one client. It asks the owner of a key for one thing at a time.
type customer struct {
	*witness
	id    int
	asked int
	conns []*differ.Conn // to each node, nil where there is none
}

// ask asks until all is over.
func (c *customer) ask(over <-chan struct{}) {
	dice := rand.New(rand.NewPCG(uint64(c.id), uint64(c.began.UnixNano())))
	for {
		select {
		case <-over:
			return
		case <-time.After(time.Duration(5+dice.IntN(20)) * time.Millisecond):
		}
		k := c.pick(min(dice.IntN(len(c.keys)), dice.IntN(len(c.keys))))
		c.asked++
		op := linearize.Operation{Client: c.id, Key: k.name, Kind: linearize.Get}
		if draw := dice.IntN(10); draw >= 4 {
			op.Kind = []linearize.Kind{linearize.Set, linearize.Set, linearize.Set, linearize.SetNX, linearize.GetDel, linearize.Del}[draw-4]
		}
		words := []string{string(op.Kind), op.Key}
		if op.Kind == linearize.Set || op.Kind == linearize.SetNX {
			op.Value = fmt.Sprintf("%d-%d", c.id, c.asked)
			words = append(words, op.Value)
		}
		c.do(k, op, words)
	}
}

// do asks for an operation and writes down what became of it. One that was refused
// was not done, and of a read without an answer nothing is known: neither is written
// down.
func (c *customer) do(k *used, op linearize.Operation, words []string) {
	conn := c.conns[k.owner]
	if conn == nil {
		var err error
		if conn, err = differ.Dial(c.Nodes[k.owner].Addr()); err != nil {
			return
		}
		conn.Patience = 2 * time.Second
		c.conns[k.owner] = conn
	}
	op.Call = c.now()
	r, err := conn.Do(words...)
	op.Return = c.now()
	switch {
	case err != nil:
		conn.Close()
		c.conns[k.owner] = nil
		op.Return, op.Outcome = linearize.Infinite, linearize.Outcome{Result: linearize.Lost}
	case r.Kind == '-':
		return
	case r.Null:
		op.Outcome = linearize.Outcome{Result: linearize.Nothing}
	default:
		op.Outcome = linearize.Replied(r.Text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.last = op.Return
	}
	if err == nil || op.Kind != linearize.Get {
		k.asked++
		if err != nil {
			k.lost++
		}
		c.history.Operations = append(c.history.Operations, op)
	}
}
