package netio

import (
	"bytes"
	"fmt"
	collector "runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elares/ironcache/netio/host"
)

// residentCases fill a node with 100 MB and make most of it free again.
var residentCases = []struct {
	name string
	free func(t *testing.T, w *wire)
	left float64 // share of the memory that may remain
}{
	{"flush", func(t *testing.T, w *wire) { w.must(t, "flushall") }, 0.1},
	{"expiry at once", func(t *testing.T, w *wire) {
		w.each(t, func(i int) string { return fmt.Sprintf("pexpire key:%d 1", i) })
	}, 0.1},
	{"four of five deleted", func(t *testing.T, w *wire) {
		w.each(t, func(i int) string {
			if i%5 == 0 {
				return "ping"
			}
			return fmt.Sprintf("del key:%d", i)
		})
	}, 0.3},
}

const residentKeys = 100_000

// Values that are refused or evicted take no memory beyond the limit for long,
// even if nobody else finds the time to return it.
func TestLargeValuesThatGoAtOnceStayWithinBounds(t *testing.T) {
	if raceDetector {
		t.Skip("regions are Go slices")
	}
	for _, policy := range []string{"noeviction", "allkeys-lru"} {
		t.Run(policy, func(t *testing.T) { largeValuesGoAtOnce(t, policy) })
	}
}

func largeValuesGoAtOnce(t *testing.T, policy string) {
	const limit, bound = 20 << 20, 20<<20*9/8 + mostUnder + 40<<20
	never := func(func()) {}
	p := &plant{t: t, log: &syncLog{}, aside: never}
	p.build(1, false, []string{fmt.Sprintf("maxmemory=%d", limit), "maxmemory-policy=" + policy})
	p.start()
	w, err := p.dial()
	if err != nil {
		t.Fatal(err)
	}
	memory, value := host.NewMemory(host.Options{}), bytes.Repeat([]byte{'v'}, 8<<20)
	collector.FreeOSMemory()
	empty, refused, most := memory.Resident(), 0, int64(0)
	for i := range 300 {
		n := 1<<20 + i*791977%(6<<20)
		fmt.Fprintf(w, "*3\r\n$3\r\nset\r\n$4\r\n%04d\r\n$%d\r\n", i, n)
		_, _ = w.Write(value[:n])
		_, _ = w.Write([]byte("\r\n"))
		reply, err := w.read()
		if err != nil {
			t.Fatal(err)
		}
		if reply != "+OK\r\n" {
			refused++
		}
		if held := memory.Resident() - empty; held > bound {
			t.Fatalf("%d MB are held after %d values", held>>20, i+1)
		}
		most = max(most, memory.Resident()-empty)
	}
	t.Logf("at most %d MB were held", most>>20)
	if (policy == "noeviction") != (refused > 0) {
		t.Errorf("%d values were refused", refused)
	}
}

// Memory that is free goes back to the system within seconds, on a node that
// has nothing else to do, and then the node rests.
func TestFreeMemoryIsReturned(t *testing.T) {
	if raceDetector {
		t.Skip("regions are Go slices")
	}
	memory := host.NewMemory(host.Options{})
	for _, c := range residentCases {
		t.Run(c.name, func(t *testing.T) {
			p := startPlant(t, 1, false)
			w, err := p.dial()
			if err != nil {
				t.Fatal(err)
			}
			collector.FreeOSMemory() // what other tests left
			empty := memory.Resident()
			value := strings.Repeat("v", 1000)
			w.each(t, func(i int) string { return fmt.Sprintf("set key:%d %s", i, value) })
			grown := memory.Resident() - empty
			if grown < residentKeys*1000 {
				t.Fatalf("%d MB resident after growth", grown>>20)
			}
			c.free(t, w)
			w.must(t, "ping")
			for until := time.Now().Add(10 * time.Second); float64(memory.Resident()-empty) > c.left*float64(grown); {
				if time.Now().After(until) {
					t.Fatalf("%d of %d MB stay resident", (memory.Resident()-empty)>>20, grown>>20)
				}
				time.Sleep(10 * time.Millisecond)
			}
			rests(t)
		})
	}
}

// rests fails the test when the process keeps working for more than seconds.
func rests(t *testing.T) {
	const span = 200 * time.Millisecond
	for until := time.Now().Add(5 * time.Second); ; {
		before := processorTime()
		time.Sleep(span)
		used := processorTime() - before
		if used < span/10 {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%v of processor time within %v, with nothing to do", used, span)
		}
	}
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// each sends a request for every key, in pipelines.
func (w *wire) each(t *testing.T, line func(i int) string) {
	t.Helper()
	for i := 0; i < residentKeys; i += 500 {
		var lines []string
		for j := range 500 {
			lines = append(lines, line(i+j))
		}
		w.must(t, lines...)
	}
}

func (w *wire) must(t *testing.T, lines ...string) {
	t.Helper()
	replies, err := w.do(lines...)
	for _, r := range replies {
		if r[0] == '-' {
			t.Fatalf("%.60q", r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}
