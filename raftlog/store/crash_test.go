package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

// crashed is what a disk panics with when the machine stops.
type crashed struct{}

// TestCrash runs random calls on a disk that fails and crashes, within calls
// too, and compares what is there afterwards with what was answered.
func TestCrash(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 200
	}
	total := tally{}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := newRun(t, seed)
			for range 6 {
				r.life()
				if r.chance(4) > 0 {
					r.disk.Crash()
					r.seen["crashes"]++
				}
			}
			r.world.SetMix(sim.Mix{})
			r.acts = -1
			r.reopen()
			for what, n := range r.seen {
				total[what] += n
			}
		})
	}
	t.Log(total)
	for _, what := range []string{"crashes", "within a call", "within open", "failed sync", "full disk", "unknown won", "unknown lost", "log emptied at open", "new segments", "stale snapshots"} {
		if total[what] == 0 {
			t.Errorf("no seed had %q", what)
		}
	}
}

type tally map[string]int

// run is one seed.
type run struct {
	t       *testing.T
	rand    *rand.Rand
	world   *sim.World
	disk    *sim.Disk
	options store.Options
	acts    int // until the machine stops; below 0: never
	opening bool
	seen    tally
	store   *store.Store
	model   model
}

func newRun(t *testing.T, seed uint64) *run {
	r := &run{t: t, rand: rand.New(rand.NewPCG(seed, 1)), seen: tally{}}
	rate := func(most int) int { return r.chance(2) * r.chance(most) }
	mix := sim.Mix{SyncFails: rate(40_000), WriteFails: rate(40_000), ReadFails: rate(4_000)}
	r.world = sim.New(seed, mix)
	r.disk = r.world.Machine().Disk
	r.options = store.Options{Node: "n", SegmentSize: int64(500 + r.chance(8)*r.chance(2000)), Keep: 1 + r.chance(3)}
	r.model = model{stable: map[string]string{}, maybeStable: map[string][]string{}, snapshots: map[string]string{}, maybeSnapshots: map[string]string{}}
	return r
}

// chance draws from 0 to n-1.
func (r *run) chance(n int) int { return r.rand.IntN(n) }

// step stops the machine when its time has come.
func (r *run) step() {
	if r.acts == 0 {
		panic(crashed{})
	}
	r.acts--
}

// life is from one start to the next.
func (r *run) life() {
	r.acts = -1
	if r.chance(4) > 0 {
		r.acts = r.chance(200)
	}
	defer func() {
		if reason := recover(); reason != nil {
			if _, ok := reason.(crashed); !ok {
				panic(reason)
			}
			if r.seen["within a call"]++; r.opening {
				r.seen["within open"]++
			}
			r.disk.Crash()
		}
	}()
	r.reopen()
	for range r.chance(30) {
		if r.chance(5) == 0 {
			r.fill()
		}
		act := [...]func() error{r.append, r.append, r.append, r.cut, r.compact, r.set, r.take, r.again}[r.chance(8)]
		if err := act(); err != nil {
			r.expected(err)
		}
		r.compare()
	}
}

// expected ends the test unless a drawn fault explains an error.
func (r *run) expected(err error) {
	r.t.Helper()
	full := errors.Is(err, sim.ErrFull)
	if damaged(err) || !full && !errors.Is(err, sim.ErrIO) {
		r.t.Fatal(err)
	}
	if full {
		r.seen["full disk"]++
	}
	if strings.Contains(err.Error(), "sync") {
		r.seen["failed sync"]++
	}
}

// fill leaves little room on the disk, or gives it back.
func (r *run) fill() {
	if r.disk.Capacity = 0; r.chance(2) == 0 {
		for _, size := range everyFile(r.t, r.disk) {
			r.disk.Capacity += size
		}
		r.disk.Capacity += int64(1 + r.chance(3000))
	}
}

// again drops the store without a crash, as the end of a process does.
func (r *run) again() error {
	if r.chance(4) == 0 {
		r.reopen()
	}
	return nil
}

func (r *run) reopen() {
	r.disk.Capacity = 0
	for r.opening = true; ; {
		var err error
		if r.store, err = store.Open(doored{r.disk, r.step}, dir, r.options); err == nil {
			break
		}
		r.expected(err)
	}
	r.opening = false
	r.settle()
	r.compare()
}

func (r *run) append() error {
	next := uint64(len(r.model.log)) + r.model.first
	if len(r.model.log) == 0 && r.chance(2) == 0 {
		next += uint64(r.chance(10))
	}
	r.model.term += uint64(r.chance(2))
	batch := entries(next, next+uint64(r.chance(1+r.chance(20))), r.model.term)
	after := slices.Concat(r.model.log, batch)
	for i := range batch { // a crash may leave the front of it
		r.model.maybe(slices.Concat(r.model.log, batch[:i+1]))
	}
	if err := r.store.Log.StoreLogs(batch); err != nil {
		return err
	}
	r.model.is(after)
	return nil
}

func (r *run) cut() error     { return r.delete(false) }
func (r *run) compact() error { return r.delete(true) }

func (r *run) delete(prefix bool) error {
	log := r.model.log
	if len(log) == 0 {
		return nil
	}
	n := 1 + r.chance(len(log))
	low, high, after := log[len(log)-n].Index, log[len(log)-1].Index, log[:len(log)-n]
	if prefix {
		low, high, after = log[0].Index, log[n-1].Index, log[n:]
	}
	r.model.maybe(after)
	err := r.store.Log.DeleteRange(low, high)
	now, failed := contents(r.store.Log)
	if err == nil || failed == nil && equal(now, after) { // what failed is to remove a file
		r.model.is(after)
	}
	return err
}

func (r *run) set() error {
	key, value := fmt.Sprint("key", r.chance(4)), fmt.Sprint(r.rand.Uint32())
	r.model.maybeStable[key] = append(r.model.maybeStable[key], value)
	if err := r.store.Stable.Set([]byte(key), []byte(value)); err != nil {
		return err
	}
	r.model.stable[key] = value
	clear(r.model.maybeStable)
	return nil
}

// take takes a snapshot.
func (r *run) take() error {
	newest := uint64(0)
	for id := range r.model.snapshots {
		newest = max(newest, index(id))
	}
	at := newest + uint64(r.chance(4))
	if r.chance(3) > 0 {
		at = max(at, r.model.first+uint64(len(r.model.log))/2)
	}
	if r.chance(8) == 0 {
		at = max(1, at-min(at, 3))
	}
	sink, err := r.store.Snapshots.Create(1, max(at, 1), r.model.term, servers, max(at, 1)/2, nil)
	if errors.Is(err, store.ErrStale) && at < newest {
		r.seen["stale snapshots"]++
		return nil
	}
	if err != nil {
		return err
	}
	text := strings.Repeat(fmt.Sprint(r.rand.Uint64(), " "), r.chance(10)*r.chance(10)*r.chance(100))
	if _, err := sink.Write([]byte(text)); err != nil || r.chance(8) == 0 {
		return errors.Join(err, sink.Cancel())
	}
	r.model.maybeSnapshots[sink.ID()] = text
	if err := sink.Close(); err != nil {
		return err
	}
	delete(r.model.maybeSnapshots, sink.ID())
	r.model.snapshots[sink.ID()] = text
	return nil
}

func index(id string) (index uint64) {
	fmt.Sscanf(id, "%d-", &index)
	return index
}

// retry repeats what a drawn fault made fail.
func retry[T any](r *run, act func() (T, error)) T {
	r.t.Helper()
	for {
		got, err := act()
		if err == nil {
			return got
		}
		r.expected(err)
	}
}

func (r *run) shown() []*raft.Log {
	r.t.Helper()
	return retry(r, func() ([]*raft.Log, error) { return contents(r.store.Log) })
}

// compare checks that the open store shows exactly what was answered.
func (r *run) compare() {
	r.t.Helper()
	if got := r.shown(); !equal(got, r.model.log) {
		r.t.Fatalf("the log holds %s, want %s", brief(got), brief(r.model.log))
	}
	for key, want := range r.model.stable {
		if got, err := r.store.Stable.Get([]byte(key)); err != nil || string(got) != want {
			r.t.Fatalf("%s is %q (%v), want %q", key, got, err, want)
		}
	}
	if r.chance(4) == 0 { // it reads much
		r.compareSnapshots()
	}
}
