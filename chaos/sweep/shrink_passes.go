package sweep

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/sim"
)

// Passes, each of which tells whether it made the plan smaller: those that leave
// something out are gone through until none does, with those that make what is left
// shorter in between. What makes runs cheaper comes first.
var (
	fewer   = []func(*Shrinking) bool{earlierEnd, fewerClients, fewerFaults, plainer, fewerNodes, fewerKeys, fewerShards}
	shorter = []func(*Shrinking) bool{sooner, shorterFaults, shorterRun}
)

// earlierEnd ends the run sooner, and leaves out the faults that would have come
// later.
func earlierEnd(s *Shrinking) bool {
	return s.lower(0, s.Plan.End, s.Plan.End/8, func(p *plan.Plan, to int64) string {
		before := len(p.Events)
		p.Heal, p.End = min(p.Heal, to), to
		p.Events = slices.DeleteFunc(p.Events, func(e fault.Event) bool { return e.At > p.Heal })
		what := fmt.Sprintf("ended at %.3f s", float64(to)/1e3)
		if gone := before - len(p.Events); gone > 0 {
			what += fmt.Sprintf(", without the %s that would have come later", count(gone, "fault"))
		}
		return what
	})
}

// fewerFaults leaves out faults: half of them, then quarters, then each.
func fewerFaults(s *Shrinking) (any bool) {
	for size := max(1, len(s.Plan.Events)); size > 0; size /= 2 {
		for at := 0; at < len(s.Plan.Events); {
			end := min(at+size, len(s.Plan.Events))
			if s.try(func(p *plan.Plan) string {
				what := fmt.Sprintf("without %s of %d: %s", count(end-at, "fault"), len(p.Events), names(p.Events[at:end]))
				p.Events = slices.Delete(p.Events, at, end)
				return what
			}) {
				any = true
			} else {
				at = end
			}
		}
	}
	return any
}

func names(events []fault.Event) string {
	var list []string
	for _, e := range events {
		list = append(list, fmt.Sprintf("%s of node %d at %.3f s", e.Fault, e.Node, float64(e.At)/1e3))
	}
	return strings.Join(list, ", ")
}

// plain is what a plan need not have, a row each.
var plain = []struct {
	what string
	make func(p *plan.Plan)
}{
	{"with a kind network", func(p *plan.Plan) { p.Network = sim.Mix{MinDelay: 100_000, MaxDelay: 1_000_000} }},
	{"without snapshots", func(p *plan.Plan) { p.Snapshot = 0 }},
	{"with pipelines in order", func(p *plan.Plan) { p.Relaxed = false }},
}

// plainer takes away what a plan need not have.
func plainer(s *Shrinking) (any bool) {
	for _, row := range plain {
		simple := s.Plan.Clone()
		if row.make(simple); reflect.DeepEqual(simple, s.Plan) {
			continue
		}
		any = s.try(func(p *plan.Plan) string {
			row.make(p)
			return row.what
		}) || any
	}
	return any
}

// fewerNodes leaves out nodes, the last ones first, with what happens to them.
func fewerNodes(s *Shrinking) (any bool) {
	for node := s.Plan.Nodes + s.Plan.Spares - 1; node >= 0; node-- {
		any = s.try(func(p *plan.Plan) string {
			before := len(p.Events)
			if node >= p.Nodes {
				p.Spares--
			} else {
				p.Nodes--
			}
			p.Events = slices.DeleteFunc(p.Events, func(e fault.Event) bool { return e.Node == node })
			for i := range p.Events {
				if p.Events[i].Node > node {
					p.Events[i].Node--
				}
			}
			what := fmt.Sprintf("without node %d", node)
			if gone := before - len(p.Events); gone > 0 {
				what += " and its " + count(gone, "fault")
			}
			return what
		}) || any
	}
	return any
}

// lower makes a number as small as it gets, to within a grain: the least at once, or
// else by halves.
func (s *Shrinking) lower(least, from, grain int64, change func(p *plan.Plan, to int64) string) (any bool) {
	if from <= least {
		return false
	}
	try := func(to int64) bool { return s.try(func(p *plan.Plan) string { return change(p, to) }) }
	if try(least) {
		return true
	}
	for from-least > grain {
		middle := least + (from-least)/2
		if try(middle) {
			from, any = middle, true
		} else {
			least = middle
		}
	}
	return any
}

func fewerClients(s *Shrinking) bool {
	return s.lower(1, int64(s.Plan.Clients), 1, func(p *plan.Plan, to int64) string {
		p.Clients = int(to)
		return fmt.Sprintf("with %s", count(p.Clients, "client"))
	})
}

func fewerKeys(s *Shrinking) bool {
	return s.lower(1, int64(s.Plan.KeysAtOnce()), 1, func(p *plan.Plan, to int64) string {
		p.Keys = int(to)
		return fmt.Sprintf("with %s at a time", count(p.Keys, "key"))
	})
}

func fewerShards(s *Shrinking) bool {
	return s.lower(1, int64(s.Plan.Shards), 1, func(p *plan.Plan, to int64) string {
		p.Shards = int(to)
		return fmt.Sprintf("with %s a node", count(p.Shards, "shard"))
	})
}

// fine is to within what a time is narrowed, in milliseconds.
func fine(time int64) int64 { return max(250, time/8) }

// sooner makes the time before each fault shorter, and lets all that follows come
// sooner by as much.
func sooner(s *Shrinking) (any bool) {
	for i := range s.Plan.Events {
		before := int64(0)
		if i > 0 {
			before = s.Plan.Events[i-1].At
		}
		at := s.Plan.Events[i].At
		any = s.lower(before, at, fine(at-before), func(p *plan.Plan, to int64) string {
			by := p.Events[i].At - to
			for j := i; j < len(p.Events); j++ {
				p.Events[j].At -= by
			}
			return fmt.Sprintf("%s and all that follows %.3f s sooner", p.Events[i].Fault, float64(by)/1e3)
		}) || any
	}
	return any
}

func shorterFaults(s *Shrinking) (any bool) {
	for i := range s.Plan.Events {
		any = s.lower(0, s.Plan.Events[i].For, fine(s.Plan.Events[i].For), func(p *plan.Plan, to int64) string {
			e := &p.Events[i]
			e.For = to
			return fmt.Sprintf("%s of node %d at %.3f s for %.3f s", e.Fault, e.Node, float64(e.At)/1e3, float64(to)/1e3)
		}) || any
	}
	return any
}

// shorterRun lets all faults end with the last one, or soon after, and the run soon
// after that.
func shorterRun(s *Shrinking) bool {
	last := int64(0)
	for _, e := range s.Plan.Events {
		last = max(last, e.At)
	}
	any := s.lower(last, s.Plan.Heal, fine(s.Plan.Heal-last), func(p *plan.Plan, to int64) string {
		p.End -= p.Heal - to
		p.Heal = to
		return fmt.Sprintf("healed at %.3f s", float64(to)/1e3)
	})
	return s.lower(s.Plan.Heal, s.Plan.End, fine(s.Plan.End-s.Plan.Heal), func(p *plan.Plan, to int64) string {
		p.End = to
		return fmt.Sprintf("ended at %.3f s", float64(to)/1e3)
	}) || any
}
