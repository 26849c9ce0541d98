package host

import (
	"runtime"
	"testing"
	"time"
)

func TestThreadMeter(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	meter := ThreadMeter()
	const work = 20 * time.Millisecond
	ran, waited := meter()
	from := time.Now()
	for now := ran; now-ran < int64(work); {
		now, _ = meter()
	}
	end, delayed := meter()
	if end < ran+int64(work) || delayed < waited {
		t.Errorf("from %d, %d to %d, %d", ran, waited, end, delayed)
	}
	if wall := time.Since(from); wall < work*9/10 {
		t.Errorf("%v of processor time within %v", work, wall)
	}
	from = time.Now()
	time.Sleep(work) // uses nothing
	if now, _ := meter(); now-end > int64(time.Since(from))/2 {
		t.Errorf("%d ns of processor time asleep", now-end)
	}
}
