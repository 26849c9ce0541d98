package evict

import (
	"sync"
	"testing"
)

func TestExchangeFindsTheColdestOther(t *testing.T) {
	x := NewExchange(4)
	if _, c := x.Coldest(0); c != 0 {
		t.Errorf("nobody published, yet there is coldness %d", c)
	}
	for shard, score := range []uint64{900, 10, 50, 20} {
		x.Publish(shard, Of(score))
	}
	if shard, c := x.Coldest(0); shard != 2 || c != Of(50) {
		t.Errorf("coldest but 0 is shard %d with %d", shard, c)
	}
	x.Publish(2, 0)
	if shard, _ := x.Coldest(0); shard != 3 {
		t.Errorf("coldest but 0 is shard %d after 2 has nothing left", shard)
	}
}

func TestAskingIsNoSum(t *testing.T) {
	x := NewExchange(2)
	woken := 0
	x.Wake = func(shard int) { woken += shard }
	for range 100 {
		x.Ask(1, 1000)
	}
	x.Ask(1, 10)
	if x.Asked(1) != 1000 || woken != 1 {
		t.Errorf("asked for %d, woken %d times", x.Asked(1), woken)
	}
	x.Gave(1, 400)
	x.Ask(1, 700)
	x.Gave(1, 5000)
	if x.Asked(1) != 0 {
		t.Errorf("still asked for %d", x.Asked(1))
	}
	x.Ask(1, 1)
	if woken != 2 {
		t.Errorf("woken %d times", woken)
	}
}

// TestExchangeIsShared is for the race detector.
func TestExchangeIsShared(t *testing.T) {
	x := NewExchange(4)
	var wg sync.WaitGroup
	for shard := range x.Shards() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 2000 {
				x.Publish(shard, Of(uint64(i)))
				victim, _ := x.Coldest(shard)
				x.Ask(victim, int64(i))
				x.Gave(shard, x.Asked(shard))
			}
		}()
	}
	wg.Wait()
	for shard := range x.Shards() {
		if x.Asked(shard) < 0 {
			t.Errorf("shard %d is asked for %d", shard, x.Asked(shard))
		}
	}
}
