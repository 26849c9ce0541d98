package netio

// linger is what keeps loops at a barrier after its work has run: time that has
// to pass, or more work that is done in pieces, one a Step. The loop that owns
// the barrier has it.
type linger struct {
	until int64 // monotonic nanoseconds
	// more does a piece and tells whether more is left; nil when nothing is.
	more func() bool
}

// ready tells that the loop has something to do: a piece, or to go on.
func (g *linger) ready(mono int64) bool { return g.more != nil || mono >= g.until }

// patience is how long a loop may sleep at a barrier, in nanoseconds.
func (g *linger) patience(mono int64) int64 {
	if g.until <= mono {
		return parkFor
	}
	return min(parkFor, g.until-mono)
}

// lingers does a piece of what is left and tells whether the loops have to
// stand still any longer.
func (l *Loop) lingers() bool {
	g := &l.linger
	if g.more != nil && !g.more() {
		g.more = nil
	}
	return g.more != nil || l.clock.Monotonic() < g.until
}

// hurry does all the pieces that are left: what follows in a transaction wants
// to see them done.
func (l *Loop) hurry() {
	g := &l.linger
	for g.more != nil && g.more() {
	}
	g.more = nil
}

// outstays makes a barrier of what is left after work that needed none, and
// tells whether it did: the connection then waits until it is over.
func (l *Loop) outstays(c *Conn) bool {
	if l.linger.more == nil && l.linger.until <= l.mono {
		return false
	}
	l.raise(l.node.all, func() { l.later(c) })
	return true
}

// holdFor keeps the loops at this barrier for a while longer, which counts as
// time that the running command takes.
func (r *Request) holdFor(nanos int64) {
	g := &r.Loop.linger
	g.until = max(g.until, r.Loop.clock.Monotonic()) + nanos
	r.Loop.shard.Prolong(nanos)
}

// runLater does work in pieces before the barrier is released.
func (r *Request) runLater(piece func() bool) { r.Loop.linger.more = piece }
