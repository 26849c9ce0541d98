package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const longest = int64(60 * time.Second)

// Latency is a distribution of durations from 1 ns to 60 s with three
// significant digits. The zero value is empty and ready.
type Latency struct{ histogram *hdrhistogram.Histogram }

func (l *Latency) join(other Latency) {
	if l.histogram == nil {
		l.histogram = hdrhistogram.New(1, longest, 3)
	}
	if other.histogram != nil {
		l.histogram.Merge(other.histogram)
	}
}

func (l *Latency) add(ns int64) {
	if l.histogram == nil {
		l.histogram = hdrhistogram.New(1, longest, 3)
	}
	// Only a value out of range fails, and this one is within.
	_ = l.histogram.RecordValue(min(max(ns, 1), longest))
}

// Percentile tells the duration that p percent of all stayed within, 0 if
// nothing was recorded.
func (l *Latency) Percentile(p float64) time.Duration {
	if l.histogram == nil {
		return 0
	}
	return time.Duration(l.histogram.ValueAtPercentile(p))
}

// Max tells the longest duration.
func (l *Latency) Max() time.Duration {
	if l.histogram == nil {
		return 0
	}
	return time.Duration(l.histogram.Max())
}

// Count tells how many durations were recorded.
func (l *Latency) Count() int64 {
	if l.histogram == nil {
		return 0
	}
	return l.histogram.TotalCount()
}
