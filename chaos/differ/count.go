package differ

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// RowCount is what was seen of one row of the command table.
type RowCount struct {
	Calls  int
	Fine   int            // replies that are no error
	Errors map[string]int // error texts with their variable parts replaced
}

// Counts gathers what a run has done. It is safe for use by several goroutines.
type Counts struct {
	mu            sync.Mutex
	Scripts       int
	Conversations int
	Steps         int // blocks of scripts
	Commands      int // random commands compared
	Differences   int
	rows          map[string]*RowCount
}

// NewCounts is an empty record.
func NewCounts() *Counts { return &Counts{rows: map[string]*RowCount{}} }

// Add records the reply to a command.
func (c *Counts) Add(args []string, reply Reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := RowName(args)
	row := c.rows[name]
	if row == nil {
		row = &RowCount{Errors: map[string]int{}}
		c.rows[name] = row
	}
	row.Calls++
	if reply.IsError() {
		row.Errors[errorKind(reply.Text)]++
		return
	}
	row.Fine++
}

// Row is the record of a row; the zero RowCount if it was never called.
func (c *Counts) Row(name string) RowCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	if row := c.rows[name]; row != nil {
		return *row
	}
	return RowCount{}
}

// Count runs fn, which may change the exported counters.
func (c *Counts) Count(fn func(*Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(c)
}

// Summary is the line a test run ends with.
func (c *Counts) Summary() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprintf("script runs %d, conversations run %d, blocks compared %d, random commands compared %d, rows called %d, differences %d",
		c.Scripts, c.Conversations, c.Steps, c.Commands, len(c.rows), c.Differences)
}

// Table lists every row with its calls and the kinds of its errors.
func (c *Counts) Table() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.rows)) {
		row := c.rows[name]
		fmt.Fprintf(&out, "%-28s %7d calls %7d fine %3d errors\n", name, row.Calls, row.Fine, len(row.Errors))
		for _, kind := range slices.Sorted(maps.Keys(row.Errors)) {
			fmt.Fprintf(&out, "%-28s %7d %s\n", "", row.Errors[kind], kind)
		}
	}
	return out.String()
}

// variable matches what differs between two errors of one kind.
var variable = regexp.MustCompile(`'[^']*'|"[^"]*"|\d+`)

func errorKind(text string) string {
	kind := variable.ReplaceAllString(text, "*")
	if len(kind) > 90 {
		kind = kind[:90]
	}
	return kind
}

// containers are the commands whose subcommands are rows of their own.
var containers = map[string]bool{
	"acl": true, "client": true, "cluster": true, "command": true, "config": true, "function": true,
	"latency": true, "memory": true, "module": true, "object": true, "pubsub": true, "script": true,
	"slowlog": true, "xgroup": true, "xinfo": true,
}

// RowName is the name of the row a command belongs to: "get", "client|list".
// Rows that do not exist get a name too.
func RowName(args []string) string {
	if len(args) == 0 {
		return ""
	}
	name := strings.ToLower(args[0])
	if containers[name] && len(args) > 1 {
		return name + "|" + strings.ToLower(args[1])
	}
	return name
}
