package host

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Errands from several threads are all run, those of one thread in order, and
// never two at a time.
func TestAside(t *testing.T) {
	const threads, each = 4, 2000
	var aside Aside
	var asked, done sync.WaitGroup
	var running atomic.Int32
	next := make([]int, threads)
	done.Add(threads * each)
	for thread := range threads {
		asked.Go(func() {
			for i := range each {
				aside.Do(func() {
					defer done.Done()
					if running.Add(1) != 1 {
						t.Error("two errands run at a time")
					}
					if next[thread] != i {
						t.Errorf("errand %d comes as number %d", i, next[thread])
					}
					next[thread]++
					running.Add(-1)
				})
				if i%500 == 0 {
					time.Sleep(time.Millisecond) // the runner goes home
				}
			}
		})
	}
	asked.Wait()
	done.Wait()
	for deadline := time.Now().Add(10 * time.Second); aside.top.Load() != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the runner stays with nothing to do")
		}
	}
}
