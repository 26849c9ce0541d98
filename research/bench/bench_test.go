//go:build linux

package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elares/ironcache/research/bench/load"
)

func cpuOf(round int, ns, foreign float64) sample {
	return sample{Round: round, CPU: ns, Foreign: foreign}
}

func TestMediansLeaveOutNoisyRounds(t *testing.T) {
	table := newTable("speed", 0.15)
	for _, s := range []sample{cpuOf(0, 100, 0), cpuOf(1, 900, 0.5), cpuOf(2, 200, 0.1)} {
		table.add("get", "a", s)
	}
	for _, s := range []sample{cpuOf(0, 50, 0), cpuOf(1, 50, 0), cpuOf(2, 50, 0)} {
		table.add("get", "b", s)
	}
	if got := table.median("get", "a", metricNamed("cpu")); got != 150 {
		t.Errorf("median %v, want 150", got)
	}
	if got := table.ratio("get", "a", "b", metricNamed("cpu")); got != 3 {
		t.Errorf("ratio %v, want 3: the middle of 2 and 4", got)
	}
	if clean, all := table.clean("get", "a"); clean != 2 || all != 3 {
		t.Errorf("%d of %d rounds are clean, want 2 of 3", clean, all)
	}
}

func TestNoisyRoundsCountWhenThereAreNoOthers(t *testing.T) {
	table := newTable("speed", 0.15)
	table.add("get", "a", cpuOf(0, 100, 0.9))
	if got := table.median("get", "a", metricNamed("cpu")); got != 100 {
		t.Errorf("median %v, want 100", got)
	}
	if text := cleanColumn.cell(table, "get", "a"); text != "0 of 1, noisy" {
		t.Errorf("the table says %q", text)
	}
}

func TestMarkdown(t *testing.T) {
	table := newTable("speed", 0.15)
	table.add("get p1", "ironcache", cpuOf(0, 100, 0))
	table.add("get p1", "redis", cpuOf(0, 250, 0))
	got := section{table: table, columns: []column{cpuColumn, ratioTo(oursName), cleanColumn}}.markdown()
	want := "| case | server | CPU ns | over ironcache | clean rounds |\n|---|---|---:|---:|---:|\n" +
		"| get p1 | ironcache | 100 |  | 1 of 1 |\n| get p1 | redis | 250 | 2.50x | 1 of 1 |\n"
	if got != want {
		t.Errorf("markdown:\n%s\nwant:\n%s", got, want)
	}
}

func TestReportFilesFigures(t *testing.T) {
	r := newReport(options{})
	table := newTable("speed", 0.15)
	table.add("get p1", "ironcache", cpuOf(0, 100, 0))
	table.add("get p1", "redis", cpuOf(0, 250, 0))
	r.keep(table)
	for name, want := range map[string]float64{
		"speed/get p1/cpu/redis":           250,
		"speed/get p1/cpu/redis:ironcache": 2.5,
		"speed/get p1/cpu/ironcache:redis": 0.4,
	} {
		if got := r.Figures[name]; math.Abs(got-want) > 1e-9 {
			t.Errorf("figure %q is %v, want %v", name, got, want)
		}
	}
	file := filepath.Join(t.TempDir(), "out.json")
	if err := r.publish(new(strings.Builder), file); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"speed/get p1/cpu/redis:ironcache": 2.5`) {
		t.Errorf("report %s, error %v", text, err)
	}
}

func TestShapes(t *testing.T) {
	const key, value = "key:000000000007", "0000000000000007vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
	get, set := string(load.Command(nil, "GET", key)), string(load.Command(nil, "SET", key, value))
	for _, test := range []struct {
		name  string
		shape load.Shape
		want  string
	}{
		{"get", getShape, get},
		{"set", setShape, set},
		{"line", lineShape("x", "GETRANGE", "key:", 2, "0", "15"), string(load.Command(nil, "GETRANGE", key, "0", "15"))},
		{"joined", joined("x", getShape, setShape), get + set},
		{"mget", grouped("x", "MGET", 2, getShape), string(load.Command(nil, "MGET", key, load.Key(7+9973)))},
		{"mset", grouped("x", "MSET", 2, setShape), string(load.Command(nil, "MSET", key, value, load.Key(7+9973), load.Value(7+9973, 64)))},
	} {
		if got := string(test.shape.Request(nil, 7)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestUnknownRow(t *testing.T) {
	if _, err := chosen([]string{"speed", "sped"}); err == nil || !strings.Contains(err.Error(), "sped") {
		t.Errorf("error %v", err)
	}
}

// TestRowNamesAreUnique: figures are filed by row.
func TestRowNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRows() {
		if seen[r.name] || r.about == "" {
			t.Errorf("row %q is twice there or says nothing", r.name)
		}
		seen[r.name] = true
	}
}

func TestJudgeNamesTheWorstCase(t *testing.T) {
	got := judge(map[string]float64{
		"speed/get p16/cpu/redis:ironcache": 3,
		"speed/set p16/cpu/redis:ironcache": 2,
		"memory/set/bytes/ironcache":        30,
		"stall/flush it/max/redis":          9000,
	})
	want := "| what | bar | worst case | |\n|---|---|---|---|\n" +
		"| CPU, redis over ours, pipeline 16 | at least 2.2 | 2.00 (set p16) | **missed** |\n" +
		"| bytes a key over its payload | at most 34 | 30.00 (set) | met |\n"
	if got != want {
		t.Errorf("verdicts:\n%s\nwant:\n%s", got, want)
	}
}
