package judge

import (
	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/wasm"
)

// Evidence is what a run left behind. Times are true ones, in nanoseconds.
type Evidence struct {
	History *linearize.History
	Options linearize.Options // what its models allow
	Fences  []Fence
	Applied []Applied
	Leads   []Lead
	Given   map[Right]bool // rights that were given up, so that nobody waited for a lease
	Exits   []Exit
	Unsure  []Exit // nodes that had to end, and did not
	Nodes   []Node
	Clients []Client
	Moved   int // how often clients followed MOVED
	Sent    int // and ASK
	// Voided tells that clocks ran beyond the bound that leases allow for. Two
	// nodes may answer for one slot then, and clients may see what is no order of
	// their operations; all else is promised still.
	Voided  bool
	Odd     []string // replies that no client should get
	Healed  int64    // when all faults had ended
	Served  int64    // until when every node had to serve again
	Ended   int64
	Stopped error // what ended the run before its time

	Standings []Standing

	// What no judge looks at, but a reader of what judges found.
	Spans  []Span  // by their beginning
	Faults []Fault // by their beginning
}

// Life names one life of a node.
type Life struct{ Node, Life int }

// Right is that by which a node answers for a slot: the epoch by which it owns the
// slot, or the migration by which it imports it, see door.Importing.
type Right struct {
	Slot  uint16
	Epoch uint64
}

// Fence is a decision of a node whether replies may leave.
type Fence struct {
	Life
	wasm.Fencing
}

// Applied is an entry of the log that a node applied.
type Applied struct {
	Life
	wasm.Applying
}

// Lead is a node that came to lead.
type Lead struct {
	Life
	wasm.Leading
}

// Exit is a node that ended by itself.
type Exit struct {
	Life
	At     int64
	Why    string // with the last that it wrote
	Shaken bool   // its disk had failed it
}

// Node is how a node was at the end.
type Node struct {
	Served  int64 // when it answered for its slots after the healing; 0: it did not
	Spoiled bool  // its disk has lost what it must not lose: nothing is expected of it
	Emptied bool  // its disk was taken from it: what it promised before is gone
	Spare   bool  // it owns no slots
	Stands  int64 // until when it stood still in the middle of a call when all was healed
	Lives   int
	Memory  int64 // most bytes that one of its lives had
	Ledger  int64 // bytes of keys and values by its own account; 0: it was not asked
	Disk    int64 // bytes of its files
	Files   int
	Host    string
}

// Standing is how a life of a node stood in the cluster from a time on.
type Standing struct {
	Life
	wasm.Standing
}

// Span is when a life of a node was.
type Span struct {
	Life
	From, To int64
	How      string // it ended; empty: it did not
}

// Fault is a fault that happened.
type Fault struct {
	fault.Event
	From, To int64
	Seen     int64 // when its effect was; 0: it was not
}

// Client is how a client was at the end.
type Client struct {
	Answered int64 // when it last got an answer
	Silent   int64 // when it last waited for one in vain
}

// Finding is something that was wrong.
type Finding struct {
	Judge string
	Class Class
	Text  string
}

// Class is how a run went.
type Class string

// Classes. Of several, that which stands first is the run's.
const (
	Consistency      Class = "consistency" // clients saw what cannot have been
	Safety           Class = "safety"      // nodes did what they must not do, whether a client saw it or not
	Crash            Class = "crash"       // a node ended by itself
	Stuck            Class = "stuck"       // a node went on and on within one step
	NonDeterministic Class = "non-deterministic"
	Liveness         Class = "liveness" // something that must happen did not
	Unknown          Class = "unknown"  // no verdict
	OK               Class = "ok"
)

// Classes lists the classes from the worst on.
var Classes = []Class{Consistency, Safety, Crash, Stuck, NonDeterministic, Liveness, Unknown, OK}

// Report is what a judge found.
type Report struct {
	Checks   int // that could have failed
	Findings []string
	// Undecided lists what the judge could not decide.
	Undecided []string
}
