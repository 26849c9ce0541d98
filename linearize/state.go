package linearize

import (
	"cmp"
	"slices"
)

// A held is what a key holds at one point of an order of operations. If it has
// a deadline, that was set at an unknown moment of true time within [from, to].
type held struct {
	present bool
	text    string
	deadline
}

// A deadline is when a key ends, by the civil clock of its node: a lifetime after
// the moment when it was set, or, if it is fixed, when the clock shows a moment,
// which is then both from and to.
type deadline struct {
	timed    bool // there is one
	fixed    bool
	life     int64 // of one that is not fixed
	from, to int64 // from <= to
	base     int64 // by how much the clock had jumped when it was set; 0 if it is fixed
}

// covers tells whether all that other can become, d can become as well.
func (d deadline) covers(other deadline) bool {
	return d.timed == other.timed && d.fixed == other.fixed && d.life == other.life && d.base == other.base &&
		d.from <= other.from && d.to >= other.to
}

func compareDeadlines(a, b deadline) int {
	return cmp.Or(compareBools(a.timed, b.timed), compareBools(a.fixed, b.fixed), cmp.Compare(a.life, b.life),
		cmp.Compare(a.base, b.base), cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
}

// covers tells whether all that other can become, h can become as well.
func (h held) covers(other held) bool {
	return h.present == other.present && h.text == other.text && h.deadline.covers(other.deadline)
}

func compareHeld(a, b held) int {
	return cmp.Or(compareBools(a.present, b.present), cmp.Compare(a.text, b.text), compareDeadlines(a.deadline, b.deadline))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// A config is one possibility of how things stand: the moment of the latest
// operation lies at or after now and at or after the moment when the deadline
// was set. (Section "Expiry" of step.go says why that is all one must know.)
type config struct {
	held
	now   int64
	ahead int64  // by how much the civil clock has jumped
	used  uint64 // unknown operations that have taken effect, a bit each as in machine.lost
	order uint64 // those of used that others of their line wait for
	past  []held // sorted: what a failover could bring back, besides what is held
}

// covers tells whether all that other can become, c can become as well. An
// unknown operation that is still to take effect takes nothing away: it may
// never do so. Unless another of its line waits for it.
func (c config) covers(other config) bool {
	if c.now > other.now || c.ahead != other.ahead || c.used&^other.used != 0 || c.order != other.order || !c.held.covers(other.held) {
		return false
	}
	return !slices.ContainsFunc(other.past, func(p held) bool {
		return !slices.ContainsFunc(c.past, func(mine held) bool { return mine.covers(p) })
	})
}

func compareConfigs(a, b config) int {
	return cmp.Or(compareHeld(a.held, b.held), cmp.Compare(a.now, b.now), cmp.Compare(a.ahead, b.ahead),
		cmp.Compare(a.used, b.used), slices.CompareFunc(a.past, b.past, compareHeld))
}

// remembering adds to the past of c.
func (c config) remembering(h held) config {
	if slices.ContainsFunc(c.past, func(p held) bool { return p.covers(h) }) {
		return c
	}
	past := make([]held, 0, len(c.past)+1)
	for _, p := range c.past {
		if !h.covers(p) {
			past = append(past, p)
		}
	}
	past = append(past, h)
	slices.SortFunc(past, compareHeld)
	c.past = past
	return c
}

// A state is every possibility that an order of operations leaves open. They
// never change.
type state struct {
	configs []config // none covers another
	done    []int    // by line: how many of its operations are part of the order; never changed

	open  []config // configs, and what they become by the first known unknown operations
	known int
}

// newState makes a state of possibilities, nil of none.
func newState(configs []config, done []int) *state {
	if len(configs) == 0 {
		return nil
	}
	configs = reduce(configs)
	return &state{configs: configs, done: done, open: configs}
}

// covers tells whether all that other can become, s can become as well, after the
// same operations: of each line they have done the same, too.
// It tells how many pairs of possibilities it looked at, too.
func (s *state) covers(other *state) (covers bool, looked int) {
	x := newIndex(s.configs)
	for i := range other.configs {
		covered, n := x.covers(&other.configs[i], -1)
		if looked += n; !covered {
			return false, looked
		}
	}
	return true, looked
}

// reduce leaves out possibilities that others contain.
//
// Those that differ in their past alone become one with both pasts: a failover
// picks any one state of the past, so that the union allows what either does
// and nothing else.
func reduce(configs []config) []config {
	if len(configs) == 1 {
		return configs
	}
	slices.SortFunc(configs, compareConfigs)
	united := configs[:1:1]
	for _, c := range configs[1:] {
		last := &united[len(united)-1]
		if last.held != c.held || last.now != c.now || last.ahead != c.ahead || last.used != c.used {
			united = append(united, c)
			continue
		}
		for _, p := range c.past {
			*last = last.remembering(p)
		}
	}
	var kept []config
	x := newIndex(united)
	for i := range united {
		if covered, _ := x.covers(&united[i], i); !covered {
			kept = append(kept, united[i])
		}
	}
	return kept
}
