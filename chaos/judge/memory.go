package judge

import "fmt"

// Bounds of what a node may have, in bytes and files. What keys take is added to
// the ledger's.
const (
	mostMemory = 192 << 20 // of a life: its Go heap is not collected below 96 MB
	mostLedger = 256 << 10
	mostDisk   = 8 << 20 // two segments of the log, snapshots
	mostFiles  = 40
)

// memory looks at what nodes had in the end: it is bounded by what clients wrote,
// and does not grow from life to life.
func memory(e *Evidence) (r Report) {
	wrote := int64(0)
	for i := range e.History.Operations {
		op := &e.History.Operations[i]
		wrote += 2 * int64(len(op.Key)+len(op.Value)+128)
	}
	for i, n := range e.Nodes {
		for _, has := range []struct {
			what     string
			is, most int64
		}{
			{"bytes of memory", n.Memory, mostMemory}, {"bytes in its ledger", n.Ledger, mostLedger + wrote},
			{"bytes on its disk", n.Disk, mostDisk}, {"files", int64(n.Files), mostFiles},
		} {
			if has.is == 0 {
				continue // it was not asked
			}
			r.Checks++
			if has.is > has.most {
				r.Findings = append(r.Findings, fmt.Sprintf("node %d has %d %s after %d lives, and %d are the most", i, has.is, has.what, n.Lives, has.most))
			}
		}
	}
	return r
}
