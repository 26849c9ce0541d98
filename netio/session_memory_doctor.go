package netio

import (
	"fmt"
	"strings"
)

// doctorFloor is the memory, in bytes, below which figures say nothing.
const doctorFloor = 5 << 20

// ailment is something that MEMORY DOCTOR looks for.
type ailment struct {
	// present tells whether the node has it.
	present func(n *Node, f memoryFigures) bool
	advice  string
}

// ailments has what is looked for, in the order in which it is told.
var ailments = []ailment{
	{
		func(n *Node, f memoryFigures) bool { return ratio(n.peak, f.used) > 1.5 },
		"Peak memory: the node once used more than 150% of what it uses. Memory that it does not give back shows in used_memory_rss and is used again by keys to come.",
	},
	{
		func(_ *Node, f memoryFigures) bool {
			return f.reserved-f.live > 10<<20 && ratio(f.reserved, f.live) > 1.2
		},
		"Fragmentation: more than a sixth of the memory held for keys lies idle between them. Compaction is under way, or MEMORY PURGE starts it.",
	},
	{
		func(_ *Node, f memoryFigures) bool {
			return f.resident-f.used > 64<<20 && ratio(f.resident, f.used) > 1.4
		},
		"Process overhead: the process holds clearly more than the node counts. Huge pages are a usual reason; see the option huge-pages.",
	},
	{
		func(n *Node, f memoryFigures) bool { return f.clients/max(1, n.clients()) > 200<<10 },
		"Large client buffers: clients hold more than 200 KB each on average. CLIENT LIST shows which; client-output-buffer-limit and maxmemory-clients bound them.",
	},
	{
		func(n *Node, f memoryFigures) bool { l := n.ledger.Limit(); return l > 0 && f.used >= l-l/50 },
		"At the limit: maxmemory is nearly or wholly used. What is written from now on evicts keys or is refused, as maxmemory-policy says.",
	},
}

// memoryDoctor tells in words what is remarkable about the use of memory. All
// loops stand still.
func memoryDoctor(r *Request) {
	n := r.Loop.node
	f := n.memory()
	n.peak = max(n.peak, f.used)
	if f.data < doctorFloor {
		r.Reply.Verbatim("txt", "The node is empty or holds very little: its figures say nothing yet.\n")
		return
	}
	var found []string
	for _, a := range ailments {
		if a.present(n, f) {
			found = append(found, a.advice)
		}
	}
	if len(found) == 0 {
		r.Reply.Verbatim("txt", "Nothing about the use of memory is remarkable.\n")
		return
	}
	r.Reply.Verbatim("txt", fmt.Sprintf("%d remarkable about the use of memory:\n\n * %s\n", len(found), strings.Join(found, "\n * ")))
}
