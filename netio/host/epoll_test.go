//go:build linux && (amd64 || arm64)

package host

import (
	"io"
	"os"
	"testing"
	"time"

	"github.com/elares/ironcache/sim/env"
)

func TestHotPathAllocatesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		conn, client := d.pair()
		b := make([]byte, 64)
		turn := func() {
			client.Write(b)
			for read := 0; read < len(b); {
				d.Wait(d.events[:], int64(time.Second))
				n, _ := d.Read(conn, b[read:])
				read += n
			}
			d.Write(conn, b)
			d.WantWrite(conn, true)
			d.WantWrite(conn, false)
			d.Read(conn, b)
			d.Wait(d.events[:], 0)
			d.Wake()
			d.Wait(d.events[:], 10_000_000)
			d.Wait(d.events[:], 1)
			d.Park(1, true)
			io.ReadFull(client, b)
		}
		if allocs := testing.AllocsPerRun(200, turn); allocs != 0 {
			t.Errorf("%v allocations a turn", allocs)
		}
	})
}

// Kernels before 5.11 take timeouts in milliseconds, rounded up.
func TestRoundedTimeouts(t *testing.T) {
	d := newDesk(t, NewNetwork(Options{}))
	d.Poller.(*poller).precise = false
	for _, timeout := range []time.Duration{1, time.Millisecond, 1100 * time.Microsecond} {
		start := time.Now()
		d.Wait(d.events[:], int64(timeout))
		if took := time.Since(start); took < timeout || took < time.Millisecond {
			t.Errorf("Wait of %v took %v", timeout, took)
		}
	}
	d.Wake()
	returned(t, "Wait", func() { d.Wait(d.events[:], -1) })
}

func TestNothingIsLeftOpen(t *testing.T) {
	before := openFiles(t)
	network := NewNetwork(Options{})
	d := newDesk(t, network)
	d.listen(env.ListenAddress{})
	d.listen(env.ListenAddress{Shared: true})
	d.listen(env.ListenAddress{Network: "unix", Address: t.TempDir() + "/s", Shared: true})
	_, client := d.pair()
	d.Shut()
	client.Close()
	// The bell stays open for a late Wake until the collector takes the poller.
	if left := openFiles(t) - before; left > 1 {
		t.Errorf("%d descriptors are left", left)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// A connection is served without a delay for small packets and probed as Redis
// probes.
func TestSocketOptions(t *testing.T) {
	d := newDesk(t, NewNetwork(Options{}))
	conn, _ := d.pair()
	d.KeepAlive(conn, 300)
	checkOptions(t, conn, map[string]int{"nodelay": 1, "keepalive": 1, "idle": 300, "interval": 100, "count": 3})
	d.KeepAlive(conn, 0)
	checkOptions(t, conn, map[string]int{"nodelay": 1, "keepalive": 0})
}
