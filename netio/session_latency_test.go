package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
)

func TestLatencyOfNothing(t *testing.T) {
	c := newTown(t, 2, debugOn).dial()
	c.check(
		[2]string{"latency latest", "*0\r\n"},
		[2]string{"latency history command", "*0\r\n"},
		[2]string{"latency history nosuch", "*0\r\n"},
		[2]string{"latency graph nosuch", "-ERR No samples available for event 'nosuch'\r\n"},
		[2]string{"latency reset", ":0\r\n"},
		[2]string{"latency histogram nosuch", "*0\r\n"},
		[2]string{"debug sleep 0.1", "+OK\r\n"}, // the threshold is 0
		[2]string{"latency latest", "*0\r\n"},
	)
	if got := c.line("latency doctor"); !strings.Contains(got, "latency-monitor-threshold is 0") {
		t.Errorf("doctor: %q", got)
	}
}

func TestLatencyOfCommands(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		town := newTown(t, shards, debugOn, "latency-monitor-threshold=5")
		for range 3 { // on different loops
			c := town.dial()
			c.line("debug sleep 0.001")
			c.line("debug sleep 0.02")
		}
		c := town.dial()
		c.line("debug sleep 0.03")
		at := int64(sim.Epoch / 1_000_000_000)
		c.check(
			[2]string{"latency latest", fmt.Sprintf("*1\r\n*4\r\n$7\r\ncommand\r\n:%d\r\n:30\r\n:30\r\n", at)},
			[2]string{"latency history COMMAND", fmt.Sprintf("*1\r\n*2\r\n:%d\r\n:30\r\n", at)},
			[2]string{"latency graph command", "$149\r\ncommand - high 30 ms, low 30 ms (all time high 30 ms)\n" +
				strings.Repeat("-", 80) + "\n \n \n \n_\n \n0\ns\n\r\n"},
		)
		if got := c.line("latency doctor"); !strings.Contains(got, "1. command: 1 latency spikes (average 30ms, mean deviation 0ms") {
			t.Errorf("doctor: %q", got)
		}
		c.check(
			[2]string{"latency reset nosuch", ":0\r\n"},
			[2]string{"latency reset nosuch command", ":1\r\n"},
			[2]string{"latency latest", "*0\r\n"},
		)
	})
}

// A transaction of many commands that are fast each by itself keeps the loop
// from its sockets.
func TestLoopStall(t *testing.T) {
	town := newTown(t, 1, "latency-monitor-threshold=1")
	c := town.dial()
	c.line("ping")
	town.world.SetMix(sim.Mix{Tick: 50_000, Window: sim.DefaultWindow})
	for range 64 {
		c.ask("echo", "x")
	}
	for range 64 {
		c.reply()
	}
	if got := c.line("latency latest"); !strings.Contains(got, "loop-stall") {
		t.Errorf("%q", got)
	}
}

func TestGraph(t *testing.T) {
	var points []point
	for i := range int64(12) {
		points = append(points, point{i, "ab"[:i%3]})
	}
	want := strings.Repeat("-", 80) + "\n" +
		"         _o#\n" +
		"      _o#|||\n" +
		"   _o#||||||\n" +
		"_o#|||||||||\n" +
		"            \n" +
		" aa aa aa aa\n" +
		"  b  b  b  b\n"
	if got := graph(points, 0, 11); got != want {
		t.Errorf("got\n%s", got)
	}
	lines := strings.Count(graph(make([]point, 81), 0, 0), "\n")
	if lines != 1+5+1+5 {
		t.Errorf("81 points take %d lines", lines)
	}
}

func TestAgo(t *testing.T) {
	for seconds, want := range map[int64]string{-1: "0s", 59: "59s", 60: "1m", 7199: "1h", 86399: "23h", 259200: "3d"} {
		if got := ago(seconds); got != want {
			t.Errorf("%d: %s", seconds, got)
		}
	}
}

func TestHistogramBuckets(t *testing.T) {
	for _, test := range []struct {
		nanos []int64
		want  string
	}{
		{[]int64{1}, "*2\r\n:1\r\n:1\r\n"},
		{[]int64{1031}, "*2\r\n:1\r\n:1\r\n"},
		{[]int64{1032, 2063, 2064}, "*4\r\n:2\r\n:2\r\n:4\r\n:3\r\n"},
		{[]int64{30_000, 200_000, 33_000_000}, "*6\r\n:33\r\n:1\r\n:264\r\n:2\r\n:33816\r\n:3\r\n"},
	} {
		h := hdrhistogram.New(1, 10_000_000_000, 2)
		for _, n := range test.nanos {
			if err := h.RecordValue(n); err != nil {
				t.Fatal(err)
			}
		}
		w := resp.Writer{Proto: 2}
		writeHistogram(&w, h)
		want := fmt.Sprintf("*4\r\n$5\r\ncalls\r\n:%d\r\n$14\r\nhistogram_usec\r\n%s", len(test.nanos), test.want)
		if string(w.Buf) != want {
			t.Errorf("%v: %q", test.nanos, w.Buf)
		}
	}
}

func TestLatencyHistogramNames(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards).dial()
		for _, line := range []string{"set a 1", "set b 1", "set c 1", "config get port", "config set hz 11", "config set hz 12"} {
			c.line(line)
		}
		names := func(line string) string {
			var list []string
			for _, part := range strings.Split(c.line(line), "*4\r\n$5\r\ncalls")[:] {
				lines := strings.Split(strings.TrimSuffix(part, "\r\n"), "\r\n")
				list = append(list, lines[len(lines)-1])
			}
			return strings.Join(list[:len(list)-1], " ")
		}
		for line, want := range map[string]string{
			"latency histogram CONFIG":           "config|get config|set",
			"latency histogram config|set set x": "config|set set",
			"latency histogram get":              "",
		} {
			if got := names(line); got != want {
				t.Errorf("%s: %q", line, got)
			}
		}
		if got := c.line("latency histogram set"); !strings.Contains(got, "$5\r\ncalls\r\n:3\r\n") {
			t.Errorf("not the sum of all shards: %q", got)
		}
		if got := names("latency histogram"); !strings.Contains(got, "config|get config|set") || !strings.HasSuffix(got, " set") {
			t.Errorf("all: %q", got)
		}
	})
}

func TestSumUp(t *testing.T) {
	s := engine.LatencySeries{Max: 70}
	for _, at := range []int64{10, 20, 40} {
		s.Samples = append(s.Samples, engine.LatencySample{At: at, Millis: at})
	}
	want := "3 latency spikes (average 23ms, mean deviation 11ms, period 15.00 sec). Worst all time event 70ms."
	if got := sumUp(s); got != want {
		t.Errorf("%s", got)
	}
}
