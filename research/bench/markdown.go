//go:build linux

package main

import (
	"fmt"
	"strings"
)

// A column is one figure of a server in a case. An empty cell means that there
// is none.
type column struct {
	head string
	cell func(t *table, of, server string) string
}

var (
	rateColumn     = medianColumn("commands/s", "rate", "%.0f")
	cpuColumn      = medianColumn("CPU ns", "cpu", "%.0f")
	maxColumn      = medianColumn("max us", "max", "%.0f")
	lateColumn     = medianColumn("late us", "late", "%.0f")
	wallColumn     = medianColumn("loop us", "wall", "%.0f")
	heldColumn     = medianColumn("held us", "held", "%.0f")
	busyColumn     = medianColumn("busy us", "busy", "%.0f")
	residentColumn = medianColumn("RSS MB", "resident", "%.0f")
	bytesColumn    = medianColumn("bytes over payload", "bytes", "%.1f")
	latencyColumns = []column{
		medianColumn("p50 us", "p50", "%.0f"),
		medianColumn("p99 us", "p99", "%.0f"),
		medianColumn("p99.9 us", "p99.9", "%.0f"),
	}
	cleanColumn = column{"clean rounds", func(t *table, of, server string) string {
		clean, all := t.clean(of, server)
		if clean == 0 {
			return fmt.Sprintf("0 of %d, noisy", all)
		}
		return fmt.Sprintf("%d of %d", clean, all)
	}}
)

func medianColumn(head, name, format string) column {
	m := metricNamed(name)
	return column{head, func(t *table, of, server string) string {
		return number(format, t.median(of, server, m))
	}}
}

// ratioTo is the CPU per command over that of the named server.
func ratioTo(base string) column {
	m := metricNamed("cpu")
	return column{"over " + base, func(t *table, of, server string) string {
		if server == base {
			return ""
		}
		return number("%.2fx", t.ratio(of, server, base, m))
	}}
}

func number(format string, value float64) string {
	if value == 0 {
		return ""
	}
	return fmt.Sprintf(format, value)
}

func (s section) markdown() string {
	var b strings.Builder
	b.WriteString("| case | server |")
	for _, c := range s.columns {
		b.WriteString(" " + c.head + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(s.columns)) + "\n")
	for _, of := range s.table.cases {
		for _, server := range s.table.servers {
			fmt.Fprintf(&b, "| %s | %s |", of, server)
			for _, c := range s.columns {
				b.WriteString(" " + c.cell(s.table, of, server) + " |")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
