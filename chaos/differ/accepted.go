package differ

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// Accepted is a difference from redis-server that is meant.
type Accepted struct {
	Row    string // the command's row, "client|list"
	Class  string // the inputs it is about
	Reason string
	// Match says whether a command and the two printed replies are of the class.
	Match func(args []string, redis, ours string) bool

	seen atomic.Int64
}

// maxAccepted bounds the list: a server with more exceptions is not compatible.
const maxAccepted = 25

// accepted is the whole list, sorted by row.
var accepted = []*Accepted{
	{
		Row: "command|getkeys", Class: "a command name without arguments",
		Reason: "later releases of Redis take a bare name and say what is wrong with it; 7.0 wants an argument after it",
		Match: func(args []string, redis, ours string) bool {
			return len(args) == 3 && wrongArity(redis) && isError(ours)
		},
	},
	{
		Row: "command|getkeysandflags", Class: "a command name without arguments",
		Reason: "later releases of Redis take a bare name and say what is wrong with it; 7.0 wants an argument after it",
		Match: func(args []string, redis, ours string) bool {
			return len(args) == 3 && wrongArity(redis) && isError(ours)
		},
	},
	{
		Row: "object|idletime", Class: "small integers",
		Reason: "Redis shares the objects of 0 to 9999 and reports how long the shared one was idle; ours is of the key",
		Match:  func(_ []string, redis, ours string) bool { return integer(redis) > integer(ours) && integer(ours) >= 0 },
	},
	{
		Row: "object|refcount", Class: "copies of small integers",
		Reason: "Redis reports 2147483647 for a shared small integer unless a copy made it the key's own; ours goes by the value",
		Match:  func(_ []string, redis, ours string) bool { return integer(redis) == 1 && integer(ours) == 2147483647 },
	},
}

func isError(printed string) bool { return strings.HasPrefix(printed, "-") }

func wrongArity(printed string) bool {
	return strings.HasPrefix(printed, "-ERR wrong number of arguments")
}

// integer is the number of a printed integer reply, -1 for any other reply.
func integer(printed string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimPrefix(printed, ":")), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// acceptedBy finds the entry that covers a difference and counts its use.
func acceptedBy(args []string, redis, ours string) *Accepted {
	row := RowName(args)
	for _, entry := range accepted {
		if entry.Row == row && entry.Match(args, redis, ours) {
			entry.seen.Add(1)
			return entry
		}
	}
	return nil
}

// UnusedAccepted names the entries that never matched.
func UnusedAccepted() []string {
	var unused []string
	for _, entry := range accepted {
		if entry.seen.Load() == 0 {
			unused = append(unused, fmt.Sprintf("%s (%s)", entry.Row, entry.Class))
		}
	}
	return unused
}

// checkAccepted says what is wrong with the list itself.
func checkAccepted() []string {
	var wrong []string
	if len(accepted) > maxAccepted {
		wrong = append(wrong, fmt.Sprintf("%d accepted differences, at most %d", len(accepted), maxAccepted))
	}
	for i, entry := range accepted {
		if entry.Row != strings.ToLower(entry.Row) || entry.Class == "" || len(entry.Reason) < 20 || entry.Match == nil {
			wrong = append(wrong, fmt.Sprintf("entry %d (%s) is not complete", i, entry.Row))
		}
		if i > 0 && accepted[i-1].Row > entry.Row {
			wrong = append(wrong, fmt.Sprintf("entry %d (%s) is out of order", i, entry.Row))
		}
	}
	return wrong
}
