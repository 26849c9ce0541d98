package keyspace

import (
	"fmt"
	"sync"
	"testing"
)

func TestLedgerLimitsStores(t *testing.T) {
	ledger := NewLedger(4 << 20)
	memory, rand := newHeapMemory(), &stream{1}
	hash := NewHash(rand)
	var stores []*Store
	for range 3 {
		s, err := NewStore(memory, ledger, Options{Hash: hash, ChunkBytes: 64 << 10, Databases: 1})
		if err != nil {
			t.Fatal(err)
		}
		stores = append(stores, s)
	}
	value := make([]byte, 1000)
	refused := 0
	for i := 0; refused < 3; i++ {
		s := stores[i%3]
		if s.Over() && !s.Room(0) {
			refused++
			continue
		}
		refused = 0
		s.Space(0).PutString(hash.Key(fmt.Append(nil, i)), value, KindRaw, 0, 0)
	}
	sum := int64(0)
	for _, s := range stores {
		s.Publish()
		sum += s.Live()
	}
	if ledger.Used() != sum {
		t.Errorf("the ledger says %d, the stores %d", ledger.Used(), sum)
	}
	// Each store may be over by the growth of its last command: here below 16 KB.
	if sum > 4<<20+3*16<<10 || sum < 4<<20-3*leaseStep {
		t.Errorf("%d bytes are used of 4 MB", sum)
	}
	testCharge(t, ledger, stores)
	for _, s := range stores {
		s.Close()
	}
	if ledger.Used() != 0 || ledger.room.Load() != 4<<20 {
		t.Errorf("%d bytes are used, %d are free after all", ledger.Used(), ledger.room.Load())
	}
}

// testCharge: what others take, and a lower limit, make stores give way.
func testCharge(t *testing.T, ledger *Ledger, stores []*Store) {
	shrink := func() {
		for range 100 {
			for _, s := range stores {
				for s.Over() && !s.Room(0) {
					e := s.Space(0).Random(&stream{uint64(s.Live())})
					s.Space(0).Remove(s.hash.Key(e.Key()), e)
				}
				s.Publish()
			}
		}
		least, most := stores[0].Live(), stores[0].Live()
		for _, s := range stores {
			least, most = min(least, s.Live()), max(most, s.Live())
		}
		if least*2 < most {
			t.Errorf("stores hold from %d to %d bytes", least, most)
		}
	}
	ledger.Charge(1 << 20)
	shrink()
	if used := ledger.Used(); used > 4<<20+1000 {
		t.Errorf("%d bytes are used with the charge", used)
	}
	ledger.SetLimit(2 << 20)
	shrink()
	if used := ledger.Used(); used > 2<<20+1000 || ledger.Limit() != 2<<20 {
		t.Errorf("%d bytes are used under a limit of 2 MB", used)
	}
	ledger.Charge(-1 << 20)
	ledger.SetLimit(0)
	for _, s := range stores {
		if s.Over() && !s.Room(1<<40) {
			t.Error("there is a limit where there is none")
		}
		s.Trim()
	}
	ledger.SetLimit(4 << 20)
}

func TestLedgerConcurrently(t *testing.T) {
	ledger := NewLedger(64 << 20)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			a := ledger.open()
			for n := range 20000 {
				a.live += int64(n % 512)
				if a.over() && !a.ensure(0) || n%1000 == 999 {
					a.live = int64(i)
					a.trim(0)
				}
			}
			a.close()
		})
	}
	wait.Wait()
	if ledger.room.Load() != 64<<20 || ledger.Used() != 0 {
		t.Errorf("%d bytes are free in the end, %d are used", ledger.room.Load(), ledger.Used())
	}
}

func TestRoomFreesClearedSpaces(t *testing.T) {
	b := newBench(t, Options{})
	b.ledger.SetLimit(1 << 20)
	s := b.Space(0)
	for i := range 700 {
		s.PutString(b.keyf("%d", i), make([]byte, 1000), KindRaw, 0, 0)
	}
	if !b.Room(0) {
		t.Fatal("no room for 700 KB in 1 MB")
	}
	s.Clear()
	if !b.Room(900 << 10) {
		t.Error("what was cleared still fills the limit")
	}
}
