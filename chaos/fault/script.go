package fault

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

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
	if s.over {
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
	until := w.Now() + ms*million
	w.At(until, func() {})
	for w.Now() < until {
		s.wait()
	}
}

// scriptPatience is how long, in nanoseconds, a reply is waited for: a node may wait
// for the cluster for ten seconds.
const scriptPatience = 12_000 * million

// ask sends requests to a node in one go and waits for the replies to all of them.
// Without them nobody knows whether they took effect.
func (s *script) ask(node int, requests ...[]string) (replies []answer, well bool) {
	w := s.stage.Cluster.World
	if s.lines[node] == nil {
		s.stage.scripted++
		s.lines[node] = w.DialFrom(fmt.Sprintf("10.9.3.1:%d", 20000+s.stage.scripted%40000), s.stage.Addresses[node])
	}
	line := s.lines[node]
	for _, words := range requests {
		line.Send(request(words))
	}
	deadline := w.Now() + scriptPatience
	w.At(deadline, func() {})
	for text := ""; ; s.wait() {
		text += string(line.Receive())
		for size := 1; size > 0 && len(replies) < len(requests); {
			var a answer
			if a, size = readAnswer(text); size > 0 {
				replies, text = append(replies, a), text[size:]
			}
		}
		if len(replies) == len(requests) {
			return replies, true
		}
		if line.Refused() || line.Err() != nil || w.Now() >= deadline {
			s.hangUp(node)
			return nil, false
		}
	}
}

// say is ask of one request; without a reply the answer is empty.
func (s *script) say(node int, words ...string) answer {
	replies, well := s.ask(node, words)
	if !well {
		return answer{}
	}
	return replies[0]
}

func (s *script) hangUp(node int) {
	if line := s.lines[node]; line != nil {
		line.Close()
		s.lines[node] = nil
	}
}

func request(words []string) []byte {
	text := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, word := range words {
		text = fmt.Appendf(text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text
}

// answer is a reply; without a kind there is none.
type answer struct {
	kind byte
	text string
	null bool
	list []answer
}

func (a answer) ok() bool { return a.kind == '+' && a.text == "OK" }

// readAnswer reads a reply, of size 0 if it is not all there.
func readAnswer(text string) (a answer, size int) {
	line, rest, found := strings.Cut(text, "\r\n")
	if !found || line == "" {
		return a, 0
	}
	a.kind, a.text = line[0], line[1:]
	size = len(line) + 2
	n, _ := strconv.Atoi(a.text)
	switch {
	case a.kind != '$' && a.kind != '*':
	case n < 0:
		a.null = true
	case a.kind == '$':
		if len(rest) < n+2 {
			return a, 0
		}
		a.text, size = rest[:n], size+n+2
	default:
		for range n {
			item, more := readAnswer(text[size:])
			if more == 0 {
				return a, 0
			}
			a.list, size = append(a.list, item), size+more
		}
	}
	return a, size
}
