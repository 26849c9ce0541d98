//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/elares/ironcache/research/bench/load"
)

func tail(l *lab) error { return l.tail("tail", l.opt.Keys) }

func tailLarge(l *lab) error { return l.tail("tail-large", l.opt.Many) }

// tail measures latency at a rate that leaves every server half idle or more:
// half of what redis-server can do with one request a connection under way.
func (l *lab) tail(name string, keys int) error {
	all, err := l.launchAll(l.stores())
	defer stopAll(all)
	if err != nil {
		return err
	}
	if err := l.fillStores(all, keys); err != nil {
		return err
	}
	gets := load.Random(getShape, min(keys, 1_000_000), keys, 3)
	sets := load.Random(setShape, min(keys, 1_000_000), keys, 4)
	full, err := l.closedTrial("saturation", all[1], gets, 1, l.opt.Time).run()
	if err != nil {
		return fmt.Errorf("saturate %s: %w", all[1].name, err)
	}
	every := time.Duration(2e9 / full.Rate)
	var trials []trial
	for _, requests := range []*load.Requests{gets, sets} {
		for _, r := range all {
			trials = append(trials, l.openTrial(requests.Name(), r, requests, every, 2*l.opt.Time))
		}
	}
	t, err := l.rounds(name, l.opt.Rounds, trials)
	if err != nil {
		return err
	}
	l.report.section(section{
		title:   fmt.Sprintf("Open loop at %.0f requests/s, %d keys, %d connections", full.Rate/2, keys, l.opt.Conns),
		note:    "Requests leave on a fixed schedule at half of redis-server's saturation; a latency counts from the moment its request was due. The last column is the generator's own worst delay, which the latencies contain.",
		table:   t,
		columns: append(append([]column{cpuColumn}, latencyColumns...), maxColumn, lateColumn, cleanColumn),
	})
	return nil
}
