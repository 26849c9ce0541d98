package command

import "github.com/elares/ironcache/engine/keyspace"

// Effect is the deterministic form of what a write did. It is valid only
// until the Listener it was handed to returns.
type Effect struct {
	DB      int
	Args    [][]byte // a command that has the same result whenever and wherever it runs
	Touched []Touch  // the keys it changed, each with what happened to it
	// Whole says that it changed whole databases (FLUSHDB, FLUSHALL, SWAPDB):
	// keys are not listed.
	Whole bool
}

// Touch is a key that an effect changed.
type Touch struct {
	DB    int
	Key   keyspace.Key
	Event Event
}

// Listener is told of every effect, at the moment it has happened.
type Listener func(*Effect)

// wrote notes that the command changed one key, and what happened to it.
func (c *Call) wrote(k keyspace.Key, event Event) { c.wroteIn(c.DB, k, event) }

func (c *Call) wroteIn(db int, k keyspace.Key, event Event) {
	c.dirty++
	if c.listen != nil {
		c.effect.Touched = append(c.effect.Touched, Touch{db, k, event})
	}
}

// also notes a further event of a key that the command changed.
func (c *Call) also(k keyspace.Key, event Event) {
	if c.listen != nil {
		c.effect.Touched = append(c.effect.Touched, Touch{c.DB, k, event})
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

// tell ends a command that changed something.
func (c *Call) tell() {
	c.Changes += uint64(c.dirty)
	if c.listen == nil {
		return
	}
	if len(c.effect.Args) == 0 {
		c.effect.Args = c.verbatim(c.effect.Args)
	}
	c.emit(&c.effect)
}

// emit hands an effect over and makes it empty again.
func (c *Call) emit(e *Effect) {
	e.DB = c.DB
	c.listen(e)
	clear(e.Args)
	clear(e.Touched)
	e.Args, e.Touched, e.Whole = e.Args[:0], e.Touched[:0], false
	c.scratch = c.scratch[:0]
}

func (c *Call) verbatim(words [][]byte) [][]byte {
	for i := range c.Argc() {
		words = append(words, c.Arg(i))
	}
	return words
}

// The words of deterministic forms.
var (
	wordDel       = []byte("DEL")
	wordSet       = []byte("SET")
	wordPXAT      = []byte("PXAT")
	wordKeepTTL   = []byte("KEEPTTL")
	wordPersist   = []byte("PERSIST")
	wordPExpireAt = []byte("PEXPIREAT")
)
