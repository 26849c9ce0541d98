package netio

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// memoryStat is a line of MEMORY STATS.
type memoryStat struct {
	name  string
	write func(*resp.Writer)
}

func bytesOf(name string, n int64) memoryStat {
	return memoryStat{name, func(w *resp.Writer) { w.Int(n) }}
}

func shareOf(name string, f float64) memoryStat {
	return memoryStat{name, func(w *resp.Writer) { w.Double(f) }}
}

// memoryStats reports how memory is used. All loops stand still.
func memoryStats(r *Request) {
	n := r.Loop.node
	f := n.memory()
	n.peak = max(n.peak, f.used)
	keys := n.keys()
	stats := []memoryStat{
		bytesOf("peak.allocated", n.peak),
		bytesOf("total.allocated", f.used),
		bytesOf("startup.allocated", f.startup),
		bytesOf("replication.backlog", 0),
		bytesOf("clients.slaves", 0),
		bytesOf("clients.normal", f.clients),
		bytesOf("cluster.links", 0),
		bytesOf("aof.buffer", 0),
		bytesOf("lua.caches", 0),
		bytesOf("functions.caches", 0),
	}
	stats = append(stats, n.databaseStats(f, keys)...)
	stats = append(stats,
		bytesOf("overhead.total", f.used-f.live+f.tables),
		bytesOf("keys.count", keys),
		bytesOf("keys.bytes-per-key", perKey(f.data, keys)),
		bytesOf("dataset.bytes", f.live-f.tables),
		shareOf("dataset.percentage", percent(f.live-f.tables, f.data)),
		shareOf("peak.percentage", percent(f.used, n.peak)),
	)
	stats = append(stats, allocatorStats(f)...)
	r.Reply.Map(len(stats))
	for _, s := range stats {
		r.Reply.BulkString(s.name)
		s.write(r.Reply)
	}
}

// allocatorStats compare what is in use with what the system gave.
func allocatorStats(f memoryFigures) []memoryStat {
	return []memoryStat{
		bytesOf("allocator.allocated", f.live),
		bytesOf("allocator.active", f.reserved),
		bytesOf("allocator.resident", f.reserved),
		shareOf("allocator-fragmentation.ratio", ratio(f.reserved, f.live)),
		bytesOf("allocator-fragmentation.bytes", f.reserved-f.live),
		shareOf("allocator-rss.ratio", 1),
		bytesOf("allocator-rss.bytes", 0),
		shareOf("rss-overhead.ratio", ratio(f.resident, f.reserved)),
		bytesOf("rss-overhead.bytes", f.resident-f.reserved),
		shareOf("fragmentation", ratio(f.resident, f.used)),
		bytesOf("fragmentation.bytes", f.resident-f.used),
	}
}

// keys counts the keys of all databases.
func (n *Node) keys() int64 {
	sum := 0
	for _, s := range n.stores {
		sum += s.Stats().Keys
	}
	return int64(sum)
}

// databaseStats has a map for each database that is not empty. Tables are
// counted for a store as a whole; each database gets the part that its keys
// deserve. Expiries are part of them.
func (n *Node) databaseStats(f memoryFigures, keys int64) []memoryStat {
	var stats []memoryStat
	for db := range int(n.values.Load().Databases) {
		count := int64(0)
		for _, s := range n.stores {
			count += int64(s.Space(db).Len())
		}
		if count == 0 {
			continue
		}
		tables := int64(float64(f.tables) * float64(count) / float64(keys))
		stats = append(stats, memoryStat{fmt.Sprintf("db.%d", db), func(w *resp.Writer) { writeTables(w, tables) }})
	}
	return stats
}

func writeTables(w *resp.Writer, tables int64) {
	w.Map(3)
	w.BulkString("overhead.hashtable.main")
	w.Int(tables)
	w.BulkString("overhead.hashtable.expires")
	w.Int(0)
	w.BulkString("overhead.hashtable.slot-to-keys")
	w.Int(0)
}

// memoryPurge makes every shard return free and spare memory, compacting what is
// sparse, in steps between the requests that follow. All loops stand still.
func memoryPurge(r *Request) {
	for _, l := range r.Loop.node.loops {
		l.node.stores[l.id].DropSpares()
		l.background = true
		l.wake()
	}
	r.Reply.OK()
}

// memoryMallocStats shows the figures of each shard's store.
func memoryMallocStats(r *Request) {
	var text strings.Builder
	text.WriteString("shard         keys     segments         live     reserved       tables      extents   pre-images  idle\n")
	for _, l := range r.Loop.node.loops {
		s := l.node.stores[l.id].Stats()
		fmt.Fprintf(&text, "%5d %12d %12d %12d %12d %12d %12d %12d  %3.0f%%\n",
			l.id, s.Keys, s.Segments, s.Live, s.Reserved, s.Tables, s.Extents, s.Queued, 100*s.Fragmentation())
	}
	fmt.Fprintf(&text, "Go heap: %d bytes. Connection buffers: %d bytes. All but keys, segments and idle are bytes.\n",
		r.Loop.node.memory().heap, r.Loop.node.clientBytes())
	r.Reply.Verbatim("txt", text.String())
}

// perKey is each key's part of something; without keys there is none.
func perKey(bytes, keys int64) int64 {
	if keys == 0 {
		return 0
	}
	return bytes / keys
}
