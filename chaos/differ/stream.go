package differ

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Step is one command of a random stream.
type Step struct {
	Conn  int
	Args  []string
	Cut   bool          // the pipeline ends here: its replies are read before the next step
	Pause time.Duration // wait before this step; the pipeline before it is cut
}

// Stream is a seeded sequence of commands that starts on an empty server.
type Stream struct {
	Seed  uint64
	Group string
	Steps []Step
}

// Name identifies the stream in test output.
func (s Stream) Name() string { return fmt.Sprintf("%s/seed=%d", s.Group, s.Seed) }

// streamLength is about how many commands a stream has before its final look
// at every key.
const streamLength = 1200

// NewStream draws the stream of a seed. Its group follows from the seed, each
// group in proportion to its number of forms.
func NewStream(seed uint64) Stream {
	d := newDraw(seed)
	g := groups[pickGroup(seed)]
	w := &weaver{draw: d, group: g}
	if d.IntN(2) == 0 {
		w.greet()
	}
	if g.flashes {
		w.weaveFlashes()
	} else {
		w.weave(streamLength, g.forms)
	}
	w.lookAround()
	return Stream{Seed: seed, Group: g.name, Steps: w.steps}
}

// pickGroup spreads consecutive seeds over the groups.
func pickGroup(seed uint64) int {
	total := 0
	for _, g := range groups {
		total += weight(g)
	}
	// A step that shares no factor with the total visits every residue.
	at := int(seed * 61 % uint64(total))
	for i, g := range groups {
		if at -= weight(g); at < 0 {
			return i
		}
	}
	panic("differ: the weights do not add up")
}

// weight is a group's share of the streams; those that wait or carry much data
// get less.
func weight(g group) int {
	if g.flashes || g.name == "large" {
		return len(g.forms) / 4
	}
	return len(g.forms)
}

// weaver builds a stream.
type weaver struct {
	*draw
	group group
	bag   []int
	steps []Step
}

// greet switches the connections to RESP3.
func (w *weaver) greet() {
	for conn := range w.group.conns {
		w.steps = append(w.steps, Step{Conn: conn, Args: []string{"HELLO", "3"}, Cut: true})
	}
}

// weave adds n commands in pipelines of random length, each on one connection.
func (w *weaver) weave(n int, forms []form) {
	w.bag = nil
	for len(w.steps) < n {
		conn := w.IntN(w.group.conns)
		for range w.pipeline() {
			w.add(conn, w.command(forms))
		}
		w.steps[len(w.steps)-1].Cut = true
	}
}

// pipeline draws a length: often 1, up to 128.
func (w *weaver) pipeline() int { return 1 + w.IntN(1<<w.IntN(8)) }

func (w *weaver) add(conn int, args []string) {
	step := Step{Conn: conn, Args: args, Cut: endsPipeline(args)}
	if step.Cut && len(w.steps) > 0 {
		w.steps[len(w.steps)-1].Cut = true
	}
	w.steps = append(w.steps, step)
}

// endsPipeline is about commands that the player handles by themselves.
func endsPipeline(args []string) bool {
	return args[0] == sweepWord || strings.EqualFold(args[0], "quit")
}

// command draws from the forms so that each comes up equally often.
func (w *weaver) command(forms []form) []string {
	if len(w.bag) == 0 {
		w.bag = w.Perm(len(forms))
	}
	f := forms[w.bag[0]]
	w.bag = w.bag[1:]
	args := f.make(w.draw, nil)
	if f.fixed || w.IntN(8) != 0 {
		return args
	}
	return mutations[w.IntN(len(mutations))](w.draw, args)
}

// mutations turn a well-formed command into a likely malformed one.
var mutations = []func(*draw, []string) []string{
	func(_ *draw, args []string) []string { return args[:max(1, len(args)-1)] },
	func(d *draw, args []string) []string { return append(args, d.of(weird)) },
	func(d *draw, args []string) []string { return d.replace(args, d.of(weird)) },
	func(d *draw, args []string) []string { return d.replace(args, d.of(weird)) },
	func(d *draw, args []string) []string { return d.replace(args, d.of(pool)) },
	func(d *draw, args []string) []string {
		at := d.IntN(len(args))
		return slices.Insert(args, at, args[at])
	},
	func(_ *draw, args []string) []string { return append([]string{strings.ToUpper(args[0])}, args[1:]...) },
}

// replace puts an argument in place of one after the command's name.
func (d *draw) replace(args []string, by string) []string {
	if len(args) > 1 {
		args[1+d.IntN(len(args)-1)] = by
	}
	return args
}

const (
	flashRounds = 8
	flashPause  = 40 * time.Millisecond
)

// weaveFlashes alternates commands that make keys expire soon with a pause and
// commands that look at what is left. Active expiry is off in half the streams.
func (w *weaver) weaveFlashes() {
	w.add(0, []string{"debug", "set-active-expire", fmt.Sprint(w.IntN(2))})
	for range flashRounds {
		w.weave(len(w.steps)+15, w.group.forms)
		from := len(w.steps)
		w.weave(from+60, afterForms)
		w.steps[from].Pause = flashPause
	}
}

// lookAround reads every key of every database that the forms reach.
func (w *weaver) lookAround() {
	w.steps[len(w.steps)-1].Cut = true
	conn := w.group.conns
	for db := range 4 {
		w.add(conn, []string{"select", fmt.Sprint(db)})
		w.add(conn, []string{"keys", "*"})
		for _, key := range pool {
			w.add(conn, []string{"get", key})
			w.add(conn, []string{"pexpiretime", key})
			w.add(conn, []string{"object", "encoding", key})
		}
	}
	w.steps[len(w.steps)-1].Cut = true
}
