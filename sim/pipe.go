package sim

import (
	"io"
	"slices"

	"github.com/elares/ironcache/sim/env"
)

// pipe is one direction of a connection.
type pipe struct {
	link   *link
	id     uint64 // for draws: twice the link's number, and 1 for the way back
	route  Route
	held   []held // what a cut holds, in order
	window int    // flying + len(ready) <= window

	ready  []byte // arrived and unread
	flying int    // bytes on their way
	until  int64  // when the last of them arrives
	closed bool   // nothing more is written
	ended  bool   // the end of the stream has arrived
	broken bool   // a reset has arrived
	gone   bool   // nobody will read any more

	writes, reads uint64 // for draws
}

// held is what a cut holds: something that was sent at a time, which lies ahead if its
// sender stands still until then.
type held struct {
	sent   int64
	arrive func()
}

// room is how many bytes can be written.
func (p *pipe) room() int { return p.window - p.flying - len(p.ready) }

// readable tells whether read would give anything but ErrAgain.
func (p *pipe) readable() bool { return len(p.ready) > 0 || p.ended || p.broken }

// write sends a prefix of b.
func (p *pipe) write(b []byte) (int, error) {
	w := p.link.world
	if p.room() <= 0 {
		return 0, env.ErrAgain
	}
	p.writes++
	size := min(len(b), p.room())
	if size > 1 && w.happens(w.mix.ShortWrite, drawWrite, p.id, p.writes) {
		size = 1 + int(w.draw(drawWrite, p.id, ^p.writes)%uint64(size-1))
	}
	if w.pinched(p.route) {
		size = 1 + int(w.draw(drawPinch, p.id, p.writes)%uint64(min(size, mostPinched)))
	}
	if size > 1 && !p.link.dead && w.torn(p.route) {
		return p.tear(b[:size]), nil
	}
	if w.happens(w.mix.Reset, drawReset, p.id, p.writes) {
		w.Note("break", p.link.id, 0)
		p.link.reset()
		return size, nil
	}
	p.launch(slices.Clone(b[:size]))
	return size, nil
}

// launch sends a segment on its way.
func (p *pipe) launch(segment []byte) {
	w := p.link.world
	p.flying += len(segment)
	w.sent++
	number := w.sent
	p.tell(Sent, number, segment)
	p.travel(func() { p.arrive(segment, number) })
}

// travel has something happen at the other end when what was sent before it
// has arrived.
func (p *pipe) travel(arrive func()) {
	w := p.link.world
	if len(p.held) > 0 || len(w.cuts) > 0 && w.isCut(p.route) {
		if len(p.held) == 0 {
			w.clogged = append(w.clogged, p)
		}
		p.held = append(p.held, held{w.now, arrive})
		return
	}
	p.send(w.now, arrive)
}

// send has what was sent at a time happen at the other end after its delay.
func (p *pipe) send(at int64, arrive func()) {
	w := p.link.world
	delay := w.mix.MinDelay
	if spread := w.mix.MaxDelay - w.mix.MinDelay; spread > 0 {
		delay += int64(w.draw(drawDelay, p.id, w.count) % uint64(spread))
	}
	delay += w.lag(p.route)
	p.until = max(p.until, w.now+delay, at+delay)
	w.At(p.until, arrive)
}

// arrive hands a segment over. Where nobody reads any more, a reset goes back.
func (p *pipe) arrive(segment []byte, number uint64) {
	p.flying -= len(segment)
	if p.broken {
		p.tell(Lost, number, nil)
		return
	}
	if p.gone {
		p.tell(Lost, number, nil)
		p.link.reset()
		return
	}
	p.link.world.Note("arrive", p.id, int64(len(segment)))
	p.tell(Arrived, number, segment)
	p.ready = append(p.ready, segment...)
	p.link.dialler.look()
}

// read takes what has arrived, up to len(b).
func (p *pipe) read(b []byte) (int, error) {
	switch {
	case p.broken:
		return 0, env.ErrReset
	case len(p.ready) == 0 && p.ended:
		return 0, io.EOF
	case len(p.ready) == 0:
		return 0, env.ErrAgain
	}
	w := p.link.world
	p.reads++
	size := min(len(b), len(p.ready))
	if size > 1 && w.happens(w.mix.ShortRead, drawRead, p.id, p.reads) {
		size = 1 + int(w.draw(drawRead, p.id, ^p.reads)%uint64(size-1))
	}
	if w.pinched(p.route) {
		size = 1 + int(w.draw(drawPinch, p.id, ^p.reads)%uint64(min(size, mostPinched)))
	}
	copy(b, p.ready[:size])
	p.ready = slices.Delete(p.ready, 0, size)
	p.link.dialler.look()
	return size, nil
}

// end ends the stream behind what was written.
func (p *pipe) end() {
	if p.closed {
		return
	}
	p.closed = true
	p.travel(func() {
		p.link.world.Note("end", p.id, 0)
		p.tell(Finished, 0, nil)
		p.ended = true
		p.link.dialler.look()
	})
}

// snap breaks the stream for its reader: what was not read is lost.
func (p *pipe) snap() {
	p.link.world.Note("snap", p.id, int64(len(p.ready)))
	p.tell(Broken, 0, nil)
	p.broken, p.ready = true, nil
}
