//go:build linux

package main

import "fmt"

// Names of the ways to run our server in the hop row.
const (
	oneShard  = "1 shard"
	strict2   = "2 shards, strict"
	relaxed2  = "2 shards, relaxed"
	hopServer = "hop"
)

// hop measures what it costs that a random key belongs to another shard half
// of the time.
func hop(l *lab) error {
	all, err := l.launchAll([]server{
		l.ours(oneShard, 1, "strict"), l.ours(strict2, 2, "strict"), l.ours(relaxed2, 2, "relaxed"),
	})
	defer stopAll(all)
	if err != nil {
		return err
	}
	if err := l.fillStores(all, l.opt.Keys); err != nil {
		return err
	}
	t, err := l.rounds(hopServer, l.opt.Rounds, l.speedTrials(all, []int{16, 64}))
	if err != nil {
		return err
	}
	note := "CPU is that of all loops together. "
	if contains(l.opt.Shards, l.loadCPU) {
		note += "The machine has so few CPUs that the second shard shares one with the load generator."
	}
	l.report.section(section{
		title:   fmt.Sprintf("Two shards over one, random keys (%d)", l.opt.Keys),
		note:    note,
		table:   t,
		columns: append(append([]column{rateColumn, cpuColumn, ratioTo(oneShard)}, latencyColumns...), cleanColumn),
	})
	return nil
}
