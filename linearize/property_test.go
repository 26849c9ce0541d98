package linearize

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// mixes are the histories that the properties are about, a mix for what each
// rule is about. Small ones, which the brute force can judge.
func mixes() map[string]mix {
	register, counter, family := &Models[0], &Models[1], &Models[2]
	plainKinds := []Kind{Get, Get, Set, Set, GetSet, GetDel, Del}
	return map[string]mix{
		"register":  {model: register, kinds: []Kind{Get, Get, Get, Set, Set, SetNX, GetSet, GetDel, Del, DelIfEq}, operations: 6, lost: 15, spread: 4, pause: 4, lives: []int{0}},
		"plain":     {model: register, kinds: plainKinds, operations: 6, lost: 40, spread: 5, pause: 4, lives: []int{0, 0, 0, 5}},
		"expiry":    {model: register, kinds: []Kind{Get, Get, Get, Set, SetNX, PExpire, Persist, GetSet, Del}, operations: 6, lost: 10, spread: 3, pause: 5, lives: []int{0, 1, 2, 5, 9}},
		"counter":   {model: counter, kinds: []Kind{Get, IncrBy, IncrBy, DecrBy, Del}, operations: 6, lost: 15, spread: 4, pause: 4},
		"countdown": {model: counter, kinds: []Kind{Get, IncrBy, IncrBy, DecrBy, PExpire, Persist}, operations: 6, lost: 10, spread: 3, pause: 4},
		"moments":   {model: register, kinds: []Kind{Get, Get, Get, Set, Set, GetEx, PExpireAt, Persist, DelEx}, operations: 6, lost: 10, spread: 3, pause: 5, lives: []int{0, 0, 3}, ats: true},
		"jumps":     {model: register, kinds: []Kind{Get, Get, Get, Set, Set, GetEx, PExpire}, operations: 7, lost: 10, spread: 2, pause: 5, lives: []int{0, 2, 5, 9}, ats: true, jumps: true, marks: []MarkKind{ClockJump, Wipe}},
		"lines":     {model: register, kinds: plainKinds, operations: 6, lost: 30, spread: 5, pause: 3, lives: []int{0, 0, 0, 5}, lines: 60},
		"sums":      {model: counter, kinds: []Kind{Get, IncrBy, IncrBy, DecrBy, Del}, operations: 6, lost: 30, spread: 5, pause: 3, lines: 60},
		"family":    {model: family, kinds: []Kind{Batch}, operations: 6, lost: 15, spread: 4, pause: 4, marks: []MarkKind{Wipe}},
		"watches":   {model: family, kinds: []Kind{Batch, Batch, Watch}, operations: 6, lost: 10, spread: 4, pause: 4},
		"together":  {model: family, kinds: []Kind{Batch}, operations: 6, lost: 25, spread: 5, pause: 3, lines: 60},
		"members":   {model: family, kinds: []Kind{Batch}, operations: 6, lost: 30, spread: 5, pause: 3, lines: 60, plain: true, marks: []MarkKind{Wipe}},
		"marks":     {model: register, kinds: []Kind{Get, Get, Get, Set, Set, Del, DelIfEq}, operations: 6, lost: 10, spread: 3, pause: 4, lives: []int{0}, marks: []MarkKind{Wipe, Loss, Failover, Crash}},
	}
}

// mixesInOrder yields the mixes by name.
func mixesInOrder(yield func(mix) bool) {
	all := mixes()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !yield(all[name]) {
			return
		}
	}
}

func TestWhatHappenedIsOK(t *testing.T) {
	for name, m := range mixes() {
		t.Run(name, func(t *testing.T) {
			m.operations, m.lost = 40, 5
			rapid.Check(t, func(t *rapid.T) {
				o := m.drawOptions(t)
				h := m.execute(t, o)
				report := check(t, h, o)
				if report.Class == Violated || report.Class == Unknown && report.Counts.Unknowns <= DefaultLimits.Unknowns {
					t.Fatalf("%s: %s\n%s", report.Class, report.Keys[0].Reason, show(h))
				}
			})
		})
	}
}

// TestAgreesWithBruteForce compares verdicts of small histories, of which about
// half are illegal.
func TestAgreesWithBruteForce(t *testing.T) {
	for name, m := range mixes() {
		t.Run(name, func(t *testing.T) {
			verdicts := map[Class]int{}
			rapid.Check(t, func(t *rapid.T) {
				for range 10 {
					verdicts[compare(t, m)]++
				}
			})
			t.Logf("%v", verdicts)
			if verdicts[OK] == 0 || verdicts[Violated] == 0 {
				t.Errorf("the comparison says little: %v", verdicts)
			}
		})
	}
}

// compare draws a history, spoils it or not, and compares its verdict.
func compare(t *rapid.T, m mix) Class {
	o := m.drawOptions(t)
	h := m.execute(t, o)
	for range rapid.IntRange(0, 4).Draw(t, "spoils") {
		spoil(t, h)
	}
	report := check(t, h, o)
	if len(report.Keys) == 0 || report.Class == Unknown {
		return Unknown
	}
	o.keepIdle = true
	p := pose("k", m.model, pointers(h), h.Marks, o)
	if legal := explained(p, o); legal != (report.Class == OK) {
		t.Fatalf("%s, but one of all orders explains it: %v\n%+v\n%s", report.Class, legal, o, show(h))
	}
	return report.Class
}

// TestPastWithDeadlines compares where the models allow a little more than the
// brute force: a value that had ended comes back.
func TestPastWithDeadlines(t *testing.T) {
	m := mixes()["expiry"]
	m.marks = []MarkKind{Wipe, Failover}
	rapid.Check(t, func(t *rapid.T) {
		o := m.drawOptions(t)
		h := m.execute(t, o)
		spoil(t, h)
		report := check(t, h, o)
		if report.Class != Violated {
			return
		}
		if explained(pose("k", m.model, pointers(h), h.Marks, o), o) {
			t.Fatalf("an order explains it\n%+v\n%s", o, show(h))
		}
	})
}

// TestIdleOperationsDoNotMatter compares verdicts with and without them.
func TestIdleOperationsDoNotMatter(t *testing.T) {
	idle, violated := 0, 0
	for name, m := range mixes() {
		t.Run(name, func(t *testing.T) {
			m.operations, m.lost = 10, max(m.lost, 30)
			rapid.Check(t, func(t *rapid.T) {
				for range 5 {
					class, n := compareIdle(t, m)
					if idle += n; n > 0 && class == Violated {
						violated++
					}
				}
			})
		})
	}
	t.Logf("%d idle operations, %d illegal histories with some", idle, violated)
	if idle == 0 || violated == 0 {
		t.Error("the comparison says little")
	}
}

// compareIdle draws a history, compares, and tells the class and the number of
// idle operations.
func compareIdle(t *rapid.T, m mix) (Class, int) {
	o := m.drawOptions(t)
	o.Limits.Unknowns = 10 // all of them
	h := m.execute(t, o)
	spoil(t, h)
	without := check(t, h, o)
	o.keepIdle = true
	with := check(t, h, o)
	if with.Class != without.Class && with.Class != Unknown { // more to search may be too much
		t.Fatalf("%s with idle operations, %s without\n%+v\n%s", with.Class, without.Class, o, show(h))
	}
	return with.Class, without.Counts.Idle
}
