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

// A vote whose sync failed may be on the disk or not. Nothing is answered with
// success until the store is opened again, and then there is one of the two.
func TestFailedSyncBreaksTheStableStore(t *testing.T) {
	for seed := range uint64(40) {
		for _, act := range []sim.Act{sim.Syncing, sim.SyncingDir} {
			t.Run(fmt.Sprintf("seed=%d %d", seed, act), func(t *testing.T) {
				disk := newDisk(seed)
				stable := open(t, disk, store.Options{}).Stable
				key := []byte("LastVoteTerm")
				must(t, stable.SetUint64(key, 1))
				disk.Fault = func(now sim.Act, _ string) error {
					if now == act {
						return sim.ErrIO
					}
					return nil
				}
				err := stable.SetUint64(key, 2)
				disk.Fault = nil
				if !errors.Is(err, sim.ErrIO) {
					t.Fatal(err)
				}
				if err := stable.SetUint64(key, 3); !errors.Is(err, sim.ErrIO) {
					t.Fatal(err)
				}
				if number, err := stable.GetUint64(key); number != 1 || err != nil {
					t.Fatal(number, err)
				}
				if seed%2 == 0 {
					disk.Crash()
				}
				was, err := open(t, disk, store.Options{}).Stable.GetUint64(key)
				if was != 1 && was != 2 || err != nil {
					t.Fatal(was, err)
				}
				disk.Crash()
				if is, err := open(t, disk, store.Options{}).Stable.GetUint64(key); is != was || err != nil {
					t.Fatal(was, is, err)
				}
			})
		}
	}
}
