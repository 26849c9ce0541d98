package mutants

// Table lists the mutants.
var Table = []Mutant{
	{
		ID: "sum", Name: "a sum is not always kept", File: "engine/command/string_incr.go",
		Old: "c.assignInt(&at, sum, expiryOf(at.entry))",
		New: "c.assignInt(&at, sum&^3, expiryOf(at.entry))", Judge: "linearizable",
	},
	{
		ID: "ifeq", Name: "SET IFEQ does not compare", File: "engine/command/string_if.go",
		Old: "return equal != unequal, nil",
		New: "return equal || !unequal, nil", Judge: "linearizable",
	},
	{
		ID: "getdel", Name: "GETDEL does not remove the key", File: "engine/command/string_get.go",
		Old: "if at.entry.Ok() {\n\t\tc.remove(&at)",
		New: "if false {\n\t\tc.remove(&at)", Judge: "linearizable",
	},
	{
		ID: "keepttl", Name: "SET KEEPTTL lets the key live for ever", File: "engine/command/string_set.go",
		Old: "\t\texpiry = expiryOf(at.entry)\n",
		New: "\t\texpiry = 0\n", Judge: "linearizable",
	},
	{
		ID: "persist", Name: "PERSIST leaves the key its deadline", File: "engine/command/key_expire.go",
		Old: "at.space.SetExpiry(at.key, at.entry, 0)",
		New: "at.space.SetExpiry(at.key, at.entry, at.entry.Expiry())", Judge: "linearizable",
	},
	{
		ID: "overwrite", Name: "a longer value is written over a shorter one in part", File: "engine/keyspace/put.go",
		Old: "to := h&(keyMask<<keyShift|flagLongKey) | uint64(len(value)) |",
		New: "to := h&(keyMask<<keyShift|flagLongKey) | uint64(min(len(value), headerPayload(h))) |", Judge: "linearizable",
	},
	{
		ID: "expired", Name: "a key is seen for half a second after its time has come", File: "engine/command/key_expire.go",
		Old: "max(when, 1))",
		New: "max(when, 1)+500)", Judge: "linearizable",
	},
	{
		ID: "second", Name: "PEXPIRE counts from the last full second", File: "engine/command/key_expire.go",
		Old: "\t\tn += c.Now\n",
		New: "\t\tn += c.Now - c.Now%1000\n", Judge: "linearizable",
	},
	{
		ID: "mset", Name: "MSET leaves out the last of its keys", File: "engine/command/string_multi.go",
		Old: "c.storeAll(1, c.Argc(), options{}, 0, c.sayMSet); err != nil {\n\t\treturn err\n\t}\n\tc.Reply.OK()",
		New: "c.storeAll(1, max(3, c.Argc()-2), options{}, 0, c.sayMSet); err != nil {\n\t\treturn err\n\t}\n\tc.Reply.OK()", Judge: "linearizable",
	},
	{
		ID: "msetnx", Name: "MSETNX does not look at the first of its keys", File: "engine/command/string_multi.go",
		Old: "if c.anyExists(1, c.Argc()) {",
		New: "if c.anyExists(3, c.Argc()) {", Judge: "linearizable",
	},
	{
		ID: "watch", Name: "EXEC does not look at what was watched", File: "netio/multi.go",
		Old: "clean := !tx.spoiled && l.watchesHold(c)",
		New: "clean := !tx.spoiled || l.watchesHold(c)", Judge: "linearizable",
	},
	{
		ID: "tag", Name: "the slot of a key is that of all its letters, not of its tag", File: "slots/slots.go",
		Old: "return key[open+1 : open+1+size]",
		New: "return key[min(0, open+size):]", Judge: "replies",
	},
	{
		ID: "again", Name: "of a reply that was sent in part, that part is sent again", File: "netio/write.go",
		Old: "\tc.outFrom += n\n\tif c.outFrom < len(c.out) {",
		New: "\tif c.outFrom+n == len(c.out) {\n\t\tc.outFrom += n\n\t}\n\tif c.outFrom < len(c.out) {", Judge: "replies",
	},
	{
		ID: "buffer", Name: "replies are written into the buffer of those that are not sent yet", File: "netio/write.go",
		Old: "c.out, b.out.Buf = b.out.Buf, l.takeOut(c.out)",
		New: "c.out, b.out.Buf = b.out.Buf, b.out.Buf[:0]", Judge: "replies",
	},
	{
		ID: "strict", Name: "what is sent together takes effect shard by shard where order is strict", File: "netio/run.go",
		Old: "if l.relaxed && len(b.ops)-b.next > 1 {",
		New: "if len(l.node.loops) > 1 && len(b.ops)-b.next > 1 {", Judge: "linearizable",
	},
	{
		ID: "seat", Name: "replies of a shard change places where order is relaxed", File: "netio/overlap.go",
		Old: "m.ops = append(m.ops, b.ops[i])",
		New: "m.ops = append([]command.Op{b.ops[i]}, m.ops...)", Judge: "replies",
	},
	{
		ID: "barrier", Name: "a barrier counts its shards one too few", File: "netio/barrier.go",
		Old: "set, int32(set.count()), long, work",
		New: "set, int32(set.count()) - 1, long, work", Judge: "stuck",
	},
	{
		ID: "argument", Name: "an argument that comes in two parts is read as a header", File: "engine/resp/parser.go",
		Old: "batch.Need = missing\n",
		New: "batch.Need, p.inBulk = missing, false\n", Judge: "replies",
	},
	{
		ID: "line-end", Name: "a request whose last byte has not come is taken for whole", File: "engine/resp/parser.go",
		Old: "if missing := end + 2 - len(b); missing > 0 {",
		New: "if missing := end + 1 - len(b); missing > 0 {", Judge: "exits",
	},
	{
		ID: "moved", Name: "MOVED names the node that sends it", File: "netio/cluster.go",
		Old: "endpoint(&m.Address, slot))\n",
		New: "endpoint(&here, slot))\n", Judge: "replies",
	},
	{
		ID: "asking", Name: "a node to which a slot moves answers without ASKING", File: "netio/cluster.go",
		Old: "!(asking && s.To == l.view.Self)",
		New: "!(s.To == l.view.Self)", Judge: "replies",
	},
	{
		ID: "stays", Name: "keys of a slot that moved away stay", File: "netio/cluster.go",
		Old: "if !keeps(&was, &is, l.view.Self) && l.shard",
		New: "if !keeps(&was, &is, l.view.Self) && l.view.Map == nil && l.shard", Judge: "linearizable",
	},
	{
		ID: "for-ever", Name: "a lease is held for ever", File: "raftlog/view.go",
		Old: "return now < v.Until",
		New: "return v.Until > 0 || now < v.Until", Judge: "lease",
	},
	{
		ID: "no-wait", Name: "the leader does not wait until leases are over", File: "raftlog/leader.go",
		Old: "return found && p.lease.Over(max(since, at), p.world.Clock.Boot())",
		New: "return found && max(since, at) != -1", Judge: "lease",
	},
	{
		ID: "granted", Name: "a lease counts from when it is heard of, not from when it was asked for", File: "raftlog/machine.go",
		Old: "v.Until = p.lease.until(m)\n",
		New: "if v.Until = p.lease.until(m); v.Until != 0 {\n\t\t\tv.Until = p.lease.Until(p.world.Clock.Boot())\n\t\t}\n", Judge: "lease",
	},
	{
		ID: "drift", Name: "what clocks may drift is left out of how long a lease is waited for", File: "slots/lease.go",
		Old: "return l.Length + up(2*l.Length*l.Drift, million) + l.Margin",
		New: "return l.Length + l.Margin", Judge: "lease",
	},
	{
		ID: "clock-before", Name: "the clock is read before commands run, not before their replies leave", File: "netio/cluster.go",
		Old: "now := l.clock.Boot()\n\tv := l.node.plane.View()",
		New: "now := l.boot\n\tv := l.node.plane.View()", Judge: "lease",
	},
	{
		ID: "epoch", Name: "slots are given back by the epoch that they had", File: "raftlog/state/entry_assign.go",
		Old: "slots.Slot{Epoch: d.index, Owner: e.To,",
		New: "slots.Slot{Epoch: max(1, d.edit.At(slot).Epoch), Owner: e.To,", Judge: "epochs",
	},
	{
		ID: "orphans", Name: "a node that was started anew keeps its slots", File: "raftlog/state/entry_member.go",
		Old: "\t\t\t\ts.Standing = slots.Orphaned\n",
		New: "", Judge: "epochs",
	},
	{
		ID: "former", Name: "a start of a node forgets the lease of the process before", File: "raftlog/state/entry_member.go",
		Old: "\tm.Former = max(m.Former, m.Renew.Index)\n",
		New: "\tm.Former = 0\n", Judge: "lease",
	},
	{
		ID: "flip", Name: "a slot is handed over by the epoch that it had", File: "raftlog/state/entry_migrate.go",
		Old: "slots.Slot{Epoch: d.index, Owner: s.To,",
		New: "slots.Slot{Epoch: s.Epoch, Owner: s.To,", Judge: "epochs",
	},
	{
		ID: "early", Name: "the leader answers other nodes' proposals before they are decided", File: "raftlog/calls.go",
		Old: "\t\treturn p.decide(ask), nil\n",
		New: "\t\tgo p.decide(ask)\n\t\treturn verdict{}, nil\n", Judge: "replies",
	},
	{
		ID: "serves", Name: "a node answers for slots that it has not been given back", File: "netio/cluster.go",
		Old: "case s.Owner == l.view.Self && s.Standing != slots.Served, !l.view.Holds(l.boot),",
		New: "case !l.view.Holds(l.boot),", Judge: "epochs",
	},
	{
		ID: "start", Name: "starts of a node are not counted", File: "raftlog/plane.go",
		Old: "SetUint64(incarnationKey, starts+1)",
		New: "SetUint64(incarnationKey, starts)", Judge: "epochs",
	},
	{
		ID: "settled", Name: "the leader looks for slots to give back once, and not again", File: "raftlog/leader.go",
		Old: "\tif !orphaned(v.Map) {\n\t\tp.leading.settled = v.Map\n",
		New: "\tp.leading.settled = v.Map\n\tif !orphaned(v.Map) {\n", Judge: "convergence",
	},
	{
		ID: "passes-over", Name: "a node passes an entry over", File: "raftlog/machine.go",
		Old: "outcome, err := p.state.Apply(l.Index, l.Data)",
		New: "data := l.Data\n\tif l.Index/2%20 == 0 && p.address.Host == \"10.0.0.2\" {\n\t\tdata = nil\n\t}\n\toutcome, err := p.state.Apply(l.Index, data)", Judge: "states",
	},
	{
		ID: "silent-start", Name: "a node that was started anew does not say so", File: "raftlog/lease.go",
		Old: "\t\t\tp.announce(v)\n",
		New: "", Judge: "convergence",
	},
	{
		ID: "no-sync", Name: "entries of the log are not synced", File: "raftlog/store/log_append.go",
		Old: "if err := syncFile(s.file, s.name); err != nil {\n\t\tl.broken = err",
		New: "if err := error(nil); err != nil {\n\t\tl.broken = err", Judge: "exits",
	},
	{
		ID: "goes-on", Name: "a node whose log cannot be trusted goes on", File: "raftlog/durable.go",
		Old: "if err := d.Broken(); err != nil {",
		New: "if err := d.Broken(); err != nil && d.Log == nil {", Judge: "exits",
	},
	{
		ID: "term", Name: "the term is not written down", File: "raftlog/ailing.go",
		Old: "\t\terr := t.StableStore.SetUint64(key, value)\n\t\tp.upkeep.note(writesTerm, err)\n",
		New: "\t\tvar err error\n\t\tp.upkeep.note(writesTerm, err)\n", Judge: "promises",
	},
	{
		ID: "vote", Name: "votes are not written down", File: "raftlog/store/stable.go",
		Old: "if err := replace(s.disk, s.name, text); err != nil {",
		New: "var err error\n\tif !bytes.HasPrefix(key, []byte(\"LastVote\")) {\n\t\terr = replace(s.disk, s.name, text)\n\t}\n\tif err != nil {", Judge: "promises",
	},
	{
		ID: "replaced", Name: "what takes the place of a file is not synced", File: "raftlog/store/files.go",
		Old: "\tif err := file.Sync(); err != nil {\n\t\treturn fmt.Errorf(\"sync %s: %w\", name, err)\n\t}\n\treturn nil\n",
		New: "\treturn nil\n", Judge: "exits",
	},
	{
		ID: "rename", Name: "the folder is not synced after a file took the place of another", File: "raftlog/store/files.go",
		Old: "\treturn syncDir(disk, path.Dir(name))\n",
		New: "\treturn nil\n", Judge: "epochs",
	},
	{
		ID: "node-id", Name: "the name of a node is not synced", File: "raftlog/identity.go",
		Old: "\t\terr = f.Sync()\n",
		New: "\t\terr = nil\n", Judge: "exits",
	},
	{
		ID: "checksum", Name: "the checksum of an entry is not looked at", File: "raftlog/store/frame.go",
		Old: "return crc32.Checksum(body, castagnoli) == f.body",
		New: "return true", Judge: "log",
	},
	{
		ID: "rot", Name: "what rotted in the middle of the log is taken for an end that a crash tore", File: "raftlog/store/log_replay.go",
		Old: "&& f.synced > s.end {",
		New: "&& f.synced > s.end+w.size {", Judge: "promises",
	},
	{
		ID: "bus-short", Name: "of what the bus sent in part, that part is sent again", File: "raftlog/bus/conn.go",
		Old: "c.out = append(c.out[:0], c.out[n:]...)",
		New: "c.out = append(c.out[:0], c.out[n&^3:]...)", Judge: "convergence",
	},
	{
		ID: "merge", Name: "a snapshot from the leader leaves the state that was there", File: "raftlog/machine.go",
		Old: "restored.Changed() <= p.state.Changed() && p.state.Formed()",
		New: "restored.Changed() <= p.state.Changed() || p.state.Formed()", Judge: "states",
	},
	{
		ID: "older", Name: "of two snapshots the older one counts", File: "raftlog/store/snapshot.go",
		Old: "cmp.Compare(b.index, a.index)",
		New: "cmp.Compare(a.index, b.index)", Judge: "exits",
	},
	{
		ID: "snapshot-index", Name: "a snapshot says that it has one entry more", File: "raftlog/store/snapshot.go",
		Old: "Index: index, Term: term,",
		New: "Index: index + 1, Term: term,", Judge: "states",
	},
	{
		ID: "snapshot-sync", Name: "a snapshot is not synced", File: "raftlog/store/snapshot_sink.go",
		Old: "\t\tk.err = syncFile(k.file, k.temp)\n",
		New: "\t\tk.err = nil\n", Judge: "exits",
	},
	{
		ID: "due", Name: "keys are removed before their time has come", File: "engine/expire.go",
		Old: "Due(s.call.Now-1, budget, x.goes)",
		New: "Due(s.call.Now+300, budget, x.goes)", Judge: "linearizable",
	},
}
