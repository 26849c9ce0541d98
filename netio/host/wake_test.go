package host

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestWakeBeforeWait(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for range 3 {
			d.Wake()
			d.Wake()
			returned(t, "Wait", func() { d.Wait(d.events[:], -1) })
			d.Wake()
			returned(t, "Park", func() { d.Park(-1, true) })
		}
	})
}

func returned(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatalf("%s slept through a Wake", what)
	}
}

func TestTimeouts(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		const limit = 3 * time.Millisecond
		for name, sleep := range map[string]func(){
			"Wait": func() { d.Wait(d.events[:], int64(limit)) },
			"Park": func() { d.Park(int64(limit), true) },
		} {
			start := time.Now()
			sleep()
			if took := time.Since(start); took < limit || took > limit+2*time.Second {
				t.Errorf("%s of %v took %v", name, limit, took)
			}
		}
		returned(t, "Wait of nothing", func() { d.Wait(d.events[:], 0) })
	})
}

// Park looks away from connections, and loses none of their events.
func TestParkIgnoresConnections(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		send(t, client, "x")
		d.readable(conn)
		start := time.Now()
		d.Park(int64(10*time.Millisecond), true)
		if time.Since(start) < 10*time.Millisecond {
			t.Fatal("Park returned early")
		}
		d.readable(conn)
	})
}

// Every thread publishes a number and wakes; each must be seen, though the
// loop only looks after Wait or Park returned.
func TestNoWakeIsLost(t *testing.T) {
	sleeps := map[string]func(*desk){
		"Wait": func(d *desk) { d.Wait(d.events[:], int64(10*time.Second)) },
		"Park": func(d *desk) { d.Park(int64(10*time.Second), false) },
	}
	for name, sleep := range sleeps {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, d *desk) { wakeStress(t, d, sleep) })
		})
	}
}

func wakeStress(t *testing.T, d *desk, sleep func(*desk)) {
	const threads = 3
	rounds := 4000
	if testing.Short() {
		rounds = 500
	}
	var sent, seen [threads]atomic.Int64
	var group sync.WaitGroup
	for i := range threads {
		group.Go(func() {
			for n := range int64(rounds) {
				if n%8 == 0 {
					time.Sleep(time.Duration(i*25) * time.Microsecond) // let the loop fall asleep
				}
				sent[i].Store(n + 1)
				d.Wake()
				for spins := 0; seen[i].Load() <= n; spins++ {
					runtime.Gosched()
				}
			}
		})
	}
	start := time.Now()
	for left := threads; left > 0; {
		before := time.Now()
		sleep(d)
		if time.Since(before) > 5*time.Second {
			t.Fatal("a wake-up was lost")
		}
		left = 0
		for i := range threads {
			n := sent[i].Load()
			seen[i].Store(n)
			if n < int64(rounds) {
				left++
			}
		}
	}
	group.Wait()
	t.Logf("%d wake-ups in %v", threads*rounds, time.Since(start))
}
