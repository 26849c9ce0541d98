package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

func TestStableContract(t *testing.T) {
	disk := newDisk(1)
	stable := open(t, disk, store.Options{}).Stable
	if value, err := stable.Get([]byte("none")); value != nil || err != nil {
		t.Error(value, err)
	}
	if number, err := stable.GetUint64([]byte("none")); number != 0 || err != nil {
		t.Error(number, err)
	}
	key := []byte("CurrentTerm")
	must(t, stable.SetUint64(key, 7))
	must(t, stable.SetUint64(key, 1<<63+5))
	text := []byte("address")
	must(t, stable.Set([]byte("LastVoteCand"), text))
	text[0] = '?' // the store has its own
	must(t, stable.Set([]byte("empty"), nil))
	for range 2 {
		if number, err := stable.GetUint64(key); number != 1<<63+5 || err != nil {
			t.Error(number, err)
		}
		got, err := stable.Get([]byte("LastVoteCand"))
		if string(got) != "address" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		got[0] = '?'
		if _, err := stable.GetUint64([]byte("LastVoteCand")); err == nil {
			t.Error("a text was taken for a number")
		}
		disk.Crash()
		stable = open(t, disk, store.Options{}).Stable
	}
	if err := stable.Set(key, make([]byte, 2<<20)); !errors.Is(err, store.ErrTooLarge) {
		t.Error(err)
	}
	if number, err := stable.GetUint64(key); number != 1<<63+5 || err != nil {
		t.Error(number, err)
	}
}

// A vote that is in the place of the one before may be durable or not if the folder could
// not be synced. Nothing is answered with success until the store is opened again, and then
// there is one of the two.
func TestFailedSyncBreaksTheStableStore(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			disk, stable := voted(t, seed, sim.SyncingDir)
			if err := stable.SetUint64(vote, 3); !errors.Is(err, sim.ErrIO) {
				t.Fatal(err)
			}
			if number, err := stable.GetUint64(vote); number != 1 || err != nil {
				t.Fatal(number, err)
			}
			if seed%2 == 0 {
				disk.Crash()
			}
			was, err := open(t, disk, store.Options{}).Stable.GetUint64(vote)
			if was != 1 && was != 2 || err != nil {
				t.Fatal(was, err)
			}
			disk.Crash()
			if is, err := open(t, disk, store.Options{}).Stable.GetUint64(vote); is != was || err != nil {
				t.Fatal(was, is, err)
			}
		})
	}
}

// A vote that could not be made ready to take the place of the one before leaves that one
// where it is: the next one may take its place.
func TestStableStoreOutlivesAFailedSync(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			want := uint64(1)
			disk, stable := voted(t, seed, sim.Syncing)
			if seed%2 == 0 {
				want = 3
				must(t, stable.SetUint64(vote, want))
			}
			for range 2 {
				disk.Crash()
				if is, err := open(t, disk, store.Options{}).Stable.GetUint64(vote); is != want || err != nil {
					t.Fatal(is, want, err)
				}
			}
		})
	}
}

var vote = []byte("LastVoteTerm")

// voted gives a stable store with a vote of 1 that was not replaced by 2, since an act failed.
func voted(t *testing.T, seed uint64, fails sim.Act) (*sim.Disk, *store.Stable) {
	disk := newDisk(seed)
	stable := open(t, disk, store.Options{}).Stable
	must(t, stable.SetUint64(vote, 1))
	disk.Fault = func(act sim.Act, _ string) error {
		if act == fails {
			return sim.ErrIO
		}
		return nil
	}
	err := stable.SetUint64(vote, 2)
	disk.Fault = nil
	if !errors.Is(err, sim.ErrIO) {
		t.Fatal(err)
	}
	return disk, stable
}
