package sim

// link is a connection between a peer and a machine.
type link struct {
	world *World
	id    uint64
	up    pipe // to the machine
	down  pipe // to the peer
	peer  *Peer
	dead  bool // a reset is on its way to both ends
}

// newLink makes a connection that nobody has accepted yet.
func (w *World) newLink(peer *Peer) *link {
	w.links++
	l := &link{world: w, id: w.links, peer: peer}
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
			l.peer.look()
		})
	}
}

// hangUp is the machine's close: what it wrote still arrives, then the end.
func (l *link) hangUp() {
	l.up.gone, l.up.ready = true, nil
	l.down.end()
}
