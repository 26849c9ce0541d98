package netio

import (
	"fmt"
	"strconv"
	"strings"
)

func infoServer(t *infoText) {
	n := t.node
	about, v := n.about, n.values.Load()
	up := (t.loop.clock.Monotonic() - n.started) / 1e9
	t.line("redis_version:%s", RedisLevel)
	t.line("redis_git_sha1:00000000")
	t.line("redis_git_dirty:0")
	t.line("redis_build_id:%s", n.runID[:16])
	t.line("redis_mode:%s", n.mode())
	t.line("ironcache_version:%s", about.Version)
	t.line("ironcache_commit:%s", about.Commit)
	t.line("ironcache_shards:%d", len(n.loops))
	t.line("os:%s", about.OS)
	t.line("arch_bits:%d", strconv.IntSize)
	t.line("monotonic_clock:POSIX clock_gettime")
	t.line("multiplexing_api:%s", about.Poller)
	t.line("go_version:%s", about.GoVersion)
	t.line("process_id:%d", about.PID)
	t.line("process_supervised:no")
	t.line("run_id:%s", n.runID)
	t.line("tcp_port:%d", v.Port)
	t.line("server_time_usec:%d", t.loop.shard.Micros())
	t.line("uptime_in_seconds:%d", up)
	t.line("uptime_in_days:%d", up/86400)
	t.line("hz:%d", v.Hz)
	t.line("configured_hz:%d", v.Hz)
	t.line("lru_clock:%d", t.loop.shard.Now()/1000&(1<<24-1))
	t.line("executable:%s", about.Executable)
	t.line("config_file:%s", about.ConfigFile)
	t.line("io_threads_active:0")
	infoListeners(t)
}

// infoListeners has a line for each way to connect.
func infoListeners(t *infoText) {
	v := t.node.values.Load()
	n := 0
	if v.Port > 0 {
		t.line("listener%d:name=tcp,bind=%s,port=%d", n, strings.Join(v.Bind, ",bind="), v.Port)
		n++
	}
	if v.Unixsocket != "" {
		t.line("listener%d:name=unix,bind=%s", n, v.Unixsocket)
	}
}

func infoClients(t *infoText) {
	n := t.node
	var maxIn, maxOut, watching, transactions int
	for _, c := range n.everybody() {
		if c.batch != nil {
			maxIn = max(maxIn, c.batch.held())
		}
		maxIn, maxOut = max(maxIn, cap(c.left)), max(maxOut, cap(c.out)+c.backlog.bytes)
		watching += min(1, len(c.watching))
		if c.tx != nil {
			transactions++
		}
	}
	t.line("connected_clients:%d", n.clients())
	t.line("cluster_connections:0")
	t.line("maxclients:%d", n.values.Load().Maxclients)
	t.line("client_recent_max_input_buffer:%d", maxIn)
	t.line("client_recent_max_output_buffer:%d", maxOut)
	t.line("blocked_clients:0")
	t.line("tracking_clients:0")
	t.line("pubsub_clients:0")
	t.line("watching_clients:%d", watching)
	t.line("clients_in_timeout_table:0")
	t.line("total_blocking_keys:0")
	t.line("total_blocking_keys_on_nokey:0")
	t.line("total_watched_keys:%d", n.watchedKeys())
}

// watchedKeys counts the keys that clients watch. All loops stand still.
func (n *Node) watchedKeys() int {
	sum := 0
	for _, l := range n.loops {
		sum += l.shard.WatchedKeys()
	}
	return sum
}

// infoPersistence tells of snapshots and logs: that there are none.
func infoPersistence(t *infoText) {
	t.zeros("loading", "async_loading", "current_cow_peak", "current_cow_size", "current_cow_size_age")
	t.line("current_fork_perc:0.00")
	t.zeros("current_save_keys_processed", "current_save_keys_total")
	t.line("rdb_changes_since_last_save:%d", t.node.sum(func(l *Loop) uint64 { return l.shard.Call().Changes }))
	t.zeros("rdb_bgsave_in_progress")
	t.line("rdb_last_save_time:%d", t.node.startedWall/1e9)
	t.line("rdb_last_bgsave_status:ok")
	t.line("rdb_last_bgsave_time_sec:-1")
	t.line("rdb_current_bgsave_time_sec:-1")
	t.zeros("rdb_saves", "rdb_last_cow_size", "rdb_last_load_keys_expired", "rdb_last_load_keys_loaded",
		"aof_enabled", "aof_rewrite_in_progress", "aof_rewrite_scheduled")
	t.line("aof_last_rewrite_time_sec:-1")
	t.line("aof_current_rewrite_time_sec:-1")
	t.line("aof_last_bgrewrite_status:ok")
	t.zeros("aof_rewrites", "aof_rewrites_consecutive_failures")
	t.line("aof_last_write_status:ok")
	t.zeros("aof_last_cow_size", "module_fork_in_progress", "module_fork_last_cow_size")
}

func infoReplication(t *infoText) {
	t.line("role:master")
	t.line("connected_slaves:0")
	t.line("master_failover_state:no-failover")
	t.line("master_replid:%s", t.node.runID)
	t.line("master_replid2:%040d", 0)
	t.line("master_repl_offset:0")
	t.line("second_repl_offset:-1")
	t.line("repl_backlog_active:0")
	t.line("repl_backlog_size:0")
	t.line("repl_backlog_first_byte_offset:0")
	t.line("repl_backlog_histlen:0")
}

func infoCPU(t *infoText) {
	if t.node.about.CPUSeconds == nil {
		return
	}
	system, user := t.node.about.CPUSeconds()
	t.line("used_cpu_sys:%.6f", system)
	t.line("used_cpu_user:%.6f", user)
	t.line("used_cpu_sys_children:0.000000")
	t.line("used_cpu_user_children:0.000000")
}

// infoCluster tells whether the node is one of a cluster, who leads that, how many
// decide in it, whether this node could write down what was decided last, and how often
// replies were held back because the right to answer had ended.
func infoCluster(t *infoText) {
	if t.node.plane == nil {
		t.line("cluster_enabled:0")
		return
	}
	t.line("cluster_enabled:1")
	t.line("cluster_leader:%s", t.node.plane.Leader())
	t.line("cluster_voters:%d", t.node.plane.Voters())
	status := "ok"
	if t.node.plane.Ailing() != nil {
		status = "err"
	}
	t.line("cluster_last_write_status:%s", status)
	t.line("cluster_fenced_replies:%d", t.node.sum(func(l *Loop) uint64 { return l.stats.fencedReplies }))
}

// infoKeyspace has a line for each database that is not empty.
func infoKeyspace(t *infoText) {
	n := t.node
	for db := range int(n.values.Load().Databases) {
		keys, expires, ttl := 0, 0, int64(0)
		for _, l := range n.loops {
			space := n.stores[l.id].Space(db)
			keys += space.Len()
			if e := space.Expires(); e > 0 {
				ttl += space.AvgTTL(l.shard.Now(), l.shard.Call().Rand) * int64(e)
				expires += e
			}
		}
		if keys > 0 {
			t.line("db%d:keys=%d,expires=%d,avg_ttl=%d,subexpiry=0", db, keys, expires, ttl/int64(max(1, expires)))
		}
	}
}

// human is a number of bytes as INFO shows it to people.
func human(bytes int64) string {
	f, unit := float64(bytes), ""
	for _, u := range []string{"K", "M", "G", "T", "P"} {
		if f < 1024 {
			break
		}
		f, unit = f/1024, u
	}
	if unit == "" {
		return fmt.Sprintf("%dB", bytes)
	}
	return fmt.Sprintf("%.2f%s", f, unit)
}
