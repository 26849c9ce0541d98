package state

import (
	"fmt"
	"testing"

	"github.com/elares/ironcache/sim/invariant"
)

// shallow turns deep checks off for a test that applies very many entries.
func shallow(t *testing.T) {
	invariant.Deep = false
	t.Cleanup(func() { invariant.Deep = true })
}

const leaseSteps = 600

// No two epochs of a slot are served at once, whatever clocks within their bound,
// delays, pauses, restarts, releases and migrations do.
func TestLeases(t *testing.T) {
	shallow(t)
	passes, takes, epochs := 0, 0, 0
	for seed := range uint64(200) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			w := newLeaseWorld(seed, noRule)
			if err := w.lease.Validate(); err != nil {
				t.Fatal(err)
			}
			w.run(leaseSteps)
			if err := w.overlap(); err != nil {
				t.Error(err)
			}
			seen := map[[2]uint64]bool{}
			for _, p := range w.passes {
				seen[[2]uint64{uint64(p.slot), p.epoch}] = true
			}
			passes, takes, epochs = passes+len(w.passes), takes+w.takes, epochs+len(seen)
		})
	}
	t.Logf("%d batches passed in %d epochs, %d leases were waited out", passes, epochs, takes)
}

// Each rule is needed: without it two epochs are served at once.
func TestLeasesNeedEachRule(t *testing.T) {
	shallow(t)
	for _, broken := range []rule{waitsForDrift, waitsFromApply, countsFromSending, appliesFirst, readsClockAfter, fencesByView,
		comparesRenewal, stopsBeforeGiving, asksTheLog, orphansSlots, waitsForFormer} {
		t.Run(string(broken), func(t *testing.T) {
			for seed := range uint64(400) {
				w := newLeaseWorld(seed, broken)
				w.run(leaseSteps)
				if err := w.overlap(); err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Error("it made no difference")
		})
	}
}
