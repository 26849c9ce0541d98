//go:build linux

package main

import (
	"fmt"

	"github.com/elares/ironcache/research/bench/load"
)

var pipelines = []int{1, 16, 64}

// speed measures GET and SET on every server, and on the floor.
func speed(l *lab) error {
	servers := l.stores()
	if s, ok := l.floorServer(); ok {
		servers = append(servers, s)
	}
	all, err := l.launchAll(servers)
	defer stopAll(all)
	if err != nil {
		return err
	}
	if err := l.fillStores(all, l.opt.Keys); err != nil {
		return err
	}
	t, err := l.rounds("speed", l.opt.Rounds, l.speedTrials(all, pipelines))
	if err != nil {
		return err
	}
	l.report.section(section{
		title:   fmt.Sprintf("GET and SET of %d B, %d keys, %d connections, one shard", valueSize, l.opt.Keys, l.opt.Conns),
		note:    "CPU is the server's time per command. The ratio columns divide the row's server by the named one, round by round. Latencies are of a whole batch.",
		table:   t,
		columns: append(append([]column{rateColumn, cpuColumn, ratioTo(oursName), ratioTo(floorName)}, latencyColumns...), cleanColumn),
	})
	return nil
}

func (l *lab) fillStores(all []*running, keys int) error {
	for _, r := range all {
		if r.constant {
			continue
		}
		l.progress.say("filling %s with %d keys", r.name, keys)
		if err := l.fill(r, setShape, keys); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) speedTrials(all []*running, pipelines []int) []trial {
	n := min(l.opt.Keys, 1_000_000)
	gets := load.Random(getShape, n, l.opt.Keys, 1)
	sets := load.Random(setShape, n, l.opt.Keys, 2)
	var trials []trial
	for _, pipeline := range pipelines {
		for _, requests := range []*load.Requests{gets, sets} {
			of := fmt.Sprintf("%s p%d", requests.Name(), pipeline)
			for _, r := range all {
				trials = append(trials, l.closedTrial(of, r, requests, pipeline, l.opt.Time))
			}
		}
	}
	return trials
}
