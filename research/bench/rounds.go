//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/elares/ironcache/research/bench/load"
	"github.com/elares/ironcache/research/bench/machine"
)

// A trial measures one case on one server.
type trial struct {
	of     string // the case: "get p16"
	server string
	run    func() (sample, error)
}

// rounds runs every trial once a round. Neighbours in the list take turns:
// their order is reversed in every other round. A sample with too much foreign
// load is measured once more.
func (l *lab) rounds(row string, n int, trials []trial) (*table, error) {
	t := newTable(row, l.opt.Foreign)
	l.progress.begin(row, n*len(trials))
	defer l.progress.end()
	for round := range n {
		for i := range trials {
			now := trials[i]
			if round%2 == 1 {
				now = trials[len(trials)-1-i]
			}
			s, err := l.once(now)
			if err != nil {
				return nil, fmt.Errorf("%s on %s: %w", now.of, now.server, err)
			}
			s.Round = round
			t.add(now.of, now.server, s)
			l.progress.step("%s %s: %s", now.of, now.server, s.brief())
		}
	}
	l.report.keep(t)
	return t, nil
}

func (l *lab) once(t trial) (sample, error) {
	s, err := t.run()
	if err != nil || s.Foreign <= l.opt.Foreign {
		return s, err
	}
	again, err := t.run()
	if err != nil || again.Foreign > s.Foreign {
		return s, err
	}
	return again, nil
}

// closedTrial measures a closed loop on a running server.
func (l *lab) closedTrial(of string, r *running, requests *load.Requests, pipeline int, length time.Duration) trial {
	return trial{of, r.name, func() (sample, error) {
		if err := l.check(r, requests); err != nil {
			return sample{}, err
		}
		client, err := load.Dial(r.Port, l.opt.Conns)
		if err != nil {
			return sample{}, err
		}
		defer client.Close()
		plan := load.Closed{Requests: requests, Pipeline: pipeline, For: length / 8}
		if _, err := client.Closed(plan); err != nil { // warms caches and connections
			return sample{}, err
		}
		plan.For = length
		meter := machine.Start(r.Pid(), r.cpuSet)
		seen, err := client.Closed(plan)
		return newSample(seen, meter.Stop()), err
	}}
}

// openTrial measures a schedule of requests on a running server.
func (l *lab) openTrial(of string, r *running, requests *load.Requests, every, length time.Duration) trial {
	return trial{of, r.name, func() (sample, error) {
		if err := l.check(r, requests); err != nil {
			return sample{}, err
		}
		client, err := load.Dial(r.Port, l.opt.Conns)
		if err != nil {
			return sample{}, err
		}
		defer client.Close()
		meter := machine.Start(r.Pid(), r.cpuSet)
		seen, err := client.Open(load.Open{Requests: requests, Every: every, For: length})
		return newSample(seen, meter.Stop()), err
	}}
}
