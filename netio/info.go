package netio

import (
	"fmt"
	"strings"
)

// infoSection is one section of INFO.
type infoSection struct {
	name  string // as a client asks for it
	title string
	rank  infoRank
	write func(*infoText)
}

// infoRank says when a section is shown without being named.
type infoRank uint8

const (
	inDefault infoRank = iota
	inAll              // with "all" and "everything" only
)

// infoSections has the sections in the order in which they are shown.
var infoSections = []infoSection{
	{"server", "Server", inDefault, infoServer},
	{"clients", "Clients", inDefault, infoClients},
	{"memory", "Memory", inDefault, infoMemory},
	{"persistence", "Persistence", inDefault, infoPersistence},
	{"stats", "Stats", inDefault, infoStats},
	{"replication", "Replication", inDefault, infoReplication},
	{"cpu", "CPU", inDefault, infoCPU},
	{"modules", "Modules", inDefault, func(*infoText) {}},
	{"commandstats", "Commandstats", inAll, infoCommandStats},
	{"errorstats", "Errorstats", inDefault, infoErrorStats},
	{"latencystats", "Latencystats", inAll, infoLatencyStats},
	{"cluster", "Cluster", inDefault, infoCluster},
	{"keyspace", "Keyspace", inDefault, infoKeyspace},
}

// infoText gathers the lines of INFO.
type infoText struct {
	strings.Builder
	node *Node
	loop *Loop // that answers
}

func (t *infoText) line(format string, args ...any) {
	fmt.Fprintf(t, format, args...)
	t.WriteString("\r\n")
}

// zeros has a line for each figure of what this node has nothing of.
func (t *infoText) zeros(names ...string) {
	for _, name := range names {
		t.line("%s:0", name)
	}
}

// info describes the node. All loops stand still, so that sums are exact.
func info(r *Request) {
	wanted := map[string]bool{}
	for _, name := range r.rest(1) {
		wanted[strings.ToLower(string(name))] = true
	}
	t := &infoText{node: r.Loop.node, loop: r.Loop}
	for _, s := range infoSections {
		if s.shown(wanted) {
			if t.Len() > 0 {
				t.WriteString("\r\n")
			}
			t.line("# %s", s.title)
			s.write(t)
		}
	}
	r.Reply.Verbatim("txt", t.String())
}

// shown tells whether a section is part of what a client asked for.
func (s *infoSection) shown(wanted map[string]bool) bool {
	switch {
	case wanted[s.name], wanted["all"], wanted["everything"]:
		return true
	case len(wanted) == 0, wanted["default"]:
		return s.rank == inDefault
	}
	return false
}
