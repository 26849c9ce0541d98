//go:build linux

package main

import (
	"fmt"
	"path"
	"strings"
)

// A bar is a figure that our server must reach.
type bar struct {
	what   string
	figure string  // a pattern of path.Match for names of figures
	least  float64 // 0 if there is none
	most   float64 // 0 if there is none
}

// bars are the project's budgets. A figure that was not measured is not judged.
var bars = []bar{
	{"CPU, redis over ours, pipeline 1", "speed/?et p1/cpu/redis:ironcache", 1.1, 0},
	{"CPU, redis over ours, pipeline 16", "speed/?et p16/cpu/redis:ironcache", 2.2, 0},
	{"CPU, redis over ours, pipeline 64", "speed/?et p64/cpu/redis:ironcache", 4, 0},
	{"CPU, ours over the floor, pipeline 1", "speed/?et p1/cpu/ironcache:floor", 0, 1.3},
	{"CPU, ours over the floor, pipeline 16", "speed/?et p16/cpu/ironcache:floor", 0, 1.8},
	{"CPU, ours over the floor, pipeline 64", "speed/?et p64/cpu/ironcache:floor", 0, 2.4},
	{"CPU, 2 shards over 1, relaxed", "hop/*/cpu/" + relaxed2 + ":" + oneShard, 0, 1.5},
	{"CPU, 2 shards over 1, strict", "hop/*/cpu/" + strict2 + ":" + oneShard, 0, 2.2},
	{"bytes a key over its payload", "memory/set/bytes/ironcache", 0, 34},
	{"longest stall, us", "stall/*/busy/ironcache", 0, 2000},
	{"CPU of other commands, redis over ours", "commands/*/cpu/redis:ironcache", 1, 0},
}

// judge prints every bar with the measured figure that is furthest on its bad side.
func judge(figures map[string]float64) string {
	var b strings.Builder
	for _, bar := range bars {
		name, value := bar.worst(figures)
		if name == "" {
			continue
		}
		limit, verdict := fmt.Sprintf("at least %g", bar.least), "met"
		if bar.most > 0 {
			limit = fmt.Sprintf("at most %g", bar.most)
		}
		if !bar.met(value) {
			verdict = "**missed**"
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f (%s) | %s |\n", bar.what, limit, value, strings.Split(name, "/")[1], verdict)
	}
	if b.Len() == 0 {
		return ""
	}
	return "| what | bar | worst case | |\n|---|---|---|---|\n" + b.String()
}

func (b bar) met(value float64) bool { return value >= b.least && (b.most == 0 || value <= b.most) }

func (b bar) worst(figures map[string]float64) (name string, value float64) {
	for _, candidate := range sortedKeys(figures) {
		if ok, _ := path.Match(b.figure, candidate); !ok {
			continue
		}
		got := figures[candidate]
		if name == "" || b.most > 0 && got > value || b.most == 0 && got < value {
			name, value = candidate, got
		}
	}
	return name, value
}
