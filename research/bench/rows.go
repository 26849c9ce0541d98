//go:build linux

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Names of servers in tables and figures.
const (
	oursName   = "ironcache"
	theirsName = "redis"
	floorName  = "floor"
)

// A row is one thing to measure.
type row struct {
	name  string
	about string
	run   func(*lab) error
}

// allRows returns every row, in the order they run and print. (A function,
// since rows refer to it.)
func allRows() []row {
	return []row{
		{"speed", "GET and SET of 64 B at pipelines 1, 16 and 64, one shard", speed},
		{"hop", "two shards over one, order strict and relaxed", hop},
		{"memory", "resident bytes per key over its payload", memory},
		{"tail", "open-loop latency at half of redis-server's saturation", tail},
		{"tail-large", "the same over the large key space", tailLarge},
		{"commands", "CPU per command of other commands", commands},
		{"stall", "longest stalls while a keyspace grows, is scanned and freed", stall},
	}
}

func chosen(names []string) ([]row, error) {
	var rows []row
	for _, name := range names {
		at := slices.IndexFunc(allRows(), func(r row) bool { return r.name == name })
		if at < 0 {
			return nil, fmt.Errorf("no row %q; there are: %s", name, defaultRows())
		}
		rows = append(rows, allRows()[at])
	}
	return rows, nil
}

func defaultRows() string {
	var names []string
	for _, r := range allRows() {
		names = append(names, r.name)
	}
	return strings.Join(names, ",")
}

func rowHelp() string {
	var lines []string
	for _, r := range allRows() {
		lines = append(lines, r.name+" ("+r.about+")")
	}
	return strings.Join(lines, ", ")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func contains(cpus []int, cpu int) bool { return slices.Contains(cpus, cpu) }
