//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/elares/ironcache/research/bench/load"
	"github.com/elares/ironcache/research/bench/machine"
)

// A sample is one measurement: one case, one server, one round.
type sample struct {
	Round int     `json:"round"`
	Rate  float64 `json:"commands_per_s,omitempty"`
	CPU   float64 `json:"server_cpu_ns_per_command,omitempty"`
	P50   float64 `json:"p50_us,omitempty"`
	P99   float64 `json:"p99_us,omitempty"`
	P999  float64 `json:"p99.9_us,omitempty"`
	Max   float64 `json:"max_us,omitempty"`
	Late  float64 `json:"generator_late_us,omitempty"` // the generator's own worst delay
	Bytes float64 `json:"bytes_per_key,omitempty"`
	// What a server says of its loop's longest stall: on the clock, without
	// what others had the cores for, and without waiting for anything.
	Wall     float64 `json:"stall_us,omitempty"`
	Held     float64 `json:"stall_held_us,omitempty"`
	Busy     float64 `json:"stall_busy_us,omitempty"`
	Resident float64 `json:"resident_mb,omitempty"`
	Foreign  float64 `json:"foreign_share"`
}

func newSample(seen load.Result, used machine.Usage) sample {
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	s := sample{
		P50: us(seen.Latency.Percentile(50)), P99: us(seen.Latency.Percentile(99)),
		P999: us(seen.Latency.Percentile(99.9)), Max: us(seen.Latency.Max()),
		Late: us(seen.Late), Foreign: used.Foreign,
	}
	if seen.Commands > 0 && seen.Elapsed > 0 {
		s.Rate = float64(seen.Commands) / seen.Elapsed.Seconds()
		s.CPU = float64(used.Server) / float64(seen.Commands)
	}
	return s
}

// brief is a line for the progress display.
func (s sample) brief() string {
	text := fmt.Sprintf("%.0f/s, %.0f ns CPU, p99.9 %.0f us", s.Rate, s.CPU, s.P999)
	if s.Bytes > 0 {
		text = fmt.Sprintf("%.1f bytes a key over payload", s.Bytes)
	}
	return fmt.Sprintf("%s, others %.0f%%", text, s.Foreign*100)
}

// A metric is a number of a sample.
type metric struct {
	name string
	of   func(sample) float64
}

// metrics lists all numbers of a sample.
var metrics = []metric{
	{"rate", func(s sample) float64 { return s.Rate }},
	{"cpu", func(s sample) float64 { return s.CPU }},
	{"p50", func(s sample) float64 { return s.P50 }},
	{"p99", func(s sample) float64 { return s.P99 }},
	{"p99.9", func(s sample) float64 { return s.P999 }},
	{"max", func(s sample) float64 { return s.Max }},
	{"late", func(s sample) float64 { return s.Late }},
	{"bytes", func(s sample) float64 { return s.Bytes }},
	{"wall", func(s sample) float64 { return s.Wall }},
	{"held", func(s sample) float64 { return s.Held }},
	{"busy", func(s sample) float64 { return s.Busy }},
	{"resident", func(s sample) float64 { return s.Resident }},
}

func metricNamed(name string) metric {
	return metrics[slices.IndexFunc(metrics, func(m metric) bool { return m.name == name })]
}

// A table holds the samples of a row by case and server.
type table struct {
	row     string
	limit   float64 // of foreign load
	cases   []string
	servers []string
	samples map[[2]string][]sample
}

func newTable(row string, limit float64) *table {
	return &table{row: row, limit: limit, samples: map[[2]string][]sample{}}
}

func (t *table) add(of, server string, s sample) {
	if !slices.Contains(t.cases, of) {
		t.cases = append(t.cases, of)
	}
	if !slices.Contains(t.servers, server) {
		t.servers = append(t.servers, server)
	}
	t.samples[[2]string{of, server}] = append(t.samples[[2]string{of, server}], s)
}

// clean counts the samples with little foreign load.
func (t *table) clean(of, server string) (clean, all int) {
	list := t.samples[[2]string{of, server}]
	for _, s := range list {
		if s.Foreign <= t.limit {
			clean++
		}
	}
	return clean, len(list)
}

// median is the middle of a metric over the clean rounds; over all rounds if
// none is clean.
func (t *table) median(of, server string, m metric) float64 {
	var clean, all []float64
	for _, s := range t.samples[[2]string{of, server}] {
		all = append(all, m.of(s))
		if s.Foreign <= t.limit {
			clean = append(clean, m.of(s))
		}
	}
	return middle(clean, all)
}

// ratio is the middle, over rounds clean for both, of one server's metric over
// another's in the same round.
func (t *table) ratio(of, above, below string, m metric) float64 {
	var clean, all []float64
	for _, a := range t.samples[[2]string{of, above}] {
		for _, b := range t.samples[[2]string{of, below}] {
			if a.Round != b.Round || m.of(b) == 0 {
				continue
			}
			all = append(all, m.of(a)/m.of(b))
			if a.Foreign <= t.limit && b.Foreign <= t.limit {
				clean = append(clean, m.of(a)/m.of(b))
			}
		}
	}
	return middle(clean, all)
}

// middle is the median of the first list that is not empty, 0 of none.
func middle(lists ...[]float64) float64 {
	for _, list := range lists {
		if n := len(list); n > 0 {
			list = slices.Sorted(slices.Values(list))
			return (list[(n-1)/2] + list[n/2]) / 2
		}
	}
	return 0
}
