package netio

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/slots"
)

// clusterInfo describes the cluster in figures.
func clusterInfo(r *Request) {
	o := r.Loop.outlook()
	word := "fail"
	if o.whole() {
		word = "ok"
	}
	var text strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&text, "%s:%v\r\n", name, value) }
	line("cluster_state", word)
	assigned, fine, maybe, failed, owners := o.count()
	line("cluster_slots_assigned", assigned)
	line("cluster_slots_ok", fine)
	line("cluster_slots_pfail", maybe)
	line("cluster_slots_fail", failed)
	line("cluster_known_nodes", len(o.members))
	line("cluster_size", owners)
	line("cluster_current_epoch", o.highest())
	line("cluster_my_epoch", o.epoch(o.self))
	line("cluster_stats_messages_sent", 0)
	line("cluster_stats_messages_received", 0)
	line("total_cluster_links_buffer_limit_exceeded", 0)
	r.Reply.Verbatim("txt", text.String())
}

// count counts slots: those that have an owner, and of those the ones whose owner
// is there, is perhaps not, is certainly not; and the owners.
func (o *outlook) count() (assigned, fine, maybe, failed, owners int) {
	for _, m := range o.members {
		size := 0
		for _, r := range o.owns[m.Number] {
			size += r.Size()
		}
		if size > 0 {
			owners++
		}
		assigned += size
		switch {
		case o.lively(m):
			fine += size
		case o.failed(m):
			failed += size
		default:
			maybe += size
		}
	}
	return assigned, fine, maybe, failed, owners
}

// clusterNodes describes all nodes, a line each.
func clusterNodes(r *Request) {
	o := r.Loop.outlook()
	var text strings.Builder
	for _, f := range o.faces {
		text.WriteString(o.line(f) + "\n")
	}
	r.Reply.Verbatim("txt", text.String())
}

// clusterReplicas describes the replicas of a node.
func clusterReplicas(r *Request) {
	owner := r.member(r.At(2))
	switch {
	case owner == nil:
		r.Reply.Error(resp.UnknownNode(r.At(2)))
		return
	case owner.Of != slots.None:
		r.Reply.Error(resp.ErrNotAMaster)
		return
	}
	o := r.Loop.outlook()
	at, n := r.Reply.Mark(), 0
	for _, f := range o.faces {
		if f.Of == owner.Number && f.Of != slots.None {
			r.Reply.BulkString(o.line(f))
			n++
		}
	}
	r.Reply.EndArray(at, n)
}
