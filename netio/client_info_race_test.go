package netio

import (
	"sync"
	"testing"
)

// CLIENT INFO tells whether a watched key has changed, be it another loop's. The race detector
// looks at that.
func TestClientInfoSeesOtherLoopsWatches(t *testing.T) {
	p := startPlant(t, 2, false)
	var done sync.WaitGroup
	keys := []string{keyOn(0, 2, "k"), keyOn(1, 2, "k")}
	for _, lines := range [][]string{
		{all("watch", keys), "client info", "client info", "unwatch"}, {"set " + keys[0] + " v", "set " + keys[1] + " v"},
	} {
		done.Go(func() {
			w, err := p.dial()
			for range 300 {
				if err == nil {
					_, err = w.do(lines...)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}
