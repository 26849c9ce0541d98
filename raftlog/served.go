package raftlog

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"
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

// serveCalls answers the calls of other nodes.
func (p *Plane) serveCalls(from net.Listener) {
	defer p.running.Done()
	for {
		conn, err := from.Accept()
		if err != nil {
			return
		}
		c := p.served.enter(conn)
		if c == nil {
			conn.Close()
			continue
		}
		go p.answerAll(c)
	}
}

// callTime bounds one call on the side that answers.
const callTime = 10 * time.Second

// answerAll answers the calls of a connection, until there is none for a while.
func (p *Plane) answerAll(c *serving) {
	defer c.Close()
	defer p.served.leave(c)
	for {
		c.SetDeadline(time.Now().Add(servedTime))
		ask, err := readFrame(c)
		if err != nil || !p.served.begin(c) {
			return
		}
		c.SetDeadline(time.Now().Add(callTime))
		if err := writeFrame(c, p.answer(ask)); err != nil {
			return
		}
		p.served.end(c)
	}
}

// answer answers one call.
func (p *Plane) answer(ask frame) frame {
	give := answers[callKind(ask.head)]
	if give == nil {
		return frame{failed, ask.call, fmt.Appendf(nil, "there is no call %q", ask.head)}
	}
	answer, err := give(p, ask.body)
	if err != nil {
		return frame{failed, ask.call, []byte(err.Error())}
	}
	text, err := json.Marshal(answer)
	if err != nil {
		p.log.Error("raftlog: an answer cannot be written", "call", string(ask.head), "err", err)
		return frame{failed, ask.call, []byte("the answer cannot be written")}
	}
	return frame{answered, ask.call, text}
}
