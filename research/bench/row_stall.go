//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/elares/ironcache/research/bench/load"
	"github.com/elares/ironcache/research/bench/machine"
)

// A phase of the stall row puts one kind of strain on a server while a probe
// asks PING on a schedule.
type phase struct {
	name string
	run  func(c *load.Client, keys int, probe load.Open) (seen load.Result, err error)
	tag  bool // works on the keys of one hash tag
}

var phases = []phase{
	{"idle", idlePhase, false},
	{"grow one hash tag", tagPhase, true},
	{"scan it", scanPhase, true},
	{"delete its keys", deletePhase, true},
	{"grow a database", growPhase, false},
	{"flush it", flushPhase, false},
}

// tagSize is the share of the large key space that the one hash tag gets.
const tagSize = 0.6

var (
	pingShape = load.Shape{
		Name:    "ping",
		Request: func(dst []byte, _ int) []byte { return load.Command(dst, "PING") },
		Reply:   func(dst []byte, _ int) []byte { return append(dst, "+PONG\r\n"...) },
	}
	flushShape = load.Shape{
		Name:    "flushall",
		Request: func(dst []byte, _ int) []byte { return load.Command(dst, "FLUSHALL") },
		Reply:   appendOK,
	}
	tagShape    = setOf("set", "{t}:")
	deleteShape = lineShape("del", "DEL", "{t}:", 1)
)

// stall measures how long a server's loop stays away while it grows, is
// scanned, deletes and flushes.
func stall(l *lab) error {
	rounds := min(l.opt.Rounds, 3)
	t := newTable("stall", l.opt.Foreign)
	l.progress.begin("stall", rounds*len(l.stores())*len(phases))
	defer l.progress.end()
	for round := range rounds {
		for _, s := range l.stores() {
			if err := l.strain(t, s, round); err != nil {
				return err
			}
		}
	}
	l.report.keep(t)
	l.report.section(section{
		title:   fmt.Sprintf("Stalls of one loop: %.0f keys of one hash tag, %d keys of a database", tagSize*float64(l.opt.Many), l.opt.Many),
		note:    "A connection sends PING every 200 us on a fixed schedule while two others, with 16 commands under way each, do what the case says. Medians over the rounds of each round's percentile and maximum.",
		table:   t,
		columns: append(append([]column{}, latencyColumns...), maxColumn, lateColumn, cleanColumn),
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
	probe := load.Open{Requests: load.InOrder(pingShape, 0, 1), Every: 200 * time.Microsecond}
	for _, p := range phases {
		keys := l.opt.Many
		if p.tag {
			keys = int(tagSize * float64(keys))
		}
		meter := machine.Start(r.Pid(), r.cpuSet)
		seen, err := p.run(client, keys, probe)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", p.name, s.name, err)
		}
		got := newSample(seen, meter.Stop())
		got.Round, got.Rate, got.CPU = round, 0, 0
		t.add(p.name, s.name, got)
		l.progress.step("%s %s: max %.0f us", p.name, s.name, got.Max)
	}
	return nil
}

func idlePhase(c *load.Client, keys int, probe load.Open) (load.Result, error) {
	probe.For = time.Duration(min(keys, 2_000_000)) * time.Microsecond
	probe.Conns = 1
	return c.Open(probe)
}

func tagPhase(c *load.Client, keys int, probe load.Open) (load.Result, error) {
	return pieces(c, tagShape, keys, probe)
}

func deletePhase(c *load.Client, keys int, probe load.Open) (load.Result, error) {
	return pieces(c, deleteShape, keys, probe)
}

func growPhase(c *load.Client, keys int, probe load.Open) (load.Result, error) {
	return pieces(c, setShape, keys, probe)
}

func scanPhase(c *load.Client, _ int, probe load.Open) (load.Result, error) {
	_, seen, err := c.ProbedScan("100", probe)
	return seen, err
}

func flushPhase(c *load.Client, _ int, probe load.Open) (load.Result, error) {
	_, seen, err := c.Probed(load.Closed{Requests: load.InOrder(flushShape, 0, 1), Pipeline: 1, Once: true}, probe)
	return seen, err
}

// pieces sends a request for every key, rendered a piece at a time, and joins
// what the probe saw.
func pieces(c *load.Client, shape load.Shape, keys int, probe load.Open) (all load.Result, err error) {
	const piece = 500_000
	for from := 0; from < keys; from += piece {
		requests := load.InOrder(shape, from, min(from+piece, keys))
		_, seen, err := c.Probed(load.Closed{Requests: requests, Pipeline: 16, Once: true}, probe)
		if err != nil {
			return all, err
		}
		all.Join(seen)
	}
	return all, nil
}
