//go:build unix

// Command sim measures what a seed of the simulator costs: processor time of this
// process, its garbage collector included, with one seed at a time. Building and
// compiling the nodes is not counted.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// result is what research/verify reads.
type result struct {
	When    string             `json:"when"`
	Machine map[string]string  `json:"machine"`
	Options map[string]any     `json:"options"`
	Figures map[string]float64 `json:"figures"`
}

func main() {
	from := flag.Uint64("from", 1, "the first seed")
	seeds := flag.Int("seeds", 32, "how many")
	nodes := flag.Int("nodes", 3, "nodes of a cluster")
	seconds := flag.Int("seconds", 30, "virtual seconds of a run")
	to := flag.String("json", "", "file for the figures")
	flag.Parse()
	if err := run(*from, max(1, *seeds), plan.Options{Nodes: *nodes, Seconds: *seconds}, *to); err != nil {
		fmt.Fprintln(os.Stderr, "sim:", err)
		os.Exit(1)
	}
}

// run measures seeds with all faults.
func run(from uint64, seeds int, o plan.Options, to string) error {
	m, err := wasm.Open(context.Background(), ".")
	if err != nil {
		return err
	}
	if _, err := m.Later(); err != nil { // some plans need it
		return err
	}
	least, most := 0.0, 0.0
	began := spent()
	for i := range seeds {
		before := spent()
		r := play.Run(plan.Draw(from+uint64(i), o), m, play.Options{})
		cost := spent() - before
		fmt.Printf("seed %d: %s, %.2f CPU seconds, trace %016x\n", r.Plan.Seed, r.Class, cost, r.Trace)
		if most = max(most, cost); i == 0 || cost < least {
			least = cost
		}
	}
	mean := (spent() - began) / float64(seeds)
	fmt.Printf("%.2f CPU seconds a seed, the cheapest %.2f, the dearest %.2f\n", mean, least, most)
	if to == "" {
		return nil
	}
	text, err := json.MarshalIndent(result{
		When:    time.Now().UTC().Format(time.RFC3339),
		Machine: map[string]string{"go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH, "cpus": fmt.Sprint(runtime.NumCPU())},
		Options: map[string]any{"from": from, "seeds": seeds, "nodes": o.Nodes, "seconds": o.Seconds},
		Figures: map[string]float64{"cpu a seed": mean, "cpu of the cheapest": least, "cpu of the dearest": most},
	}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(text, '\n'), 0o644)
}

// spent is the processor time of this process, in seconds.
func spent() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
