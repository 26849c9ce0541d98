package plan

import (
	"fmt"
	"strings"
)

// Flags are the options as `ironcache sim` takes them, empty if all have their
// usual values.
func (o *Options) Flags() string {
	var list []string
	say := func(name, value string) { list = append(list, "--"+name+" "+value) }
	if o.Nodes != 0 {
		say("nodes", span(o.Nodes, o.NodesTo))
	}
	if o.Shards != 0 {
		say("shards", span(o.Shards, o.ShardsTo))
	}
	if o.Clients != 0 {
		say("clients", fmt.Sprint(o.Clients))
	}
	if o.Seconds != 0 {
		say("seconds", fmt.Sprint(o.Seconds))
	}
	switch {
	case len(o.Faults) > 0:
		say("faults", strings.Join(o.Faults, ","))
	case o.Faults != nil:
		say("faults", "none")
	}
	if o.Workload != "" {
		say("workload", o.Workload)
	}
	if o.Alone {
		list = append(list, "--alone")
	}
	return strings.Join(list, " ")
}

// span is one number, or two ends.
func span(least, most int) string {
	if most == 0 {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d..%d", least, most)
}

// checkSpan tells what is wrong with the ends of what is drawn.
func checkSpan(what string, least, most int) error {
	if most != 0 && (least < 1 || most < least) {
		return fmt.Errorf("%d..%d %s: it must be a number from 1, two dots and one that is not less", least, most, what)
	}
	return nil
}

// within draws a number between two ends if there are two, and is the one otherwise.
func within(draw uint64, least, most int) int {
	if most == 0 {
		return least
	}
	return least + int(draw%uint64(most-least+1))
}
