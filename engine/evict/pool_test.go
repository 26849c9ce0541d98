package evict

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// offered is a pool as a child would write it.
type offered struct {
	score uint64
	key   string
	db    int
}

// TestPoolKeepsTheBest compares the pool with a sorted list.
func TestPoolKeepsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pool Pool
		var model []offered
		offer := func(t *rapid.T) {
			o := offered{
				rapid.Uint64Range(0, 40).Draw(t, "score"),
				fmt.Sprint("k", rapid.IntRange(0, 30).Draw(t, "key")),
				rapid.IntRange(0, 1).Draw(t, "db"),
			}
			pool.Offer(o.score, uint64(len(o.key)), o.db, []byte(o.key))
			model = offerModel(model, o)
		}
		take := func(t *rapid.T) {
			if len(model) == 0 {
				t.Skip("empty")
			}
			best := pool.Best()
			at := slices.IndexFunc(model, func(o offered) bool {
				return o.db == best.DB && o.key == string(best.Key)
			})
			if at < 0 || model[at].score != best.Score {
				t.Fatalf("best is %+v, not in %+v", *best, model)
			}
			for _, o := range model {
				if o.score > best.Score {
					t.Fatalf("best is %+v, but there is %+v", *best, o)
				}
			}
			pool.DropBest()
			model = slices.Delete(model, at, at+1)
		}
		t.Repeat(map[string]func(*rapid.T){"offer": offer, "take": take, "": func(t *rapid.T) {
			if pool.Len() != len(model) || (pool.Best() == nil) != (len(model) == 0) {
				t.Fatalf("%d candidates, want %d", pool.Len(), len(model))
			}
		}})
	})
}

// offerModel keeps the list sorted, later ones before earlier ones of the same
// score.
func offerModel(model []offered, o offered) []offered {
	model = slices.DeleteFunc(model, func(m offered) bool { return m.key == o.key && m.db == o.db })
	if len(model) == PoolSize {
		if o.score <= model[0].score {
			return model
		}
		model = model[1:]
	}
	at := slices.IndexFunc(model, func(m offered) bool { return m.score > o.score })
	if at < 0 {
		at = len(model)
	}
	return slices.Insert(slices.Clone(model), at, o)
}

func TestPoolCopiesKeys(t *testing.T) {
	var pool Pool
	key := []byte("key")
	pool.Offer(1, 2, 3, key)
	key[0] = 'X'
	if best := pool.Best(); string(best.Key) != "key" || best.Place != 2 || best.DB != 3 {
		t.Errorf("best is %+v", *best)
	}
}

func TestPoolDoesNotHoardLongKeys(t *testing.T) {
	var pool Pool
	for i := range uint64(2 * PoolSize) {
		pool.Offer(i, i, 0, bytes.Repeat([]byte{byte(i)}, 1<<20))
	}
	pool.Clear()
	for i := range pool.places {
		if held := cap(pool.places[i].Key); held > keepKey {
			t.Fatalf("an idle place holds %d bytes", held)
		}
	}
}

func TestPoolDoesNotAllocate(t *testing.T) {
	var pool Pool
	key := []byte("a key of usual length:000000")
	turn := uint64(0)
	round := func() {
		turn++
		key[len(key)-1] = byte(turn)
		pool.Offer(turn*7919%64, turn, 0, key)
		if turn%3 == 0 {
			pool.DropBest()
		}
	}
	for range 100 {
		round()
	}
	if n := testing.AllocsPerRun(1000, round); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}
