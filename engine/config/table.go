package config

import (
	"math"
	"slices"
)

// table lists every option, sorted by name. All else about an option, its flag,
// environment variable, TOML key, CONFIG GET and SET and its documentation,
// follows from its row.
var table = slices.Concat(optionsBefore, clusterOptions, optionsAfter)

// optionsBefore are the rows before those of clusters.
var optionsBefore = []Option{
	{
		Name: "active-expire-effort", Group: groupMemory, Default: "1",
		kind: number{field: func(v *Values) *int64 { return &v.ActiveExpireEffort }, min: 1, max: 10},
		Help: "How much processor time may go into removing expired keys: each step up allows more.",
	},
	{
		Name: "appendonly", Group: groupProcess, Default: "no", kind: fixed{"no"},
		Help: "Whether writes are kept in a log on disk. Clients ask for it; this version keeps nothing.",
	},
	{
		Name: "bind", Group: groupNetwork, Default: "127.0.0.1 -::1", change: immutable,
		kind: words{func(v *Values) *[]string { return &v.Bind }, "addresses"},
		Help: "Addresses to listen on. `*` is every IPv4 address, `::*` every IPv6 address; a `-` in front skips an address that the machine does not have. A port that is taken is an error in any case.",
	},
	{
		Name: "client-output-buffer-limit", Group: groupClients,
		Default: "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
		kind:    limits{func(v *Values) *OutputLimits { return &v.OutputLimits }},
		Help:    "Closes a client whose unread replies exceed the hard limit, or the soft limit for so many seconds; 0 is no limit. Classes that are not named keep their limits. All clients of this version are normal ones.",
	},
	{
		Name: "client-query-buffer-limit", Group: groupClients, Default: "1gb",
		kind: memory{func(v *Values) *int64 { return &v.ClientQueryBufferLimit }, 1 << 20},
		Help: "Closes a client whose unexecuted requests exceed this.",
	},
}

// optionsAfter are the rows behind those of clusters.
var optionsAfter = []Option{
	{
		Name: "databases", Group: groupProcess, Default: "16", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.Databases }, min: 1, max: 4096},
		Help: "Number of databases that SELECT can choose from.",
	},
	{
		Name: "dir", Group: groupProcess, Default: ".", change: protected, Aliases: []string{"data-dir"},
		kind: text{func(v *Values) *string { return &v.Dir }, "path"},
		Help: "Folder of data files: in this version those of a node of a cluster. It must be there. A relative one starts from the working directory.",
	},
	{
		Name: "dynamic-hz", Group: groupProcess, Default: "yes",
		kind: boolean{func(v *Values) *bool { return &v.DynamicHz }},
		Help: "Has no effect: background rounds are as often as `hz` says, however many clients there are.",
	},
	{
		Name: "enable-debug-command", Group: groupSecurity, Default: "no", change: immutable,
		kind: enum[Access]{func(v *Values) *Access { return &v.EnableDebugCommand }, accessNames},
		Help: "Who may use DEBUG: nobody, everybody, or connections from this machine.",
	},
	{
		Name: "huge-pages", Group: groupMemory, Default: "always", change: immutable,
		kind: enum[HugePages]{func(v *Values) *HugePages { return &v.HugePages }, hugePagesNames},
		Help: "Asks the system for huge pages for the tables and small values of the keyspace, forbids them, or leaves it to how the system is set up. They make random access cheaper; some megabytes are kept ready, so that no command waits for them. Linux only.",
	},
	{
		Name: "hz", Group: groupProcess, Default: "10",
		kind: number{field: func(v *Values) *int64 { return &v.Hz }, min: 0, max: math.MaxInt32, floor: 1, ceil: 500},
		Help: "Background rounds a second. Values outside the range are taken as its nearest end.",
	},
	{
		Name: "latency-monitor-threshold", Group: groupObservation, Default: "0",
		kind: number{field: func(v *Values) *int64 { return &v.LatencyMonitorThreshold }, max: math.MaxInt64, unit: milliseconds},
		Help: "Events that take this long or longer are kept for LATENCY; 0 turns it off.",
	},
	{
		Name: "latency-tracking", Group: groupObservation, Default: "yes",
		kind: boolean{func(v *Values) *bool { return &v.LatencyTracking }},
		Help: "Keeps a histogram of the latency of each command, for INFO latencystats and LATENCY HISTOGRAM.",
	},
	{
		Name: "latency-tracking-info-percentiles", Group: groupObservation, Default: "50 99 99.9",
		kind: percentiles{"latency-tracking-info-percentiles", func(v *Values) *[]float64 { return &v.LatencyTrackingInfoPercentiles }},
		Help: "Percentiles that INFO latencystats shows.",
	},
	{
		Name: "lazyfree-lazy-eviction", Group: groupMemory, Default: "no",
		kind: boolean{func(v *Values) *bool { return &v.LazyfreeLazyEviction }},
		Help: "Has no effect: the memory of large values is always given back in steps.",
	},
	{
		Name: "lazyfree-lazy-expire", Group: groupMemory, Default: "no",
		kind: boolean{func(v *Values) *bool { return &v.LazyfreeLazyExpire }},
		Help: "Has no effect, like `lazyfree-lazy-eviction`.",
	},
	{
		Name: "lazyfree-lazy-server-del", Group: groupMemory, Default: "no",
		kind: boolean{func(v *Values) *bool { return &v.LazyfreeLazyServerDel }},
		Help: "Has no effect, like `lazyfree-lazy-eviction`.",
	},
	{
		Name: "lazyfree-lazy-user-del", Group: groupMemory, Default: "no",
		kind: boolean{func(v *Values) *bool { return &v.LazyfreeLazyUserDel }},
		Help: "Has no effect, like `lazyfree-lazy-eviction`: DEL and UNLINK are the same.",
	},
	{
		Name: "lazyfree-lazy-user-flush", Group: groupMemory, Default: "no",
		kind: boolean{func(v *Values) *bool { return &v.LazyfreeLazyUserFlush }},
		Help: "Has no effect: FLUSHALL and FLUSHDB take effect at once and free memory in steps in any case.",
	},
	{
		Name: "lfu-decay-time", Group: groupMemory, Default: "1",
		kind: number{field: func(v *Values) *int64 { return &v.LFUDecayTime }, max: math.MaxInt32, unit: "minutes"},
		Help: "Time after which the access counter of an idle key falls by one under the LFU policies; 0 is never.",
	},
	{
		Name: "lfu-log-factor", Group: groupMemory, Default: "10",
		kind: number{field: func(v *Values) *int64 { return &v.LFULogFactor }, max: math.MaxInt32},
		Help: "How slowly access counters grow under the LFU policies: more hits are told apart at higher values.",
	},
	{
		Name: "logfile", Group: groupProcess, change: immutable,
		kind: text{func(v *Values) *string { return &v.Logfile }, "path"},
		Help: "File that the log is appended to; empty is standard error. Each line goes to what has that name at the moment: whoever rotates logs need not tell the node, and SIGHUP and SIGUSR1 do nothing.",
	},
	{
		Name: "loglevel", Group: groupProcess, Default: "notice",
		kind: enum[Level]{func(v *Values) *Level { return &v.Loglevel }, levelNames},
		Help: "The least important lines that the log keeps.",
	},
	{
		Name: "maxclients", Group: groupClients, Default: "10000",
		kind: number{field: func(v *Values) *int64 { return &v.Maxclients }, min: 1, max: math.MaxUint32},
		Help: "Connections beyond this are refused.",
	},
	{
		Name: "maxmemory", Group: groupMemory, Default: "0",
		kind: memory{func(v *Values) *int64 { return &v.Maxmemory }, 0},
		Help: "Memory limit of the node; 0 is no limit. What happens at the limit is `maxmemory-policy`.",
	},
	{
		Name: "maxmemory-clients", Group: groupClients, Default: "0",
		kind: share{func(v *Values) *Share { return &v.MaxmemoryClients }},
		Help: "Limit of what all client buffers take together: above it the largest clients are closed. 0 is no limit.",
	},
	{
		Name: "maxmemory-eviction-tenacity", Group: groupMemory, Default: "10",
		kind: number{field: func(v *Values) *int64 { return &v.MaxmemoryEvictionTenacity }, min: 0, max: 100},
		Help: "How long one round of eviction may delay clients, from 0 (little) to 100 (until it is done).",
	},
	{
		Name: "maxmemory-policy", Group: groupMemory, Default: "allkeys-lru",
		kind: enum[Policy]{func(v *Values) *Policy { return &v.MaxmemoryPolicy }, policyNames},
		Help: "Which keys are evicted at `maxmemory`. The volatile policies take only keys that have an expiry; `noeviction` refuses writes.",
	},
	{
		Name: "maxmemory-samples", Group: groupMemory, Default: "5",
		kind: number{field: func(v *Values) *int64 { return &v.MaxmemorySamples }, min: 1, max: math.MaxInt32},
		Help: "Keys compared to find one to evict: more is more exact and slower. Beyond 64 it changes nothing.",
	},
	{
		Name: "pin", Group: groupProcess, Default: "no", change: immutable,
		kind: cores{func(v *Values) *Pin { return &v.Pin }},
		Help: "Pins each shard's thread to a core: `yes` takes the available ones in order, a list those named. Linux only.",
	},
	{
		Name: "pipeline-order", Group: groupClients, Default: "strict",
		kind: enum[Order]{func(v *Values) *Order { return &v.PipelineOrder }, orderNames},
		Help: "`strict` runs the commands of a connection in order. `relaxed` lets those of one pipeline run side by side on different shards, which is faster; replies come in order either way.",
	},
	{
		Name: "port", Group: groupNetwork, Default: "6379", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.Port }, min: 0, max: math.MaxUint16},
		Help: "TCP port; 0 is none.",
	},
	{
		Name: "protected-mode", Group: groupSecurity, Default: "yes",
		kind: boolean{func(v *Values) *bool { return &v.ProtectedMode }},
		Help: "Without a password, serves only connections from this machine.",
	},
	{
		Name: "proto-max-bulk-len", Group: groupClients, Default: "512mb",
		kind: memory{func(v *Values) *int64 { return &v.ProtoMaxBulkLen }, 1 << 20},
		Help: "The longest single argument of a request, and the longest string.",
	},
	{
		Name: "requirepass", Group: groupSecurity, Secret: true,
		kind: password{func(v *Values) *Password { return &v.Requirepass }},
		Help: "Password of the default user; empty is none. Only the hash is kept: CONFIG GET shows `#` and the SHA-256 in hexadecimal, and that form is accepted as well.",
	},
	{
		Name: "save", Group: groupProcess, Default: "", kind: fixed{""},
		Help: "When snapshots are written to disk. Clients ask for it; this version keeps nothing.",
	},
	{
		Name: "shard-owners", Group: groupCluster, Default: "no", change: immutable,
		kind: boolean{func(v *Values) *bool { return &v.ShardOwners }},
		Help: "Whether each shard has a port of its own, the first at `port` and 1, and clients of the cluster are told it for the slots of the shard: they go straight to the thread that has the key. At `port` all shards are reached.",
	},
	{
		Name: "shards", Group: groupProcess, Default: "0", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.Shards }, min: 0, max: 256},
		Help: "Number of shards, each with a thread of its own. 0 takes the available cores less one, at least 1.",
	},
	{
		Name: "slowlog-log-slower-than", Group: groupObservation, Default: "10000",
		kind: number{field: func(v *Values) *int64 { return &v.SlowlogLogSlowerThan }, min: -1, max: math.MaxInt64, unit: microseconds},
		Help: "Commands that take this long or longer enter the slow log; 0 is every command, -1 none.",
	},
	{
		Name: "slowlog-max-len", Group: groupObservation, Default: "128",
		kind: number{field: func(v *Values) *int64 { return &v.SlowlogMaxLen }, max: math.MaxInt64},
		Help: "Entries that the slow log keeps.",
	},
	{
		Name: "tcp-backlog", Group: groupNetwork, Default: "511", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.TCPBacklog }, min: 1, max: math.MaxUint16},
		Help: "Connections that the system may queue before they are accepted.",
	},
	{
		Name: "tcp-keepalive", Group: groupNetwork, Default: "300",
		kind: number{field: func(v *Values) *int64 { return &v.TCPKeepalive }, max: math.MaxInt32, unit: seconds},
		Help: "The system probes a silent peer after this long; 0 is never.",
	},
	{
		Name: "timeout", Group: groupNetwork, Default: "0",
		kind: number{field: func(v *Values) *int64 { return &v.Timeout }, max: math.MaxInt32, unit: seconds},
		Help: "Closes a client that has been idle for this long; 0 is never.",
	},
	{
		Name: "unixsocket", Group: groupNetwork, change: immutable,
		kind: text{func(v *Values) *string { return &v.Unixsocket }, "path"},
		Help: "Path of a Unix socket to listen on; empty is none.",
	},
	{
		Name: "unixsocketperm", Group: groupNetwork, Default: "0", change: immutable,
		kind: permissions{func(v *Values) *uint32 { return &v.Unixsocketperm }},
		Help: "Permissions of the Unix socket; 0 leaves those that the system gives.",
	},
}

// Groups order the documentation and the help of the command line.
const (
	groupNetwork     = "Network"
	groupClients     = "Clients"
	groupSecurity    = "Security"
	groupMemory      = "Memory"
	groupProcess     = "Process"
	groupCluster     = "Cluster"
	groupObservation = "Observation"
)

var groups = []string{
	groupNetwork, groupClients, groupSecurity, groupMemory, groupProcess, groupCluster, groupObservation,
}

const (
	seconds      = "seconds"
	milliseconds = "milliseconds"
	microseconds = "microseconds"
)
