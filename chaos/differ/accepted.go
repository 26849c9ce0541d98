package differ

import (
	"fmt"
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
var accepted = []*Accepted{}

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
