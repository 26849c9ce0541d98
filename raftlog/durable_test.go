package raftlog

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

// A node whose log cannot be trusted any more stops, so that it is started anew: it
// would otherwise be a member for ever that cannot follow. A write that fails and
// leaves nothing behind is no reason.
func TestBrokenLogStopsTheNode(t *testing.T) {
	disk, s := newStore(t)
	fails := sim.Writing
	disk.Fault = func(act sim.Act, _ string) error {
		if act == fails {
			return sim.ErrIO
		}
		return nil
	}
	append := func() (err error, stopped string) {
		return guarded(func() error { return (&durable{Log: s.Log}).StoreLog(&raft.Log{Index: 1, Term: 1, Data: []byte("a")}) })
	}
	if err, stopped := append(); err == nil || stopped != "" {
		t.Errorf("a write failed: %v, stopped: %q", err, stopped)
	}
	fails = sim.Syncing
	if _, stopped := append(); !strings.Contains(stopped, "start the node again") {
		t.Errorf("a sync failed, stopped: %q", stopped)
	}
}

// So does a node that does not know what of its votes is durable, or of the cluster that it
// agreed to come into.
func TestBrokenValuesStopTheNode(t *testing.T) {
	disk, s := newStore(t)
	set := func() (error, string) {
		return guarded(func() error { return values{s.Stable}.SetUint64([]byte(voteKey), 1) })
	}
	disk.Fault = failing(sim.Syncing)
	if err, stopped := set(); err == nil || stopped != "" {
		t.Errorf("what was to take their place is not durable: %v, stopped: %q", err, stopped)
	}
	disk.Fault = failing(sim.SyncingDir)
	if _, stopped := set(); !strings.Contains(stopped, "start the node again") {
		t.Errorf("the folder is not, stopped: %q", stopped)
	}
}

// So does a node that has removed entries which others contradict, and cannot write down
// theirs.
func TestLogThatWasCutTakesEntriesOrStopsTheNode(t *testing.T) {
	disk, s := newStore(t)
	log := &durable{Log: s.Log}
	write := func(index, term uint64) (error, string) {
		return guarded(func() error { return log.StoreLog(&raft.Log{Index: index, Term: term, Data: []byte("a")}) })
	}
	for _, full := range []bool{false, true} {
		disk.Fault = nil
		if err, stopped := write(1, 1); err != nil || stopped != "" {
			t.Fatal(err, stopped)
		}
		if err := log.DeleteRange(1, 1); err != nil { // of the whole log: the library begins anew
			t.Fatal(err)
		}
		for index := range uint64(2) {
			if err, stopped := write(index+1, 1); err != nil || stopped != "" {
				t.Fatal(err, stopped)
			}
		}
		if err := log.DeleteRange(2, 2); err != nil {
			t.Fatal(err)
		}
		if full {
			disk.Fault = filled
		}
		if _, stopped := write(2, 2); strings.Contains(stopped, "start the node again") != full {
			t.Errorf("the disk is full: %v; stopped: %q", full, stopped)
		}
		if err := log.DeleteRange(1, 2); err != nil && !full {
			t.Fatal(err)
		}
	}
}

// A node whose log cannot be read stops: as a leader it would lead for ever and
// replicate nothing. That an entry is not there is no reason.
func TestUnreadableLogStopsTheNode(t *testing.T) {
	for name, spoil := range map[string]func(d *sim.Disk, file string){
		"a bit that turned over": func(d *sim.Disk, file string) { d.Flip(file, 8*d.SizeOf(file)/2) },
		"a read that fails":      func(d *sim.Disk, _ string) { d.Fault = failing(sim.Reading) },
	} {
		t.Run(name, func(t *testing.T) {
			disk, s := newStore(t)
			log := &durable{Log: s.Log}
			if err := log.StoreLog(&raft.Log{Index: 1, Term: 1, Data: make([]byte, 4096)}); err != nil {
				t.Fatal(err)
			}
			var l raft.Log
			for index, want := range map[uint64]error{1: nil, 2: raft.ErrLogNotFound} {
				if err, stopped := guarded(func() error { return log.GetLog(index, &l) }); err != want || stopped != "" {
					t.Errorf("entry %d: %v, stopped: %q", index, err, stopped)
				}
			}
			spoil(disk, "/data/raft/log/0000000000000001.seg")
			if _, stopped := guarded(func() error { return log.GetLog(1, &l) }); !strings.Contains(stopped, "log cannot be read") {
				t.Errorf("the log cannot be read, stopped: %q", stopped)
			}
		})
	}
}

func failing(fails sim.Act) func(sim.Act, string) error {
	return func(act sim.Act, _ string) error {
		if act == fails {
			return sim.ErrIO
		}
		return nil
	}
}

// newStore makes an empty store.
func newStore(t *testing.T) (*sim.Disk, *store.Store) {
	t.Helper()
	disk := sim.New(1, sim.Mix{}).Machine().Disk
	if err := disk.MakeDir("/data"); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(disk, "/data/raft", store.Options{Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	return disk, s
}

// guarded tells what a call answered, or what it stopped the program with.
func guarded(call func() error) (err error, stopped string) {
	defer func() {
		if r := recover(); r != nil {
			stopped = fmt.Sprint(r)
		}
	}()
	return call(), ""
}

// What was cut off the log at a start is told, with the file.
func TestTornLogIsTold(t *testing.T) {
	o := freeOptions(t)
	p, err := Open(o)
	if err == nil {
		err = p.FormAlone()
	}
	if err == nil {
		err = p.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	name := o.Dir + "/raft/log/0000000000000001.seg"
	f, err := o.World.Disk.Open(name, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, err := f.Size()
	if err == nil {
		_, err = f.WriteAt([]byte("not all"), size)
	}
	if err != nil {
		t.Fatal(err)
	}
	var said [2]bytes.Buffer
	for i := range said {
		o.Log = slog.New(slog.NewTextHandler(&said[i], nil))
		if p, err = Open(o); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	const told = "as is normal after a crash"
	if first := said[0].String(); !strings.Contains(first, told) || !strings.Contains(first, "file="+name+" bytes=7\n") || strings.Contains(said[1].String(), told) {
		t.Errorf("first %s, then %s", first, said[1].String())
	}
}
