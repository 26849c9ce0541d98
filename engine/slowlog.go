package engine

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/engine/command"
)

// The most of a slow request that is kept.
const (
	slowArgs = 32
	slowArg  = 128 // bytes
)

// SlowEntry is a command that took long.
type SlowEntry struct {
	At     int64 // Unix seconds when it ended
	Nanos  int64
	Args   []string // shortened as SLOWLOG GET shows them
	ID     int64    // see SlowLog.NextID
	Client string   // address
	Name   string   // of the client
}

// SlowLog keeps the latest slow commands of one shard, oldest first.
type SlowLog struct {
	entries []SlowEntry
	max     int
	// Who tells the address and the name of the client whose commands run.
	Who func() (address, name string)
	// NextID numbers the entries of all shards of a node.
	NextID func() int64
}

// Slow is the shard's slow log.
func (s *Shard) Slow() *SlowLog { return &s.slow }

// Entries lists what is kept, oldest first.
func (g *SlowLog) Entries() []SlowEntry { return g.entries }

// Reset forgets all.
func (g *SlowLog) Reset() { g.entries = nil }

func (g *SlowLog) add(args command.Args, nanos, at int64) {
	if g.max <= 0 {
		return
	}
	e := SlowEntry{At: at, Nanos: nanos, Args: shorten(args)}
	if g.Who != nil {
		e.Client, e.Name = g.Who()
	}
	if g.NextID != nil {
		e.ID = g.NextID()
	}
	if n := len(g.entries); n >= g.max {
		g.entries = append(g.entries[:0], g.entries[n-g.max+1:]...)
	}
	g.entries = append(g.entries, e)
}

// shorten keeps the beginning of a long request, as Redis does.
func shorten(args command.Args) []string {
	n := args.Len()
	kept := make([]string, 0, min(n, slowArgs))
	for i := range min(n, slowArgs) {
		if i == slowArgs-1 && n > slowArgs {
			kept = append(kept, fmt.Sprintf("... (%d more arguments)", n-slowArgs+1))
			break
		}
		kept = append(kept, shortenArg(args.At(i)))
	}
	return kept
}

func shortenArg(arg []byte) string {
	if len(arg) <= slowArg {
		return strings.Clone(string(arg))
	}
	return fmt.Sprintf("%s... (%d more bytes)", arg[:slowArg], len(arg)-slowArg)
}
