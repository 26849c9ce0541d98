package command

import (
	"cmp"
	"slices"

	"github.com/elares/ironcache/engine/resp"
)

// change is what a version of Redis changed about a command.
type change struct{ version, what string }

// history is the changes of one command, oldest first.
type history struct {
	name    string // of the row
	changes []change
}

const newConditions = "NX, XX, GT and LT are known"

// histories tells how commands grew, up to Redis 7.0, sorted by name. Commands
// that never changed are not in it.
var histories = []history{
	{"auth", []change{{"6.0.0", "A user may be named in front of the password"}}},
	{"client|kill", []change{
		{"2.8.12", "Filters, each a name and a value"},
		{"2.8.12", "ID is a filter"},
		{"3.2.0", "TYPE may be master"},
		{"5.0.0", "TYPE may be replica, which is the same as slave"},
		{"6.2.0", "LADDR is a filter"},
	}},
	{"client|list", []change{
		{"2.8.12", "The field id"},
		{"5.0.0", "Clients of a TYPE alone"},
		{"6.0.0", "The field user"},
		{"6.2.0", "The fields argv-mem, tot-mem, laddr and redir; clients with given IDs alone"},
		{"7.0.0", "The fields resp, multi-mem, rbs and rbp"},
		{"7.0.3", "The field ssub"},
	}},
	{"client|pause", []change{{"6.2.0", "WRITE and ALL say what is held back"}}},
	{"cluster|meet", []change{{"4.0.0", "The port of the cluster bus may be given"}}},
	{"cluster|slots", []change{
		{"4.0.0", "The reply has the IDs of nodes"},
		{"7.0.0", "The reply has more about the network of nodes"},
	}},
	{"command|info", []change{{"7.0.0", "Without a name it is about all commands"}}},
	{"config|get", []change{{"7.0.0", "Several patterns at once"}}},
	{"config|set", []change{{"7.0.0", "Several options at once"}}},
	{"exists", []change{{"3.0.3", "Several keys at once"}}},
	{"expire", []change{{"7.0.0", newConditions}}},
	{"expireat", []change{{"7.0.0", newConditions}}},
	{"flushall", []change{{"4.0.0", "ASYNC is known"}, {"6.2.0", "SYNC is known"}}},
	{"flushdb", []change{{"4.0.0", "ASYNC is known"}, {"6.2.0", "SYNC is known"}}},
	{"hello", []change{{"6.2.0", "Without a version it changes nothing and describes the connection"}}},
	{"info", []change{{"7.0.0", "Several sections at once"}}},
	{"pexpire", []change{{"7.0.0", newConditions}}},
	{"pexpireat", []change{{"7.0.0", newConditions}}},
	{"pttl", []change{{"2.8.0", "-2 stands for a key that does not exist"}}},
	{"renamenx", []change{{"3.2.0", "Both names may be the same"}}},
	{"scan", []change{{"6.0.0", "TYPE is known"}}},
	{"set", []change{
		{"2.6.12", "EX, PX, NX and XX are known"},
		{"6.0.0", "KEEPTTL is known"},
		{"6.2.0", "GET, EXAT and PXAT are known"},
		{"7.0.0", "NX and GET go together"},
	}},
	{"shutdown", []change{{"7.0.0", "NOW, FORCE and ABORT are known"}}},
	{"slowlog|get", []change{{"4.0.0", "Entries have the address and the name of the client"}}},
	{"ttl", []change{{"2.8.0", "-2 stands for a key that does not exist"}}},
}

// changesOf are the changes of a row's command.
func changesOf(r *Row) []change {
	i, found := slices.BinarySearchFunc(histories, r.Name, func(h history, name string) int { return cmp.Compare(h.name, name) })
	if !found {
		return nil
	}
	return histories[i].changes
}

func writeHistory(w *resp.Writer, changes []change) {
	w.Set(len(changes))
	for _, c := range changes {
		w.Array(2)
		w.BulkString(c.version)
		w.BulkString(c.what)
	}
}
