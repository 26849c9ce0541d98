package netio

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// cut tells that an error is one of a connection that was closed or killed,
// between two replies or within one.
func cut(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &op)
}

// Messages pass from one thread to another in order and whole, whether the ring
// is nearly empty or full.
func TestRingCarriesInOrder(t *testing.T) {
	const count = 200_000
	r := &ring{}
	sent := make([]message, count)
	go func() {
		for i := range sent {
			sent[i].first = i
			for !r.push(&sent[i]) {
				time.Sleep(0)
			}
		}
	}()
	deadline := time.Now().Add(20 * time.Second)
	for want := 0; want < count; {
		m := r.pop()
		if m == nil {
			if time.Now().After(deadline) {
				t.Fatalf("message %d does not come", want)
			}
			time.Sleep(0)
			continue
		}
		if m.first != want {
			t.Fatalf("message %d comes as number %d", m.first, want)
		}
		want++
	}
	if !r.empty() {
		t.Error("the ring is not empty")
	}
}

// No wake-up is lost: loops that no timer wakes serve every hop between them.
func TestNoWakeUpIsLost(t *testing.T) {
	for _, portable := range []bool{false, true} {
		t.Run(fmt.Sprintf("portable %v", portable), func(t *testing.T) {
			p := newPlant(t, 2, portable)
			for _, l := range p.node.loops {
				l.cronAt, l.expireAt = math.MaxInt64/2, math.MaxInt64/2
			}
			p.start()
			var done sync.WaitGroup
			for range 2 {
				done.Go(func() { p.hop(2000) })
			}
			done.Wait()
		})
	}
}

// hop asks one key of each shard, and both, one request at a time.
func (p *plant) hop(count int) {
	w, err := p.dial()
	if err != nil {
		p.t.Error(err)
		return
	}
	lines := []string{"get " + keyOn(0, 2, "k"), "get " + keyOn(1, 2, "k"), all("mget", []string{keyOn(0, 2, "k"), keyOn(1, 2, "k")})}
	for i := range count {
		if _, err := w.do(lines[i%len(lines)]); err != nil {
			p.t.Errorf("request %d: %v", i, err)
			return
		}
		if i%50 == 0 {
			time.Sleep(time.Millisecond) // the loops fall asleep
		}
	}
}

// Calls from other threads all run, on the first loop.
func TestPostsAllRun(t *testing.T) {
	p := startPlant(t, 2, false, "hz=1")
	const threads, calls = 4, 500
	var ran, elsewhere atomic.Int64
	var done sync.WaitGroup
	for range threads {
		done.Go(func() {
			for range calls {
				p.node.Post(func(l *Loop) {
					ran.Add(1)
					if l.id != 0 {
						elsewhere.Add(1)
					}
				})
			}
		})
	}
	done.Wait()
	for deadline := time.Now().Add(10 * time.Second); ran.Load() < threads*calls && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if ran.Load() != threads*calls || elsewhere.Load() > 0 {
		t.Errorf("%d ran, %d elsewhere", ran.Load(), elsewhere.Load())
	}
}

// plantRace asks TestPlantedRace, in a process of its own, to break the rule
// that a shard is its owner's alone.
const plantRace = "IRONCACHE_TEST_PLANT_RACE"

// The race detector sees the arenas: a shard that is read from outside of its
// loop is reported.
func TestRaceDetectorSeesArenas(t *testing.T) {
	if !raceDetector {
		t.Skip("this build has no race detector")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestPlantedRace$", "-test.v")
	cmd.Env = append(os.Environ(), plantRace+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") || !strings.Contains(string(out), "keyspace") {
		t.Errorf("the planted race was not reported: %v\n%s", err, out)
	}
}

func TestPlantedRace(t *testing.T) {
	if os.Getenv(plantRace) == "" {
		t.Skip("only when TestRaceDetectorSeesArenas asks for it")
	}
	p := startPlant(t, 2, false)
	w, err := p.dial()
	if err != nil {
		t.Fatal(err)
	}
	key := keyOn(1, 2, "k")
	space := p.node.loops[1].shard.Store().Space(0)
	for i := range 200 {
		if _, err := w.do(fmt.Sprintf("set %s %d", key, i)); err != nil {
			t.Fatal(err)
		}
		if e := space.Find(p.node.hash.Key([]byte(key))); e.Ok() {
			_ = e.Len()
		}
	}
}
