package sim

// Passage is something that passes through the network, for those who watch.
type Passage struct {
	At     int64
	What   Passing
	Number uint64 // of what was sent, from 1; what becomes of it has the same
	Link   uint64 // the connection
	Route  Route
	Text   []byte // of what was sent and of what arrives; it must not be changed
	Held   bool   // a cut holds what is sent
}

// Passing is what happens to a connection or to what is sent along it.
type Passing uint8

// What happens.
const (
	Sent      Passing = iota
	Arrived           // what was sent
	Lost              // what was sent: nobody reads it any more
	Connected         // the connection has been made
	Refused           // nobody listened
	Finished          // the end of what is sent this way has arrived
	Broken            // the reader this way learns of a reset
)

// Watch has every passage told as it happens; nil ends that. It changes nothing of
// what happens, and nothing of the trace.
func (w *World) Watch(tell func(Passage)) { w.watch = tell }

// tell tells of something that happens this way.
func (p *pipe) tell(what Passing, number uint64, text []byte) {
	w := p.link.world
	if w.watch != nil {
		held := what == Sent && (len(p.held) > 0 || w.isCut(p.route))
		w.watch(Passage{w.now, what, number, p.link.id, p.route, text, held})
	}
}
