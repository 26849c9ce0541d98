package clients

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var goServer = []goCheck{
	{"COMMAND", goCommand},
	{"INFO", goInfo},
	{"INFO keyspace and counters", goInfoCounts},
	{"CONFIG", goConfig},
	{"SLOWLOG", goSlowLog},
	{"TIME, ECHO, MEMORY, ROLE", goAnswers},
	{"errors of every class", goErrors},
	{"maxmemory refuses writes", goMaxMemory},
	{"maxmemory evicts", goEvicts},
	{"FLUSHALL", goFlushAll},
}

func goCommand(g *goClient) {
	commands := must(g, g.Command(g.ctx))
	get, set, mset := commands["get"], commands["set"], commands["mset"]
	if get == nil || set == nil || mset == nil {
		g.t.Fatalf("COMMAND lacks what must be there: %d commands", len(commands))
	}
	truth(g, get.Arity == 2 && get.ReadOnly && slices.Contains(get.Flags, "fast"), "get: %+v", get)
	truth(g, set.Arity == -3 && !set.ReadOnly && slices.Contains(set.Flags, "denyoom"), "set: %+v", set)
	truth(g, mset.FirstKeyPos == 1 && mset.LastKeyPos == -1 && mset.StepCount == 2, "mset: %+v", mset)
	want(g, g.Do(g.ctx, "command", "count"), any(int64(len(commands))))
	names := must(g, g.CommandList(g.ctx, nil))
	for name := range commands {
		truth(g, slices.Contains(names, name), "COMMAND LIST has no %s", name)
	}
	want(g, g.CommandGetKeys(g.ctx, "mset", "a", 1, "b", 2), []string{"a", "b"})
	want(g, g.CommandGetKeys(g.ctx, "set", "a", 1, "ex", 5), []string{"a"})
	wantError(g, g.CommandGetKeys(g.ctx, "ping", "x"), "ERR The command has no key arguments")
	docs, err := g.Do(g.ctx, "command", "docs", "get", "set").Result()
	truth(g, err == nil && docs != nil, "COMMAND DOCS: %v", err)
}

func goInfo(g *goClient) {
	fields := map[string][]string{
		"Server":      {"redis_version", "redis_mode", "process_id", "tcp_port", "uptime_in_seconds", "run_id", "arch_bits"},
		"Clients":     {"connected_clients", "maxclients", "blocked_clients"},
		"Memory":      {"used_memory", "used_memory_human", "maxmemory", "maxmemory_policy", "mem_fragmentation_ratio"},
		"Persistence": {"loading", "rdb_last_save_time", "aof_enabled"},
		"Stats": {"total_connections_received", "total_commands_processed", "keyspace_hits", "keyspace_misses",
			"expired_keys", "evicted_keys", "instantaneous_ops_per_sec"},
		"Replication": {"role", "connected_slaves", "master_replid", "master_repl_offset"},
		"CPU":         {"used_cpu_sys", "used_cpu_user"},
		"Cluster":     {"cluster_enabled"},
		"Keyspace":    nil,
	}
	must(g, g.Set(g.ctx, "info", 1, 0))
	info := must(g, g.InfoMap(g.ctx))
	for section, names := range fields {
		truth(g, info[section] != nil, "INFO has no %s", section)
		for _, name := range names {
			truth(g, info[section][name] != "", "INFO %s has no %s", section, name)
		}
	}
	two := must(g, g.InfoMap(g.ctx, "server", "keyspace"))
	truth(g, len(two) == 2 && two["Server"] != nil && two["Keyspace"] != nil, "INFO server keyspace has %d sections", len(two))
	major, _, _ := strings.Cut(info["Server"]["redis_version"], ".")
	n, err := strconv.Atoi(major)
	truth(g, err == nil && n >= 7, "redis_version is %s", info["Server"]["redis_version"])
}

func goInfoCounts(g *goClient) {
	db := g.another(func(o *redis.Options) { o.DB = 10 })
	must(g, db.FlushDB(g.ctx))
	want(g, g.ConfigResetStat(g.ctx), "OK")
	must(g, db.Set(g.ctx, "count", 1, time.Hour))
	must(g, db.Set(g.ctx, "count:2", 1, 0))
	must(g, db.Get(g.ctx, "count"))
	wantNil(g, db.Get(g.ctx, "count:none"))
	stats := must(g, g.InfoMap(g.ctx, "stats", "commandstats", "keyspace"))
	truth(g, stats["Stats"]["keyspace_hits"] == "1", "keyspace_hits: %s", stats["Stats"]["keyspace_hits"])
	truth(g, stats["Stats"]["keyspace_misses"] == "1", "keyspace_misses: %s", stats["Stats"]["keyspace_misses"])
	truth(g, strings.HasPrefix(stats["Commandstats"]["cmdstat_set"], "calls=2,usec="), "cmdstat_set: %s", stats["Commandstats"]["cmdstat_set"])
	truth(g, strings.HasPrefix(stats["Keyspace"]["db10"], "keys=2,expires=1,avg_ttl="), "db10: %s", stats["Keyspace"]["db10"])
}

func goConfig(g *goClient) {
	settings := must(g, g.ConfigGet(g.ctx, "maxmemory*"))
	truth(g, settings["maxmemory"] == "0" && settings["maxmemory-policy"] != "", "CONFIG GET maxmemory*: %v", settings)
	want(g, g.ConfigGet(g.ctx, "no-such-setting"), map[string]string{})
	before := must(g, g.ConfigGet(g.ctx, "slowlog-max-len"))["slowlog-max-len"]
	want(g, g.ConfigSet(g.ctx, "slowlog-max-len", "77"), "OK")
	want(g, g.ConfigGet(g.ctx, "slowlog-max-len"), map[string]string{"slowlog-max-len": "77"})
	want(g, g.Do(g.ctx, "config", "set", "slowlog-max-len", before, "slowlog-log-slower-than", 10000), any("OK"))
	wantError(g, g.ConfigSet(g.ctx, "no-such-setting", "1"), "ERR Unknown option or number of arguments for CONFIG SET - 'no-such-setting'")
	wantError(g, g.ConfigSet(g.ctx, "maxmemory-policy", "x"), "ERR CONFIG SET failed (possibly related to argument 'maxmemory-policy')")
	for _, name := range []string{"save", "appendonly", "databases", "timeout", "proto-max-bulk-len"} {
		truth(g, len(must(g, g.ConfigGet(g.ctx, name))) == 1, "CONFIG GET %s is empty", name)
	}
}

func goSlowLog(g *goClient) {
	want(g, g.Do(g.ctx, "slowlog", "reset"), any("OK"))
	want(g, g.ConfigSet(g.ctx, "slowlog-log-slower-than", "0"), "OK")
	want(g, g.Set(g.ctx, "slow", "value", 0), "OK")
	want(g, g.ConfigSet(g.ctx, "slowlog-log-slower-than", "10000"), "OK")
	entries := must(g, g.SlowLogGet(g.ctx, 100))
	found := slices.ContainsFunc(entries, func(e redis.SlowLog) bool {
		return len(e.Args) == 3 && strings.EqualFold(e.Args[0], "set") && e.Args[1] == "slow" && e.ClientAddr != ""
	})
	truth(g, found, "SLOWLOG GET: %v", entries)
}

func goAnswers(g *goClient) {
	now := must(g, g.Time(g.ctx))
	truth(g, time.Since(now).Abs() < 2*time.Second, "TIME is %v", now)
	want(g, g.Echo(g.ctx, "a\r\nb"), "a\r\nb")
	want(g, g.Do(g.ctx, "ping", "text"), any("text"))
	must(g, g.Set(g.ctx, "mem", strings.Repeat("x", 10000), 0))
	used := must(g, g.MemoryUsage(g.ctx, "mem"))
	truth(g, used >= 10000 && used < 20000, "MEMORY USAGE is %d", used)
	wantNil(g, g.MemoryUsage(g.ctx, "mem:none"))
	role := must(g, g.Do(g.ctx, "role"))
	parts, _ := role.([]any)
	truth(g, len(parts) == 3 && parts[0] == "master", "ROLE: %v", role)
	want(g, g.Do(g.ctx, "acl", "whoami"), any("default"))
}

// goErrors sends what is wrong in every way that a client tells apart.
func goErrors(g *goClient) {
	must(g, g.Set(g.ctx, "err", "x", 0))
	cases := []struct{ command, text string }{
		{"nosuch a b", "ERR unknown command 'nosuch', with args beginning with: 'a' 'b'"},
		{"get", "ERR wrong number of arguments for 'get' command"},
		{"get a b", "ERR wrong number of arguments for 'get' command"},
		{"set err", "ERR wrong number of arguments for 'set' command"},
		{"set err x bad", "ERR syntax error"},
		{"set err x ex", "ERR syntax error"},
		{"set err x ex 1.5", "ERR value is not an integer or out of range"},
		{"set err x ex 10 px 10", "ERR syntax error"},
		{"incr err", "ERR value is not an integer or out of range"},
		{"incrby err 1.5", "ERR value is not an integer or out of range"},
		{"expire err x", "ERR value is not an integer or out of range"},
		{"select x", "ERR value is not an integer or out of range"},
		{"object nosuch err", "ERR unknown subcommand 'nosuch'. Try OBJECT HELP."},
		{"config get", "ERR wrong number of arguments for 'config|get' command"},
		{"exec", "ERR EXEC without MULTI"},
	}
	for _, c := range cases {
		args := []any{}
		for _, word := range strings.Fields(c.command) {
			args = append(args, word)
		}
		wantError(g, g.Do(g.ctx, args...), c.text)
	}
	want(g, g.Get(g.ctx, "err"), "x")
}

// memory sets the limit and the policy until the check is over.
func memory(g *goClient, limit, policy string) {
	c := redis.NewClient(g.Options())
	before := must(g, c.ConfigGet(g.ctx, "maxmemory-policy"))["maxmemory-policy"]
	g.t.Cleanup(func() {
		defer c.Close()
		err := c.Do(context.Background(), "config", "set", "maxmemory", 0, "maxmemory-policy", before).Err()
		truth(g, err == nil, "CONFIG SET: %v", err)
	})
	want(g, g.ConfigSet(g.ctx, "maxmemory-policy", policy), "OK")
	want(g, g.ConfigSet(g.ctx, "maxmemory", limit), "OK")
}

func goMaxMemory(g *goClient) {
	must(g, g.Set(g.ctx, "oom", "there", 0))
	memory(g, "1", "noeviction")
	refused := g.Set(g.ctx, "oom:more", strings.Repeat("x", 1000), 0)
	wantError(g, refused, "OOM command not allowed when used memory > 'maxmemory'.")
	truth(g, redis.IsOOMError(refused.Err()), "go-redis does not know %v", refused.Err())
	want(g, g.Get(g.ctx, "oom"), "there")
	want(g, g.Del(g.ctx, "oom"), 1)
}

// number reads one figure of INFO.
func number(g *goClient, section, name string) int {
	text := must(g, g.InfoMap(g.ctx, strings.ToLower(section)))[section][name]
	n, err := strconv.Atoi(text)
	truth(g, err == nil, "INFO %s %s is %q", section, name, text)
	return n
}

// goEvicts writes four times of what has room.
func goEvicts(g *goClient) {
	const room = 16 << 20
	limit := number(g, "Memory", "used_memory") + room
	evicted := number(g, "Stats", "evicted_keys")
	memory(g, strconv.Itoa(limit), "allkeys-lru")
	value := strings.Repeat("x", 8192)
	for batch := range 16 {
		_, err := g.Pipelined(g.ctx, func(p redis.Pipeliner) error {
			for i := range 4 * room / 16 / len(value) {
				p.Set(g.ctx, fmt.Sprint("evict:", batch, ":", i), value, 0)
			}
			return nil
		})
		truth(g, err == nil, "batch %d: %v", batch, err)
	}
	used := number(g, "Memory", "used_memory")
	truth(g, number(g, "Stats", "evicted_keys") > evicted, "nothing was evicted: used_memory is %d with a limit of %d", used, limit)
	truth(g, used < limit+room/2, "used_memory is %d with a limit of %d", used, limit)
	want(g, g.Get(g.ctx, fmt.Sprint("evict:15:", 4*room/16/len(value)-1)), value)
}

func goFlushAll(g *goClient) {
	other := g.another(func(o *redis.Options) { o.DB = 12 })
	fill(g, g.Client, "flush:", 2000)
	fill(g, other, "flush:", 10)
	want(g, other.FlushDB(g.ctx), "OK")
	want(g, other.DBSize(g.ctx), 0)
	truth(g, must(g, g.DBSize(g.ctx)) >= 2000, "FLUSHDB emptied another database")
	fill(g, other, "flush:", 10)
	want(g, g.FlushAllAsync(g.ctx), "OK")
	want(g, g.DBSize(g.ctx), 0)
	want(g, other.DBSize(g.ctx), 0)
	wantNil(g, g.Get(g.ctx, "flush:1"))
	want(g, g.Set(g.ctx, "flush:1", 1, 0), "OK")
	wantError(g, g.Do(g.ctx, "flushall", "x"), "ERR syntax error")
}
