package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/plan"
)

// simOptions say what plans are drawn.
type simOptions struct {
	Nodes    span   `placeholder:"N" help:"Nodes of a cluster, or a range as 3..7 to draw from (3)."`
	Shards   span   `placeholder:"N" help:"Shards of a node, or a range (1..2)."`
	Clients  *int   `placeholder:"N" help:"Clients (6)."`
	Seconds  *int   `placeholder:"N" help:"Virtual seconds of a run (30)."`
	Faults   string `default:"all" placeholder:"LIST" help:"Faults that may happen, by name with commas between; all, or none (all)."`
	Workload string `placeholder:"NAME" help:"What clients ask for (drawn)."`
	Alone    bool   `help:"One node in no cluster, with several shards."`
}

// options are those of the plans.
func (c *simOptions) options() (o plan.Options, err error) {
	o = plan.Options{Nodes: c.Nodes.least, NodesTo: c.Nodes.most, Shards: c.Shards.least, ShardsTo: c.Shards.most, Workload: c.Workload, Alone: c.Alone}
	for _, flag := range []struct {
		name string
		from *int
		to   *int
	}{{"clients", c.Clients, &o.Clients}, {"seconds", c.Seconds, &o.Seconds}} {
		if flag.from == nil {
			continue
		}
		if *flag.to = *flag.from; *flag.to < 1 {
			return o, usageError{fmt.Errorf("%d %s: it must be 1 or more", *flag.to, flag.name)}
		}
	}
	switch c.Faults {
	case "all":
	case "none":
		o.Faults = []string{}
	default:
		o.Faults = strings.Split(c.Faults, ",")
		slices.Sort(o.Faults)
		o.Faults = slices.Compact(o.Faults)
	}
	if err := o.Validate(); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// span is a number, or two to draw between.
type span struct{ least, most int }

// UnmarshalText reads 3, or 3..7.
func (s *span) UnmarshalText(text []byte) error {
	least, most, two := strings.Cut(string(text), "..")
	var err error
	if s.least, err = strconv.Atoi(least); err == nil && two {
		s.most, err = strconv.Atoi(most)
	}
	if err != nil || s.least < 1 || two && s.most < s.least {
		return fmt.Errorf("%q: it must be a number from 1, or two with dots between, as 3..7", text)
	}
	return nil
}
