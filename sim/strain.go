package sim

import "slices"

// Strain is a part of the network that carries bytes, and carries them badly.
// Each function tells of a route, at each act that it is about, whether that act
// is concerned; nil concerns none.
type Strain struct {
	// Pinches has a read or a write move a few bytes.
	Pinches func(Route) bool
	// Tears breaks a connection in the middle of a write: a part of it arrives.
	Tears func(Route) bool
	// Deafens has a Peer leave what arrived unread. It is asked only when
	// something has.
	Deafens func(Route) bool
}

// mostPinched is the most bytes that are moved at once where something pinches.
const mostPinched = 7

// Strain begins a strain, until relieve is called: then what was left unread is read.
func (w *World) Strain(s Strain) (relieve func()) {
	end := add(w, &w.strains, &s, "strain", "relieve")
	return func() {
		end()
		for _, m := range w.machines {
			for _, e := range m.network.ends {
				if e != nil && e.link != nil {
					e.link.dialler.look()
				}
			}
		}
	}
}

func (w *World) pinched(r Route) bool {
	return slices.ContainsFunc(w.strains, func(s *Strain) bool { return s.Pinches != nil && s.Pinches(r) })
}

func (w *World) torn(r Route) bool {
	return slices.ContainsFunc(w.strains, func(s *Strain) bool { return s.Tears != nil && s.Tears(r) })
}

func (w *World) deaf(r Route) bool {
	return slices.ContainsFunc(w.strains, func(s *Strain) bool { return s.Deafens != nil && s.Deafens(r) })
}

// tear sends a part of b, less than all of it, and breaks the connection behind
// it. It tells how much the writer believes to have sent.
func (p *pipe) tear(b []byte) int {
	part := slices.Clone(b[:1+int(p.link.world.draw(drawTear, p.id, p.writes)%uint64(len(b)-1))])
	p.link.world.Note("tear", p.link.id, int64(len(part)))
	p.launch(part)
	p.link.reset()
	return len(b)
}
