//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/elares/ironcache/research/bench/machine"
)

const keySize = 16

// memory measures what a key costs beyond its own bytes and its value's.
func memory(l *lab) error {
	var trials []trial
	for _, s := range l.stores() {
		trials = append(trials, trial{"set", s.name, func() (sample, error) { return l.fillFresh(s) }})
	}
	t, err := l.rounds("memory", min(l.opt.Rounds, 3), trials)
	if err != nil {
		return err
	}
	l.report.section(section{
		title:   fmt.Sprintf("Resident bytes per key over its %d, %d keys", keySize+valueSize, l.opt.Keys),
		note:    "Resident memory after filling over the socket, less that of the same server empty, per key, less key and value.",
		table:   t,
		columns: []column{bytesColumn, cleanColumn},
	})
	return nil
}

func (l *lab) fillFresh(s server) (sample, error) {
	r, err := l.launch(s)
	if err != nil {
		return sample{}, err
	}
	defer r.Stop()
	settle(r)
	before := r.Resident()
	meter := machine.Start(r.Pid(), r.cpuSet)
	if err := l.fill(r, setShape, l.opt.Keys); err != nil {
		return sample{}, err
	}
	used := meter.Stop()
	settle(r)
	grown := float64(r.Resident()-before) / float64(l.opt.Keys)
	return sample{Bytes: grown - keySize - valueSize, Foreign: used.Foreign}, nil
}

// settle waits until the resident size stands still for half a second, at most 5 s.
func settle(r *running) {
	last, still := r.Resident(), 0
	for range 50 {
		time.Sleep(100 * time.Millisecond)
		now := r.Resident()
		if still++; now != last {
			last, still = now, 0
		}
		if still == 5 {
			return
		}
	}
}
