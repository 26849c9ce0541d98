// Package engine runs commands on the shard that a loop owns: reads and writes
// with their effects, expiry and eviction, and the statistics of all that. It
// knows no connection and no other thread; time and chance come from its owner.
//
// The promise that callers rely on: whatever changes the shard is told to the
// listeners of its effects, in order, at the moment it happens.
package engine

import (
	"math"
	"time"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
)

// Shard is the part of the keyspace that one loop owns, with what is needed to
// run commands on it. Only its owner may use it, save that the coordinator of
// a barrier may use the shards that stand still.
type Shard struct {
	id     int
	clock  env.Clock
	call   *command.Call
	store  *keyspace.Store
	stores []*keyspace.Store // of all shards
	opts   Options

	offset int64 // wall minus monotonic, nanoseconds
	wallAt int64 // when that is measured again
	mono   int64 // when the last operation ended
	ageAt  int64 // when the store next lets go of idle spare memory

	buf   []byte // of the batch that runs
	spans []resp.Span
	wide  [1]command.Op // scratch of DoWide
	// granted says that the commands of a transaction run: room was made
	// before the first, and none of them is turned away.
	granted bool

	hearing   command.Listener // hear, made once
	listeners []command.Listener
	watches   watches
	evict     evictor
	expire    expirer
	slow      SlowLog
	latency   latencies
	prolonged int64     // see Prolong
	rows      []RowStat // by row ID
	calls     uint64    // of all rows
	errors    errorStats
}

// Options are what the configuration says about a shard.
type Options struct {
	Policy        command.Policy
	Eviction      Eviction
	SlowerThan    int64 // nanoseconds from which on a command is logged; below 0: never
	SlowLogLen    int
	TrackLatency  bool
	ExpireEffort  int   // 1 to 10
	ActiveExpiry  bool  // false only under DEBUG SET-ACTIVE-EXPIRE 0
	LatencyEvents int64 // nanoseconds from which on an event is noted; 0: never
}

// NewShard makes shard id of a node whose shards have these stores. The slice
// may still be filled in until the first command runs.
func NewShard(id int, stores []*keyspace.Store, hash keyspace.Hash, clock env.Clock, rand env.Rand) *Shard {
	s := &Shard{
		id: id, clock: clock, stores: stores, store: stores[id],
		call: command.NewCall(stores, hash, rand, command.Policy{}),
		rows: make([]RowStat, len(command.Table)),
	}
	s.call.Own(id)
	s.watches.byKey = map[watchKey][]*Watch{}
	s.hearing = s.hear
	s.evict.init(s, rand)
	s.Tick()
	return s
}

// Configure takes over options.
func (s *Shard) Configure(opts Options) {
	s.opts = opts
	s.call.Policy = opts.Policy
	s.slow.max = opts.SlowLogLen
}

// Store is the shard's store.
func (s *Shard) Store() *keyspace.Store { return s.store }

// Call is what the shard's commands see; for statistics.
func (s *Shard) Call() *command.Call { return s.call }

// wallAge is for how many nanoseconds a shard goes by the monotonic clock alone: a
// civil time that is set is seen this much later.
const wallAge = int64(10 * time.Millisecond)

// Tick looks at the clock.
func (s *Shard) Tick() { s.setNow(s.clock.Monotonic()) }

// setNow sets the time that the next commands see.
func (s *Shard) setNow(mono int64) {
	if s.mono = mono; mono >= s.wallAt {
		s.measure()
	}
	s.call.Now = (mono + s.offset) / 1e6
}

// measure takes how far the two times are apart. Where much passed between the readings,
// as the node stood still, they say little about each other: it reads them once more. On a
// machine where readings take long it does so more seldom.
func (s *Shard) measure() {
	least := int64(math.MaxInt64)
	for range 2 {
		before := s.clock.Monotonic()
		wall := s.clock.Wall()
		after := s.clock.Monotonic()
		took := after - before
		if took < least {
			least, s.offset = took, wall-before-took/2
		}
		s.wallAt = after + min(max(wallAge, 4*took), 5*wallAge)
		if took < int64(8*time.Millisecond) {
			return
		}
	}
}

// Now is the time that commands see, Unix milliseconds.
func (s *Shard) Now() int64 { return s.call.Now }

// LastLook is when the shard last looked at the clock, monotonic nanoseconds:
// after a command, that is when it ended.
func (s *Shard) LastLook() int64 { return s.mono }

// Micros is the wall time in microseconds.
func (s *Shard) Micros() int64 { return s.clock.Wall() / 1e3 }

// NoTouch tells whether the commands that follow leave access clocks alone.
func (s *Shard) NoTouch(on bool) { s.call.NoTouch = on }

// Listen adds a listener of the shard's effects.
func (s *Shard) Listen(l command.Listener) {
	s.listeners = append(s.listeners, l)
	s.hearIfNeeded()
}

// hearIfNeeded makes effects cost nothing while nobody wants them.
func (s *Shard) hearIfNeeded() {
	if len(s.listeners) == 0 && s.watches.empty() {
		s.call.Listen(nil)
		return
	}
	s.call.Listen(s.hearing)
}

func (s *Shard) hear(e *command.Effect) {
	s.mark(e)
	for _, l := range s.listeners {
		l(e)
	}
}

// maxReply is how many bytes of replies one Do may gather before it returns.
const maxReply = 256 << 10

// DoWaiting is Do, save that an operation may have to be run again later, as it
// copies something long a piece at a time, or as others have to go for it that
// take longer than a turn: waits tells that of the first one that did not run.
func (s *Shard) DoWaiting(ops []command.Op, buf []byte, spans []resp.Span, out *resp.Writer) (n int, waits bool) {
	s.call.MayWait = true
	n = s.Do(ops, buf, spans, out)
	waits = s.call.Later
	s.call.MayWait, s.call.Later = false, false
	return n, waits
}

// Do runs operations that need only this shard, in order, and appends their
// replies to out. It returns how many it ran: fewer than all when the replies
// grow large, or are lost.
func (s *Shard) Do(ops []command.Op, buf []byte, spans []resp.Span, out *resp.Writer) int {
	s.begin(buf, spans, out)
	limit := out.Len() + maxReply
	for i := 0; i < len(ops); {
		i += s.group(ops[i:])
		if out.Len() > limit || out.Lost || s.call.Later {
			return i
		}
	}
	return len(ops)
}

// Patient says that whoever takes the replies reads the long strings among them
// in pieces: see Call.Patient.
func (s *Shard) Patient() { s.call.Patient = true }

// begin points the shard at a batch.
func (s *Shard) begin(buf []byte, spans []resp.Span, out *resp.Writer) {
	s.buf, s.spans = buf, spans
	s.call.Reply = out
	s.call.Batch(buf, spans)
	s.setNow(s.clock.Monotonic())
}

// DoEach runs operations like Do and appends to ends how long the replies were
// after each that ran.
func (s *Shard) DoEach(ops []command.Op, buf []byte, spans []resp.Span, out *resp.Writer, ends []int) []int {
	s.call.Noting, s.call.Ends = true, ends
	s.Do(ops, buf, spans, out)
	ends = s.call.Ends
	s.call.Noting, s.call.Ends = false, nil
	return ends
}

// DoWide runs one operation that may need several shards; those it needs stand
// still. It tells whether databases changed as a whole: then all shards have
// something to do in the background.
func (s *Shard) DoWide(op command.Op, buf []byte, spans []resp.Span, out *resp.Writer) (swept bool) {
	s.begin(buf, spans, out)
	if !s.granted && !s.roomElsewhere(op) {
		s.refuse(op)
		return false
	}
	s.wide[0] = op
	if len(s.evict.peers) > 0 {
		s.call.Listen(s.hearing) // other shards' keys may be watched
		defer s.hearIfNeeded()
	}
	s.group(s.wide[:])
	row := &command.Table[op.Row]
	return row.Scope == command.AllShards && row.Flags&command.Write != 0 && !s.call.Failed
}

// one runs one operation, after making room if it may need memory.
func (s *Shard) one(op *command.Op) {
	if s.store.Over() && !s.roomFor(*op) {
		return
	}
	s.call.Run(op)
	if s.call.Failed {
		s.rows[op.Row].Failed++
	}
}

// roomFor makes room for an operation that may take memory; when it cannot, the
// operation does not run: it waits, or the reply is the error.
func (s *Shard) roomFor(op command.Op) bool {
	if s.granted {
		return true
	}
	if command.Table[op.Row].Flags&command.DenyOOM == 0 {
		s.makeSomeRoom()
		return true
	}
	if s.makeRoom() {
		return true
	}
	if !s.call.Later {
		s.refuse(op)
	}
	return false
}

// refuse turns an operation away for lack of memory.
func (s *Shard) refuse(op command.Op) {
	s.call.Reply.Proto = op.Proto
	s.call.Reply.Error(resp.ErrOutOfMemory)
	s.rows[op.Row].Rejected++
	s.errors.count(resp.ErrOutOfMemory)
}

// Grant says whether the commands that follow may take memory without asking.
func (s *Shard) Grant(on bool) { s.granted = on }

// Full tells the error with which a command that takes memory would be turned
// away now; empty when it would run. Only the coordinator of a barrier may ask
// on behalf of another shard.
func (s *Shard) Full() resp.Error {
	s.setNow(s.clock.Monotonic())
	if s.store.Over() && !s.makeRoom() {
		return resp.ErrOutOfMemory
	}
	return ""
}
