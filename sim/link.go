package sim

// link is a connection between whoever dialled and a machine that listens.
type link struct {
	world   *World
	id      uint64
	up      pipe // to the one that listens
	down    pipe // to the one that dialled
	dialler dialler
	dead    bool // a reset is on its way to both ends
}

// dialler is who asked for a connection: a peer in the hands of a test, or an
// end of a machine.
type dialler interface {
	// look is called when something may have changed.
	look()
	// stands is called when the connection has been made, refused when it
	// will not be.
	stands()
	refused()
}

// newLink makes a connection that nobody has accepted yet.
func (w *World) newLink(by dialler) *link {
	w.links++
	l := &link{world: w, id: w.links, dialler: by}
	l.up = pipe{link: l, id: 2 * l.id, window: w.mix.Window}
	l.down = pipe{link: l, id: 2*l.id + 1, window: w.mix.Window}
	return l
}

// reset breaks the connection for both ends, after what was sent before.
func (l *link) reset() {
	if l.dead {
		return
	}
	l.dead = true
	for _, p := range []*pipe{&l.up, &l.down} {
		p.travel(func() {
			p.snap()
			l.dialler.look()
		})
	}
}
