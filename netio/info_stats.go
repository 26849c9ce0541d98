package netio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/command"
)

// sum adds a figure over all loops, which stand still.
func (n *Node) sum(of func(*Loop) uint64) uint64 {
	var total uint64
	for _, l := range n.loops {
		total += of(l)
	}
	return total
}

// rate adds a rate over all loops.
func (n *Node) rate(i int) float64 {
	var total float64
	for _, l := range n.loops {
		total += l.stats.rates.mean(i)
	}
	return total
}

func infoStats(t *infoText) {
	n := t.node
	count := func(name string, of func(*Loop) uint64) { t.line("%s:%d", name, n.sum(of)) }
	count("total_connections_received", func(l *Loop) uint64 { return l.stats.accepted })
	count("total_commands_processed", func(l *Loop) uint64 { return l.shard.Calls() })
	t.line("instantaneous_ops_per_sec:%.0f", n.rate(0))
	count("total_net_input_bytes", func(l *Loop) uint64 { return l.stats.netIn })
	count("total_net_output_bytes", func(l *Loop) uint64 { return l.stats.netOut })
	t.line("total_net_repl_input_bytes:0")
	t.line("total_net_repl_output_bytes:0")
	t.line("instantaneous_input_kbps:%.2f", n.rate(1)/1024)
	t.line("instantaneous_output_kbps:%.2f", n.rate(2)/1024)
	t.line("instantaneous_input_repl_kbps:0.00")
	t.line("instantaneous_output_repl_kbps:0.00")
	count("rejected_connections", func(l *Loop) uint64 { return l.stats.rejected + l.stats.refused })
	t.line("sync_full:0")
	t.line("sync_partial_ok:0")
	t.line("sync_partial_err:0")
	t.zeros("expired_subkeys")
	count("expired_keys", func(l *Loop) uint64 { return l.shard.Call().Expired })
	t.line("expired_stale_perc:%.2f", n.stalePercent())
	count("expired_time_cap_reached_count", func(l *Loop) uint64 { return l.shard.ExpireStats().Capped })
	t.line("expire_cycle_cpu_milliseconds:%d", n.sum(func(l *Loop) uint64 { return uint64(l.shard.ExpireStats().Nanos) })/1e6)
	count("evicted_keys", func(l *Loop) uint64 { return l.shard.Evicted() })
	count("evicted_clients", func(l *Loop) uint64 { return l.stats.evictedClients })
	t.zeros("evicted_scripts")
	total, current := n.evictionTime()
	t.line("total_eviction_exceeded_time:%d", total/1e6)
	t.line("current_eviction_exceeded_time:%d", current/1e6)
	count("keyspace_hits", func(l *Loop) uint64 { return l.shard.Call().Hits })
	count("keyspace_misses", func(l *Loop) uint64 { return l.shard.Call().Misses })
	stalled := n.stalls()
	t.line("loop_stall_max_usec:%d", stalled.wall/1e3)
	t.line("loop_stall_max_held_usec:%d", stalled.held/1e3)
	t.line("loop_stall_max_busy_usec:%d", stalled.busy/1e3)
	infoStatsRest(t)
}

// infoStatsRest has the figures of what does not exist yet, or only in total.
func infoStatsRest(t *infoText) {
	n := t.node
	t.zeros(
		"pubsub_channels", "pubsub_patterns", "pubsubshard_channels", "latest_fork_usec", "total_forks",
		"migrate_cached_sockets", "slave_expires_tracked_keys", "active_defrag_hits", "active_defrag_misses",
		"active_defrag_key_hits", "active_defrag_key_misses", "total_active_defrag_time",
		"current_active_defrag_time", "tracking_total_keys", "tracking_total_items", "tracking_total_prefixes",
		"unexpected_error_replies",
	)
	var errors uint64
	for _, l := range n.loops {
		total, _ := l.shard.Errors()
		errors += total
	}
	t.line("total_error_replies:%d", errors)
	t.line("dump_payload_sanitizations:0")
	t.line("total_reads_processed:%d", n.sum(func(l *Loop) uint64 { return l.stats.reads }))
	t.line("total_writes_processed:%d", n.sum(func(l *Loop) uint64 { return l.stats.writes }))
	t.zeros("io_threaded_reads_processed", "io_threaded_writes_processed")
	t.line("client_query_buffer_limit_disconnections:%d", n.sum(func(l *Loop) uint64 { return l.stats.queryLimitClosed }))
	t.line("client_output_buffer_limit_disconnections:%d", n.sum(func(l *Loop) uint64 { return l.stats.outputLimitClosed }))
	t.zeros("reply_buffer_shrinks", "reply_buffer_expands")
	t.line("acl_access_denied_auth:%d", n.sum(func(l *Loop) uint64 { return l.stats.deniedAuth }))
	t.zeros("acl_access_denied_cmd", "acl_access_denied_key", "acl_access_denied_channel")
}

// evictionTime is how long, in nanoseconds, the shard that was worst off has
// been beyond its limit, in all and now.
func (n *Node) evictionTime() (total, current int64) {
	for _, l := range n.loops {
		t, c := l.shard.EvictionTime()
		total, current = max(total, t), max(current, c)
	}
	return total, current
}

// stalePercent is the share of expired keys that are still held.
func (n *Node) stalePercent() float64 {
	var sum float64
	for _, l := range n.loops {
		sum += l.shard.ExpireStats().Stale
	}
	return sum / float64(len(n.loops))
}

// rowTotals adds up a row's figures over all shards, save its latencies.
func (n *Node) rowTotals(id uint16) engine.RowStat {
	var sum engine.RowStat
	for _, l := range n.loops {
		r := l.shard.Row(id)
		sum.Calls += r.Calls
		sum.Nanos += r.Nanos
		sum.Rejected += r.Rejected
		sum.Failed += r.Failed
	}
	return sum
}

// rowLatency has the latencies of a row on all shards; nil if there are none. It
// is to be read only: where one shard has them all they are its own.
func (n *Node) rowLatency(id uint16) *hdrhistogram.Histogram {
	var all *hdrhistogram.Histogram
	shared := false
	for _, l := range n.loops {
		h := l.shard.Row(id).Latency
		switch {
		case h == nil:
			continue
		case all == nil:
			all, shared = h, true
			continue
		case shared:
			all, shared = hdrhistogram.Import(all.Export()), false
		}
		all.Merge(h)
	}
	return all
}

func infoCommandStats(t *infoText) {
	for id := range command.Table {
		s := t.node.rowTotals(uint16(id))
		if s.Calls == 0 && s.Failed == 0 && s.Rejected == 0 {
			continue
		}
		micros := s.Nanos / 1000
		t.line("cmdstat_%s:calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
			command.Table[id].Name, s.Calls, micros, float64(s.Nanos)/1000/float64(max(1, s.Calls)), s.Rejected, s.Failed)
	}
}

func infoErrorStats(t *infoText) {
	sum := map[string]uint64{}
	for _, l := range t.node.loops {
		_, byCode := l.shard.Errors()
		for code, n := range byCode {
			sum[code] += n
		}
	}
	codes := make([]string, 0, len(sum))
	for code := range sum {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		t.line("errorstat_%s:count=%d", code, sum[code])
	}
}

func infoLatencyStats(t *infoText) {
	percentiles := t.node.values.Load().LatencyTrackingInfoPercentiles
	for id := range command.Table {
		h := t.node.rowLatency(uint16(id))
		if h == nil {
			continue
		}
		var words []string
		for i, nanos := range h.ValueAtPercentilesSlice(percentiles) {
			words = append(words, fmt.Sprintf("p%v=%.3f", percentiles[i], float64(nanos)/1000))
		}
		t.line("latency_percentiles_usec_%s:%s", command.Table[id].Name, strings.Join(words, ","))
	}
}
