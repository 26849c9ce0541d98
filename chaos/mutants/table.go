package mutants

// Table lists the mutants.
var Table = []Mutant{
	{
		Name: "a sum is not always kept", File: "engine/command/string_incr.go",
		Old: "c.assignInt(&at, sum, expiryOf(at.entry))", New: "c.assignInt(&at, sum&^3, expiryOf(at.entry))", Judge: "linearizable",
	},
	{
		Name: "SET IFEQ does not compare", File: "engine/command/string_if.go",
		Old: "return equal != unequal, nil", New: "return equal || !unequal, nil", Judge: "linearizable",
	},
	{
		Name: "a lease is held for ever", File: "raftlog/view.go",
		Old: "return now < v.Until", New: "return v.Until > 0 || now < v.Until", Judge: "lease",
	},
	{
		Name: "the leader does not wait until leases are over", File: "raftlog/leader.go",
		Old: "return found && p.lease.Over(max(since, at), p.world.Clock.Boot())", New: "return found && max(since, at) != -1", Judge: "lease",
	},
	{
		Name: "slots are given back by the epoch that they had", File: "raftlog/state/entry_assign.go",
		Old: "slots.Slot{Epoch: d.index, Owner: e.To,", New: "slots.Slot{Epoch: max(1, d.edit.At(slot).Epoch), Owner: e.To,", Judge: "epochs",
	},
	{
		Name: "a node passes an entry over", File: "raftlog/machine.go",
		Old:   "outcome, err := p.state.Apply(l.Index, l.Data)",
		New:   "data := l.Data\n\tif l.Index%40 == 0 && p.address.Host == \"10.0.0.2\" {\n\t\tdata = nil\n\t}\n\toutcome, err := p.state.Apply(l.Index, data)",
		Judge: "states",
	},
	{
		Name: "a node that was started anew does not say so", File: "raftlog/lease.go",
		Old: "\t\t\tp.announce(v)\n", New: "", Judge: "convergence",
	},
	{
		Name: "entries of the log are not synced", File: "raftlog/store/log_append.go",
		Old: "if err := syncFile(s.file, s.name); err != nil {\n\t\tl.broken = err", New: "if err := error(nil); err != nil {\n\t\tl.broken = err", Judge: "exits",
	},
}
