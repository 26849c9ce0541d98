//go:build linux

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elares/ironcache/research/bench/load"
	"github.com/elares/ironcache/research/bench/machine"
)

// strained is a server under strain.
type strained struct {
	*running
	client *load.Client  // of three connections; the first is the probe's
	ask    *load.Session // for what is not measured
	keys   int           // of a whole database
	probe  load.Open
}

// warmed is the most memory, in bytes, that is written to before the row: more than a
// server and the load need together.
const warmed = 6 << 30

// stall measures how long a server's loop stays away while it grows, is
// scanned, frees memory, and handles huge values.
func stall(l *lab) error {
	rounds, servers := min(l.opt.Rounds, 3), l.stores()
	if l.opt.Alone {
		servers = servers[:1]
	}
	bytes, first, second, err := machine.Warm(warmed)
	if err != nil {
		return err
	}
	l.report.note(fmt.Sprintf("Before the stall row, %d MB of memory were written to twice, which took %d and %d us a megabyte:"+
		" a host gives a virtual machine its memory at the first write, and a server that grows into such memory waits for the host.",
		bytes>>20, first.Microseconds(), second.Microseconds()))
	t := newTable("stall", l.opt.Foreign)
	l.progress.begin("stall", rounds*len(servers)*len(phases))
	defer l.progress.end()
	for round := range rounds {
		for _, s := range servers {
			if err := l.strain(t, s, round); err != nil {
				return err
			}
		}
	}
	l.report.keep(t)
	l.report.section(section{
		title: fmt.Sprintf("Stalls of one loop: %.0f keys of one hash tag, %d keys of a database, values of %d MB", tagShare*float64(l.opt.Many), l.opt.Many, l.opt.Huge>>20),
		note: "A connection sends PING every 200 us on a fixed schedule while two others do what the case says: p99.9 and max are what it saw, which on a busy machine is mostly what others had the cores for." +
			" The server's own figures (INFO, only ours has them) are the longest time without a look at the sockets: on the clock, without what others had the cores for, and without what it waited for." +
			" Medians over the rounds of each round's figure.",
		table:   t,
		columns: []column{latencyColumns[2], maxColumn, lateColumn, wallColumn, heldColumn, busyColumn, residentColumn, cleanColumn},
	})
	return nil
}

// strain takes one server, started afresh, through all phases.
func (l *lab) strain(t *table, s server, round int) error {
	r, err := l.launch(s)
	if err != nil {
		return err
	}
	defer r.Stop()
	client, err := load.Dial(r.Port, 3)
	if err != nil {
		return err
	}
	defer client.Close()
	ask, err := load.NewSession(r.Port)
	if err != nil {
		return err
	}
	defer ask.Close()
	on := &strained{r, client, ask, l.opt.Many, load.Open{Requests: load.InOrder(pingShape, 0, 1), Every: 200 * time.Microsecond}}
	if _, err := ask.Do("CONFIG", "SET", "latency-monitor-threshold", "1"); err != nil {
		return err
	}
	for _, p := range phases {
		if len(l.opt.Phases) > 0 && !slices.Contains(l.opt.Phases, p.name) {
			continue
		}
		got, err := on.take(p, l.opt.Huge)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", p.name, s.name, err)
		}
		got.Round = round
		t.add(p.name, s.name, got)
		l.progress.step("%s %s: max %.0f us, held %.0f, busy %.0f, others %.0f%%", p.name, s.name, got.Max, got.Held, got.Busy, got.Foreign*100)
	}
	return nil
}

// take measures one phase.
func (on *strained) take(p phase, huge int) (sample, error) {
	if _, err := on.ask.Do("CONFIG", "RESETSTAT"); err != nil {
		return sample{}, err
	}
	meter := machine.Start(on.Pid(), on.cpuSet)
	seen, err := p.run(on, huge)
	if err != nil {
		return sample{}, err
	}
	got := newSample(seen, meter.Stop())
	got.Rate, got.CPU = 0, 0
	got.Resident = float64(on.Resident()) / (1 << 20)
	return got, on.ownStalls(&got)
}

// ownStalls adds what the server says of its longest stalls, if it does.
func (on *strained) ownStalls(got *sample) error {
	info, err := on.ask.Do("INFO", "stats")
	if err != nil {
		return err
	}
	for name, to := range map[string]*float64{
		"loop_stall_max_usec:": &got.Wall, "loop_stall_max_held_usec:": &got.Held, "loop_stall_max_busy_usec:": &got.Busy,
	} {
		if _, rest, found := strings.Cut(info, name); found {
			value, _, _ := strings.Cut(rest, "\r")
			*to, _ = strconv.ParseFloat(value, 64)
		}
	}
	return nil
}
