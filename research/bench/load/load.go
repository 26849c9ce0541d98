// Package load drives a RESP server from one thread, cheaply enough that the
// server stays the bottleneck: requests are rendered beforehand, replies are
// counted by their bytes or lines and looked into only on a sample.
//
// It never hides a wait. A Closed run has as many batches under way as there
// are connections; an Open run sends on a schedule and counts each latency from
// the moment the request was due, so a stalled server cannot slow the clock
// that judges it.
package load

import "time"

// A Result is what one run saw.
type Result struct {
	Commands int64         // answered
	Elapsed  time.Duration // from the first batch sent to the last answered
	Latency  Latency       // of a batch (Closed) or a request (Open)
	Late     time.Duration // Open: the largest delay of the generator itself
}

// Join adds what another run saw.
func (r *Result) Join(other Result) {
	r.Commands += other.Commands
	r.Elapsed += other.Elapsed
	r.Latency.join(other.Latency)
	r.Late = max(r.Late, other.Late)
}

var born = time.Now()

// nanos is a monotonic clock in nanoseconds.
func nanos() int64 { return int64(time.Since(born)) }
