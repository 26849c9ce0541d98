package raftlog

import (
	"net"
	"slices"
	"sync"
)

// served are the connections over which other nodes make calls. There are so many at most:
// for one more the one is ended that is idle longest, which its node makes anew when it has
// something to ask. None is ended that is being answered. All methods may be called by any
// thread.
type served struct {
	most int

	mu   sync.Mutex
	list []*serving // the longest idle first
}

// serving is one of them.
type serving struct {
	net.Conn
	busy bool // a call is being answered
}

// enter takes one more, nil if there is no room.
func (s *served) enter(conn net.Conn) *serving {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= s.most {
		at := slices.IndexFunc(s.list, func(c *serving) bool { return !c.busy })
		if at < 0 {
			return nil
		}
		s.list[at].Close()
		s.list = slices.Delete(s.list, at, at+1)
	}
	c := &serving{Conn: conn}
	s.list = append(s.list, c)
	return c
}

// begin notes that a call has come, and reports false if the connection was ended before.
func (s *served) begin(c *serving) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.busy = true
	return slices.Contains(s.list, c)
}

// end notes that the call was answered.
func (s *served) end(c *serving) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.busy = false
	s.remove(c)
	s.list = append(s.list, c)
}

// leave takes one out.
func (s *served) leave(c *serving) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(c)
}

func (s *served) remove(c *serving) {
	s.list = slices.DeleteFunc(s.list, func(o *serving) bool { return o == c })
}
