package raftlog

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/sim/env"
)

// A connection for calls carries one call at a time, and is kept for the next one to
// the same node: leases are renewed over and over, and to dial takes three round trips
// more, and a place among those who have yet to prove themselves. What a call leaves
// behind when it goes wrong is not known, so its connection is ended. Before a call goes
// over a kept connection that has to answer a knock: of what is sent to one that broke
// without a word it would not be known whether anybody saw it.

const (
	mostKept   = 32 // in all
	mostKeptOf = 2  // of one node
	keptTime   = 10 * time.Second
	// servedTime is how long the other side waits for the next call: longer, so that
	// no call crosses with the end.
	servedTime = 3 * keptTime
)

// talk is a connection for calls, with how many were made.
type talk struct {
	*bus.Conn
	calls uint32
}

// exchange makes one call. After an error nobody knows what will come on the connection.
func (t *talk) exchange(kind callKind, body []byte, by time.Time) (head byte, answer []byte, err error) {
	t.calls++
	t.SetDeadline(by)
	if err := writeFrame(t, frame{byte(kind), t.calls, body}); err != nil {
		return 0, nil, err
	}
	got, err := readFrame(t)
	switch {
	case err != nil:
		return 0, nil, err
	case got.call != t.calls || got.head != answered && got.head != failed:
		return 0, nil, fmt.Errorf("answer %q to call %d, which is %d", got.head, got.call, t.calls)
	}
	return got.head, got.body, nil
}

// kept is connections for calls on which nothing is under way. All methods may be
// called by any thread.
type kept struct {
	clock env.Clock

	mu   sync.Mutex
	list []idle // the longest kept first
}

// idle is one of them.
type idle struct {
	*talk
	to    string // name of the node
	since int64  // by the monotonic clock
}

// take gives a connection to a node, nil if none is kept.
func (k *kept) take(to string) *talk {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dropOld()
	for i, at := range slices.Backward(k.list) {
		if at.to == to {
			k.list = slices.Delete(k.list, i, i+1)
			return at.talk
		}
	}
	return nil
}

// put keeps a connection to a node, or ends it. Nobody is known to be at a mere address
// the next time.
func (k *kept) put(to string, t *talk) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dropOld()
	alike := 0
	for _, at := range k.list {
		if at.to == to {
			alike++
		}
	}
	if !bus.IsName(to) || alike >= mostKeptOf {
		t.Close()
		return
	}
	if len(k.list) >= mostKept {
		k.list[0].Close()
		k.list = slices.Delete(k.list, 0, 1)
	}
	k.list = append(k.list, idle{t, to, k.clock.Monotonic()})
}

// end ends what is kept for a node.
func (k *kept) end(to string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(func(at idle) bool { return at.to == to })
}

// tidy ends what the other side has ended, and what nobody wanted for long.
func (k *kept) tidy() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dropOld()
}

func (k *kept) dropOld() {
	now := k.clock.Monotonic()
	k.drop(func(at idle) bool { return !at.Quiet() || now-at.since >= int64(keptTime) })
}

func (k *kept) drop(which func(idle) bool) {
	k.list = slices.DeleteFunc(k.list, func(at idle) bool {
		out := which(at)
		if out {
			at.Close()
		}
		return out
	})
}

// reach gives a connection for a call to another node: one that is kept, if the other
// side answers on it, or a new one. Until there was no error, nobody has seen the call.
func (p *Plane) reach(to string, by time.Time) (*talk, error) {
	if t := p.kept.take(to); t != nil {
		if _, _, err := t.exchange(callKnock, nil, time.Now().Add(time.Until(by)/2)); err == nil {
			return t, nil
		}
		t.Close()
		p.kept.end(to)
	}
	conn, err := p.bus.Dial(lineCalls, to, time.Until(by))
	if err != nil {
		return nil, err
	}
	return &talk{Conn: conn}, nil
}
