package fault

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/elares/ironcache/sim"
)

// operator asks nodes to do things, one at a time, as somebody with redis-cli
// would.
type operator struct {
	stage    *Stage
	line     *sim.Peer
	got      string
	deadline int64
	next     int64 // it asks nothing before
}

// How long an operator waits, in nanoseconds: for a reply, and before it tries again.
const (
	operatorPatience = 15_000 * million
	operatorRest     = 300 * million
)

// ask asks a node, and gives the reply once it is all there: its only line, or the
// text of a bulk, or nothing if none came. Until it is done it is to be called again,
// with the same, whenever something has happened.
func (o *operator) ask(node int, request string) (reply string, done bool) {
	w := o.stage.Cluster.World
	now := w.Now()
	if o.line == nil {
		if now >= o.next {
			o.stage.asked++
			from := fmt.Sprintf("10.9.2.1:%d", 20000+o.stage.asked%40000)
			o.line = w.DialFrom(from, o.stage.host(node)+":"+ClientPort)
			o.line.Send([]byte(request + "\r\n"))
			o.got, o.deadline = "", now+operatorPatience
			w.At(o.deadline, func() {})
		}
		return "", false
	}
	o.got += string(o.line.Receive())
	reply, whole := replyOf(o.got)
	if !whole && o.line.Err() == nil && now < o.deadline {
		return "", false
	}
	o.line.Close()
	o.line = nil
	o.next = now + operatorRest
	w.At(o.next, func() {})
	return reply, true
}

// replyOf is the reply at the beginning of a text, if all of it is there.
func replyOf(text string) (reply string, whole bool) {
	line, rest, whole := strings.Cut(text, "\r\n")
	if !whole || line[:min(1, len(line))] != "$" {
		return line, whole
	}
	size, err := strconv.Atoi(line[1:])
	if err != nil || size < 0 || len(rest) < size+2 {
		return "", err != nil || size < 0
	}
	return rest[:size], true
}
