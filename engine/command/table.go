// Package command holds every command as one row of a table, and the functions
// that carry commands out on the keyspace. A function sees only its Call, which
// carries the arguments, the time and chance: no clock, no socket, no other
// shard than those it was given. Commands about the connection or the node have
// a row here and their function in netio.
//
// The promise that callers rely on: whatever a function changes is told in its
// effect, and the effects of a history, run on an empty keyspace in their
// order, give the same keyspace.
package command

import (
	"cmp"
	"slices"
)

// Table has the rows of all commands, sorted by name; a command's subcommands
// follow it. It never changes.
var Table = gather(
	group{"cluster", clusterRows},
	group{"connection", connectionRows},
	group{"generic", genericRows},
	group{"server", serverRows},
	group{"string", stringRows},
	group{"transactions", transactionRows},
)

// group is the rows of one group of commands.
type group struct {
	name string
	rows []Row
}

// gather joins the groups into one table sorted by name, in which the
// subcommands follow their command, and works out what follows from each row.
func gather(groups ...group) []Row {
	var all []Row
	for _, g := range groups {
		for _, row := range g.rows {
			row.Group = g.name
			all = append(all, row)
		}
	}
	slices.SortFunc(all, func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
	parent := 0
	for i := range all {
		row := &all[i]
		if isSubName(row.Name, all[parent].Name) {
			all[parent].Subs++
		} else {
			parent = i
		}
		row.ID, row.Parent = uint16(i), uint16(parent)
		row.First = uint16(fixedFirst(row.Keys))
		row.Categories = categories(row.ACL, row.Flags)
	}
	return all
}

func isSubName(name, parent string) bool {
	n := len(parent)
	return len(name) > n && name[n] == '|' && name[:n] == parent
}
