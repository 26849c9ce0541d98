package netio

// memoryFigures are the node's memory in bytes. All loops stand still.
type memoryFigures struct {
	used     int64 // what the ledger counts: store, buffers, Go heap
	data     int64 // part of used: what grows with the keys
	startup  int64 // used when the node was empty
	resident int64 // of the process
	live     int64 // blocks, tables and extents of the stores
	tables   int64 // part of live
	reserved int64 // held from the system for the stores
	clients  int64 // connection buffers
	heap     int64 // Go heap
}

func (n *Node) memory() memoryFigures {
	f := memoryFigures{resident: n.world.Memory.Resident(), clients: n.clientBytes(), startup: n.startupBytes}
	for _, l := range n.loops {
		n.stores[l.id].Publish()
		s := n.stores[l.id].Stats()
		f.live += s.Live
		f.tables += s.Tables
		f.reserved += s.Reserved
	}
	if n.about.HeapBytes != nil {
		f.heap = n.about.HeapBytes()
	}
	f.used = n.ledger.Used()
	f.data = max(0, f.used-f.startup)
	return f
}

func infoMemory(t *infoText) {
	n := t.node
	f, v := n.memory(), n.values.Load()
	n.peak = max(n.peak, f.used)
	t.line("used_memory:%d", f.used)
	t.line("used_memory_human:%s", human(f.used))
	t.line("used_memory_rss:%d", f.resident)
	t.line("used_memory_rss_human:%s", human(f.resident))
	t.line("used_memory_peak:%d", n.peak)
	t.line("used_memory_peak_human:%s", human(n.peak))
	t.line("used_memory_peak_perc:%.2f%%", percent(f.used, n.peak))
	t.line("used_memory_overhead:%d", f.used-f.live+f.tables)
	t.line("used_memory_startup:%d", f.startup)
	t.line("used_memory_dataset:%d", f.live-f.tables)
	t.line("used_memory_dataset_perc:%.2f%%", percent(f.live-f.tables, f.data))
	t.line("allocator_allocated:%d", f.live)
	t.line("allocator_active:%d", f.reserved)
	t.line("allocator_resident:%d", f.reserved)
	t.line("total_system_memory:%d", n.about.Memory)
	t.line("total_system_memory_human:%s", human(n.about.Memory))
	infoScripts(t)
	t.line("maxmemory:%d", v.Maxmemory)
	t.line("maxmemory_human:%s", human(v.Maxmemory))
	t.line("maxmemory_policy:%s", v.MaxmemoryPolicy)
	infoFragmentation(t, f)
}

// infoScripts has the memory of scripts and functions.
func infoScripts(t *infoText) {
	t.zeros("used_memory_lua", "used_memory_vm_eval")
	t.line("used_memory_lua_human:%s", human(0))
	t.zeros("used_memory_scripts_eval", "number_of_cached_scripts", "number_of_functions", "number_of_libraries",
		"used_memory_vm_functions", "used_memory_vm_total")
	t.line("used_memory_vm_total_human:%s", human(0))
	t.zeros("used_memory_functions", "used_memory_scripts")
	t.line("used_memory_scripts_human:%s", human(0))
}

func infoFragmentation(t *infoText, f memoryFigures) {
	t.line("allocator_frag_ratio:%.2f", ratio(f.reserved, f.live))
	t.line("allocator_frag_bytes:%d", f.reserved-f.live)
	t.line("allocator_rss_ratio:1.00")
	t.line("allocator_rss_bytes:0")
	t.line("rss_overhead_ratio:%.2f", ratio(f.resident, f.reserved))
	t.line("rss_overhead_bytes:%d", f.resident-f.reserved)
	t.line("mem_fragmentation_ratio:%.2f", ratio(f.resident, f.used))
	t.line("mem_fragmentation_bytes:%d", f.resident-f.used)
	t.line("mem_not_counted_for_evict:0")
	t.line("mem_replication_backlog:0")
	t.line("mem_total_replication_buffers:0")
	t.line("mem_clients_slaves:0")
	t.line("mem_clients_normal:%d", f.clients)
	t.line("mem_cluster_links:0")
	t.line("mem_aof_buffer:0")
	t.line("mem_allocator:ironcache")
	t.line("mem_go_heap:%d", f.heap)
	t.line("active_defrag_running:0")
	t.line("lazyfree_pending_objects:0")
	t.line("lazyfreed_objects:0")
}

func percent(part, whole int64) float64 { return 100 * float64(part) / float64(max(1, whole)) }

func ratio(a, b int64) float64 { return float64(a) / float64(max(1, b)) }
