package fault

import (
	"fmt"
	"iter"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/sim"
)

// A script is what somebody does who asks nodes for one thing after the other, over
// connections of their own. It is written as a function that waits; it goes on
// when step is called.
type script struct {
	stage *Stage
	lines map[int]*sim.Peer
	yield func(struct{}) bool
	next  func() (struct{}, bool)
	stop  func()
	over  bool
	wake  int64 // it rests until then, in nanoseconds
}

// stopped ends a script in the middle.
type stopped struct{}

// newScript makes a script of what it does.
func newScript(stage *Stage, do func(*script)) *script {
	s := &script{stage: stage, lines: map[int]*sim.Peer{}}
	s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if e := recover(); e != nil && e != (stopped{}) {
				panic(e)
			}
		}()
		s.yield = yield
		do(s)
	})
	return s
}

// step goes on as far as possible now.
func (s *script) step() {
	if s.over || s.stage.Cluster.World.Now() < s.wake {
		return
	}
	if _, more := s.next(); !more {
		s.over = true
		for n := range s.stage.Nodes {
			s.hangUp(n)
		}
	}
}

// wait lets the script go on at a later step.
func (s *script) wait() {
	if !s.yield(struct{}{}) {
		panic(stopped{})
	}
}

// rest waits for a number of milliseconds.
func (s *script) rest(ms int64) {
	w := s.stage.Cluster.World
	s.wake = w.Now() + ms*million
	w.At(s.wake, func() {})
	s.wait()
}

// scriptPatience is how long, in nanoseconds, a reply is waited for: a node may wait
// for the cluster for ten seconds.
const scriptPatience = 12_000 * million

// ask sends requests to a node in one go and waits for the replies to all of them.
// Without them nobody knows whether they took effect.
func (s *script) ask(node int, requests ...[]string) (replies []wire.Value, well bool) {
	w := s.stage.Cluster.World
	if s.lines[node] == nil {
		s.stage.scripted++
		from := fmt.Sprintf("%s:%d", ScriptHost, 20000+s.stage.scripted%40000)
		s.lines[node] = w.DialFrom(from, s.stage.host(node)+":"+ClientPort)
	}
	line := s.lines[node]
	for _, words := range requests {
		line.Send(wire.Request(words...))
	}
	deadline := w.Now() + scriptPatience
	w.At(deadline, func() {})
	for got := []byte(nil); ; s.wait() {
		more, rest, err := wire.ReadAll(append(got, line.Receive()...))
		replies, got = append(replies, more...), rest
		switch {
		case err == nil && len(replies) == len(requests):
			return replies, true
		case err != nil, len(replies) > len(requests), line.Refused(), line.Err() != nil, w.Now() >= deadline:
			s.hangUp(node)
			return nil, false
		}
	}
}

// ScriptHost is where the connections of scripts come from.
const ScriptHost = "10.9.3.1"

// say is ask of one request; without a reply the value has no kind.
func (s *script) say(node int, words ...string) wire.Value {
	replies, well := s.ask(node, words)
	if !well {
		return wire.Value{}
	}
	return replies[0]
}

func (s *script) hangUp(node int) {
	if line := s.lines[node]; line != nil {
		line.Close()
		s.lines[node] = nil
	}
}
