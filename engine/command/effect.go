package command

import (
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// Effect is the deterministic form of what a write did. It is valid only
// until the Listener it was handed to returns.
type Effect struct {
	DB      int
	Args    [][]byte // a command that has the same result whenever and wherever it runs
	Touched []Touch  // the keys it changed, each with what happened to it
	Swept   []int    // databases that changed as a whole (FLUSHDB, FLUSHALL, SWAPDB)
}

// Touch is a key that an effect changed.
type Touch struct {
	DB    int
	Key   keyspace.Key
	Event Event
}

// Listener is told of every effect, at the moment it has happened.
type Listener func(*Effect)

// wrote notes that the command changed a key, and what happened to it.
func (c *Call) wrote(at *spot, event Event) {
	c.dirty++
	c.also(at, event)
}

// also notes a further event of a key that the command changed, or a further
// key that the same change touched.
func (c *Call) also(at *spot, event Event) {
	if c.listen != nil {
		c.effect.Touched = append(c.effect.Touched, Touch{at.db, at.key, event})
	}
}

// listening reports whether anybody wants effects: only then is a
// deterministic form worth building.
func (c *Call) listening() bool { return c.listen != nil }

// say sets the deterministic form of what the command did, in place of the
// request as the client sent it.
func (c *Call) say(words ...[]byte) {
	c.effect.Args = append(c.effect.Args[:0], words...)
}

// sayMore appends words to what say began.
func (c *Call) sayMore(words ...[]byte) { c.effect.Args = append(c.effect.Args, words...) }

// sayArgs appends the arguments [from, to) of the request.
func (c *Call) sayArgs(from, to int) {
	for i := from; i < to; i++ {
		c.effect.Args = append(c.effect.Args, c.Arg(i))
	}
}

// sayDel tells that a key was deleted.
func (c *Call) sayDel(at *spot) {
	if c.listen != nil {
		c.say(wordDel, at.key.Bytes)
	}
}

// tell ends a command that changed something.
func (c *Call) tell() {
	c.Changes += uint64(c.dirty)
	if c.listen == nil {
		return
	}
	if len(c.effect.Args) == 0 {
		c.sayArgs(0, c.Argc())
	}
	c.emit(c.DB, &c.effect)
	c.scratch = c.scratch[:0]
}

// emit hands an effect over and makes it empty again.
func (c *Call) emit(db int, e *Effect) {
	e.DB = db
	c.listen(e)
	clear(e.Args)
	clear(e.Touched)
	e.Args, e.Touched, e.Swept = e.Args[:0], e.Touched[:0], e.Swept[:0]
	if cap(e.Args) > mostKept || cap(e.Touched) > mostKept {
		e.Args, e.Touched = nil, nil
	}
}

// mostKept is how many arguments or keys a request has at most that leaves the
// memory for them to the next one.
const mostKept = 4096

// number is n in decimals, for use in say.
func (c *Call) number(n int64) []byte {
	start := len(c.scratch)
	c.scratch = resp.AppendInt(c.scratch, n)
	return c.scratch[start:]
}

// The words of deterministic forms.
var (
	wordDel       = []byte("DEL")
	wordMSet      = []byte("MSET")
	wordMSetEx    = []byte("MSETEX")
	wordRename    = []byte("RENAME")
	wordSet       = []byte("SET")
	wordPXAT      = []byte("PXAT")
	wordKeepTTL   = []byte("KEEPTTL")
	wordPersist   = []byte("PERSIST")
	wordPExpireAt = []byte("PEXPIREAT")
)
