package command

import (
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// Op is one request that is ready to run: its row is known, its arity fits.
type Op struct {
	Place uint64 // of the key at argument Key; meaningless when Key is 0
	Near  uint64 // likewise: see keyspace.Key
	First uint32 // the request is the spans [First, First+Argc) of the batch
	Argc  uint32
	Row   uint16 // ID of the row
	Key   uint16 // argument whose Place is known, 0 if none
	DB    uint16
	Proto uint8 // 2 or 3
}

// Policy is what the configuration says about the keyspace.
type Policy struct {
	LFU          bool // clocks count accesses instead of telling the last one
	LFULogFactor int
	LFUDecayTime int // minutes a counter takes to fall by one; 0 never
	// Shared says that small integers count as shared objects (OBJECT
	// REFCOUNT): not under a maxmemory with an LRU or LFU policy.
	Shared    bool
	Cluster   bool // slots are owned by nodes: one database, no MOVE
	MaxBulk   int  // proto-max-bulk-len, bytes
	Databases int
}

// Call is what a command function sees of the world. A shard has one and uses
// it for one request after the other; it may not be copied.
type Call struct {
	Reply   *resp.Writer
	DB      int
	Now     int64 // ms since 1970; the same throughout a command
	NoTouch bool  // reads leave clocks alone (CLIENT NO-TOUCH)
	Expiry  ExpiryMode
	Failed  bool // the reply is an error
	// Patient says that Reply may have long strings as pieces that are yet to be
	// read, each a keyspace.Pin.
	Patient bool
	// MayWait says that a command may ask to be run again, as if it had not
	// been run, rather than copy a long string at once: Later is true then.
	MayWait, Later bool
	// Noting says that Ends gets the length of Reply after each operation.
	Noting bool
	Ends   []int
	Policy Policy
	Rand   env.Rand
	Hash   keyspace.Hash

	// Counters that only grow. Changes are those that commands made: what has
	// expired or was evicted is none.
	Hits, Misses, Expired, Changes uint64

	rows   []Row
	do     []func(*Call) error // of the rows
	many   []manyFunc          // likewise
	stores []*keyspace.Store   // of all shards; only those in the command's scope may be used
	own    *keyspace.Store     // where Near of an operation was found
	listen Listener
	op     Op
	buf    []byte
	spans  []resp.Span

	dirty   int              // changes made by the running command
	effect  Effect           // of the running command
	expiry  Effect           // of a key found expired on the way
	scratch []byte           // numbers of effects
	stale   []keyspace.Key   // expired ones that a walk has met
	makings []making         // of long strings, that commands wait for
	made    *keyspace.Making // one that is complete, for the running command
	ahead   [window]keyspace.Key
	digits  [24]byte
}

// NewCall makes the Call of one shard. stores has every shard of the node, in
// order; a command run outside a barrier uses only that of its key.
func NewCall(stores []*keyspace.Store, hash keyspace.Hash, rand env.Rand, policy Policy) *Call {
	return &Call{rows: Table, do: functions(Table), many: manyFunctions(Table), stores: stores, Hash: hash, Rand: rand, Policy: policy}
}

// functions lists the functions of rows close together, so that a call needs no
// more of a row than that.
func functions(rows []Row) []func(*Call) error {
	list := make([]func(*Call) error, len(rows))
	for i := range rows {
		list[i] = rows[i].Do
	}
	return list
}

func manyFunctions(rows []Row) []manyFunc {
	list := make([]manyFunc, len(rows))
	for i := range rows {
		list[i] = rows[i].Many
	}
	return list
}

// Own tells which of the stores the operations' Near is about: the shard's.
func (c *Call) Own(shard int) { c.own = c.stores[shard] }

// home is a database of the shard's own.
func (c *Call) home(db uint16) *keyspace.Space { return c.own.Space(int(db)) }

// Listen sets who is told of effects; nil for nobody, which makes them cost
// nothing.
func (c *Call) Listen(l Listener) { c.listen = l }

// Batch points the call at the buffer of the requests that follow and at their
// arguments within it.
func (c *Call) Batch(buf []byte, spans []resp.Span) { c.buf, c.spans = buf, spans }

// Run carries out one request of the batch, replies to Reply and tells its
// effect. Now must be set, and the row of op must have a function.
func (c *Call) Run(op *Op) {
	c.op, c.DB = *op, int(op.DB)
	c.dirty, c.Failed = 0, false
	c.Reply.Proto = op.Proto
	if err := c.do[op.Row](c); err != nil {
		if err == errLater {
			c.Later = true
			return
		}
		c.Failed = true
		c.Reply.Fail(err)
	}
	if c.dirty != 0 {
		c.tell()
	}
}

// RunMany is Run for the leading operations of one row that are its usual case,
// in a fraction of the time. It tells how many those are, and ends when Reply
// holds more than limit bytes. It calls Note for each.
func (c *Call) RunMany(ops []Op, limit int) int {
	many := c.many[ops[0].Row]
	if many == nil {
		return 0
	}
	c.Failed = false
	c.Reply.Proto = ops[0].Proto
	return many(c, ops, limit)
}

// Note ends the reply to an operation.
func (c *Call) Note() {
	if c.Noting {
		c.Ends = append(c.Ends, c.Reply.Len())
	}
}

// Ask is Run with a function that is in no row.
func (c *Call) Ask(op Op, do func(*Call) error) {
	c.op, c.DB = op, int(op.DB)
	c.dirty, c.Failed = 0, false
	c.Reply.Proto = op.Proto
	if err := do(c); err != nil {
		c.Failed = true
		c.Reply.Fail(err)
	}
	if c.dirty != 0 {
		c.tell()
	}
}

// Row is the row of the running command.
func (c *Call) Row() *Row { return &c.rows[c.op.Row] }

// Argc is the number of arguments, the command's name included.
func (c *Call) Argc() int { return int(c.op.Argc) }

// Arg is argument i; 0 is the command's name. It is valid while the command runs.
func (c *Call) Arg(i int) []byte {
	at := c.spans[int(c.op.First)+i]
	return c.buf[at.Off : at.Off+at.Len : at.Off+at.Len]
}

// Key is argument i as a key.
func (c *Call) Key(i int) keyspace.Key {
	name := c.Arg(i)
	if i == int(c.op.Key) {
		return keyspace.Key{Bytes: name, Place: c.op.Place, Near: c.op.Near}
	}
	return c.Hash.Key(name)
}

// Space is the part of the current database that holds k.
func (c *Call) Space(k keyspace.Key) *keyspace.Space { return c.SpaceOf(c.DB, k) }

// SpaceOf is the part of database db that holds k.
func (c *Call) SpaceOf(db int, k keyspace.Key) *keyspace.Space {
	return c.stores[slots.Shard(uint16(k.Place>>50), len(c.stores))].Space(db)
}
