package state

import (
	"fmt"
	"math/rand/v2"

	"github.com/elares/ironcache/slots"
)

// rule is one rule of leases, as research/decisions/0007 numbers them; a world
// can be told to break one.
type rule string

const (
	noRule            rule = ""
	waitsForDrift     rule = "the leader's wait allows for drift"
	waitsFromApply    rule = "the leader waits from a reading after its apply"
	countsFromSending rule = "a lease begins when its request is sent"
	appliesFirst      rule = "a lease counts once the log through its Renew is applied"
	readsClockAfter   rule = "the clock is read after execution"
	fencesByView      rule = "the fence goes by the lease of the batch's own view"
	comparesRenewal   rule = "Assign is refused after another Renew"
	stopsBeforeGiving rule = "an owner stops before it proposes Release or Flip"
	asksTheLog        rule = "only the log ends an unknown outcome"
	orphansSlots      rule = "a node started anew serves nothing of what it owned"
	waitsForFormer    rule = "orphaned slots wait for the earlier process's lease"
)

// view is what a loop sees: a state, and the lease that holds with it.
type view struct {
	State
	leased bool
	sent   int64 // by the process's clock
}

// batch is commands that were executed and whose replies wait for the fence.
type batch struct {
	view   view
	slot   uint16
	began  int64 // true time
	before int64 // the clock before execution
}

// actor is one start of a node. Those that a later start replaced go on: they
// were only paused.
type actor struct {
	process
	clock    int64 // millionths of nanoseconds
	rate     int64 // parts of a million, 0: another at every step
	view     view
	applied  int // entries of the log
	sequence uint64
	sent     map[uint64]int64  // readings by request
	applies  map[uint64]int64  // readings by index of a Renew, after its apply
	given    map[uint16]uint64 // slots given up by request or, above 1<<32, by migration
	batch    *batch
}

func (a *actor) now() int64 { return a.clock / 1_000_000 }

// pass is a batch whose replies were released.
type pass struct {
	slot         uint16
	epoch        uint64
	began, ended int64 // true times of execution and of the clock's reading
}

// leaseWorld is true time, processes with their own clocks, and one log. Messages
// and proposals arrive late, in any order, twice or never.
type leaseWorld struct {
	*rand.Rand
	lease    slots.Lease
	broken   rule
	time     int64
	log      [][]byte
	actors   []*actor
	requests []Request
	waiting  []Entry
	passes   []pass
	takes    int // of slots whose lease was waited out
}

const leaseSlots = 2

func newLeaseWorld(seed uint64, broken rule) *leaseWorld {
	w := &leaseWorld{Rand: rand.New(rand.NewPCG(seed, 1)), broken: broken}
	w.lease = slots.Lease{Length: 1_000_000_000, Drift: 100_000, Margin: 22_222_223}
	form := &Form{[]Founder{
		founder(1, Voter, slots.None, slots.Range{First: 0, Last: leaseSlots - 1}),
		founder(2, Voter, slots.None), founder(3, Voter, slots.None),
	}}
	w.commit(form)
	for n := slots.Node(1); n <= 3; n++ {
		w.start(process{n, 1})
	}
	return w
}

func (w *leaseWorld) start(p process) *actor {
	a := &actor{process: p, clock: w.Int64N(1 << 50), sent: map[uint64]int64{}, applies: map[uint64]int64{}, given: map[uint16]uint64{}}
	a.rate = [...]int64{0, 1_000_000 - w.lease.Drift, 1_000_000 + w.lease.Drift}[w.IntN(3)]
	w.actors = append(w.actors, a)
	return a
}

func (w *leaseWorld) commit(e Entry) {
	data, err := Encode(e)
	if err != nil {
		panic(err)
	}
	w.log = append(w.log, data)
}

// pause lets true time pass, often none.
func (w *leaseWorld) pause() {
	step := int64(0)
	switch w.IntN(10) {
	case 0:
		step = w.Int64N(w.lease.Length / 5)
	case 1, 2, 3:
		step = w.Int64N(w.lease.Length / 200)
	}
	w.time += step
	for _, a := range w.actors {
		rate := a.rate
		if rate == 0 {
			rate = 1_000_000 - w.lease.Drift + w.Int64N(2*w.lease.Drift+1)
		}
		a.clock += step * rate
	}
}

// actions are what a process may do at any moment, the frequent ones more often.
var actions = []func(*leaseWorld, *actor){
	(*leaseWorld).apply, (*leaseWorld).apply, (*leaseWorld).apply, (*leaseWorld).apply, (*leaseWorld).apply, (*leaseWorld).apply,
	(*leaseWorld).request, (*leaseWorld).request, (*leaseWorld).request, (*leaseWorld).renew,
	(*leaseWorld).execute, (*leaseWorld).execute, (*leaseWorld).execute, (*leaseWorld).fence, (*leaseWorld).fence, (*leaseWorld).fence,
	(*leaseWorld).take, (*leaseWorld).take, (*leaseWorld).take, (*leaseWorld).settle, (*leaseWorld).settle, (*leaseWorld).settle,
	(*leaseWorld).hurry, (*leaseWorld).hurry, (*leaseWorld).overtake, (*leaseWorld).overtake, (*leaseWorld).overtake,
	(*leaseWorld).release, (*leaseWorld).migrate, (*leaseWorld).flip, (*leaseWorld).cancel, (*leaseWorld).restart,
}

// hurry gets a lease and executes, all at one moment.
func (w *leaseWorld) hurry(a *actor) {
	w.request(a)
	w.renew(nil)
	w.catchUp(a)
	w.execute(a)
}

func (w *leaseWorld) catchUp(a *actor) {
	for a.applied < len(w.log) {
		w.apply(a)
	}
}

// overtake takes a slot, and its new owner serves it at once.
func (w *leaseWorld) overtake(a *actor) {
	before := len(w.waiting)
	for range 3 * leaseSlots {
		w.take(a)
	}
	for _, e := range w.waiting[before:] {
		w.enter(e)
		for _, other := range w.actors {
			if other.process == (process{e.(*Assign).To, e.(*Assign).Incarnation}) {
				w.hurry(other)
			}
		}
	}
	w.waiting = w.waiting[:before]
}

func (w *leaseWorld) run(steps int) {
	for range steps {
		w.pause()
		actions[w.IntN(len(actions))](w, w.actors[w.IntN(len(w.actors))])
	}
}

// settle puts a proposal into the log, if it is ever to be there.
func (w *leaseWorld) settle(*actor) {
	if len(w.waiting) == 0 {
		return
	}
	at := w.IntN(len(w.waiting))
	e := w.waiting[at]
	if w.IntN(5) > 0 {
		w.waiting = append(w.waiting[:at:at], w.waiting[at+1:]...)
	}
	w.enter(e)
}

func (w *leaseWorld) enter(e Entry) {
	if assign, ok := e.(*Assign); ok && w.broken == comparesRenewal {
		newest := &State{}
		for i, data := range w.log {
			_, _ = newest.Apply(uint64(i+1), data)
		}
		m := newest.Member(assign.From)
		assign.Waited = max(m.Renew.Index, m.Former)
	}
	w.commit(e)
}

// request asks for a lease.
func (w *leaseWorld) request(a *actor) {
	a.sequence++
	a.sent[a.sequence] = a.now()
	w.requests = append(w.requests, Request{a.node, Stamp{a.incarnation, a.sequence}})
	if w.IntN(3) > 0 {
		w.renew(nil)
	}
}

// renew commits a request, a late one too.
func (w *leaseWorld) renew(*actor) {
	if len(w.requests) == 0 {
		return
	}
	r := w.requests[max(0, len(w.requests)-1-w.IntN(4)*w.IntN(2))]
	w.commit(&Renew{[]Request{r}})
	if w.broken == appliesFirst {
		for _, a := range w.actors {
			if a.process == (process{r.Node, r.By.Incarnation}) {
				a.hold(a.sent[r.By.Sequence])
			}
		}
	}
}

func (a *actor) hold(sent int64) {
	if !a.view.leased || sent > a.view.sent {
		a.view.leased, a.view.sent = true, sent
	}
}

// apply takes some entries of the log.
func (w *leaseWorld) apply(a *actor) {
	for range 1 + w.IntN(12) {
		if a.applied == len(w.log) {
			return
		}
		before := a.now()
		index := uint64(a.applied + 1)
		if _, err := a.view.State.Apply(index, w.log[a.applied]); err != nil {
			panic(err)
		}
		a.applied++
		a.applies[index] = a.now()
		if w.broken == waitsFromApply {
			a.applies[index] = before - w.lease.Length/4 // as if it were that of an earlier turn of the loop
		}
		if m := a.view.Member(a.node); m != nil && m.Renew.Index == index && m.Stamp.Incarnation == a.incarnation {
			a.granted(w, m.Renew.Sequence)
		}
		a.learn()
	}
}

func (a *actor) granted(w *leaseWorld, sequence uint64) {
	a.hold(a.sent[sequence])
	if w.broken == countsFromSending {
		a.hold(a.now())
	}
	for slot, by := range a.given {
		if by < sequence {
			delete(a.given, slot) // its Release is stale now, if it was not applied
		}
	}
}

// learn forgets migrations that the log has ended.
func (a *actor) learn() {
	for slot, by := range a.given {
		if by > 1<<32 && a.view.Map().At(slot).Move != by-1<<32 {
			delete(a.given, slot)
		}
	}
}

func (w *leaseWorld) slot() uint16 { return uint16(w.IntN(leaseSlots)) }

// serves tells whether a process may execute commands of a slot.
func (a *actor) serves(w *leaseWorld, slot uint16) bool {
	at, m := a.view.Map().At(slot), a.view.Member(a.node)
	if m == nil || m.Stamp.Incarnation != a.incarnation || at.Owner != a.node {
		return false
	}
	given := a.given[slot] != 0 && w.broken != stopsBeforeGiving
	return !given && (at.Standing == slots.Served || at.Standing == slots.Orphaned && w.broken == orphansSlots)
}

func (w *leaseWorld) execute(a *actor) {
	for range 2 * leaseSlots {
		if slot := w.slot(); a.batch == nil && a.serves(w, slot) {
			a.batch = &batch{view: a.view, slot: slot, began: w.time, before: a.now()}
		}
	}
}

// fence releases the replies of the batch, or drops them.
func (w *leaseWorld) fence(a *actor) {
	b := a.batch
	if b == nil {
		return
	}
	a.batch = nil
	now, by := a.now(), b.view
	switch w.broken {
	case readsClockAfter:
		now = b.before
	case fencesByView:
		by = a.view
	}
	if by.leased && now < w.lease.Until(by.sent) {
		w.passes = append(w.passes, pass{b.slot, b.view.Map().Epoch(b.slot), b.began, w.time})
	}
}

// take proposes to give a slot to another node, or to its owner's new process.
func (w *leaseWorld) take(a *actor) {
	slot := w.slot()
	at := a.view.Map().At(slot)
	to := a.view.Member(slots.Node(1 + w.IntN(3)))
	if to == nil || to.Number == at.Owner && at.Standing == slots.Served {
		return
	}
	backing := a.view.Backing(slot)
	if w.broken == waitsForFormer && at.Standing == slots.Orphaned {
		a.applies[backing] = a.now() - 2*w.lease.Length
	}
	wait := w.lease.Wait()
	if w.broken == waitsForDrift {
		wait = w.lease.Length
	}
	if backing != 0 && a.now()-a.applies[backing] < wait || backing == 0 && w.IntN(20) > 0 {
		return
	}
	if backing != 0 {
		w.takes++
	}
	e := &Assign{How: Force, To: to.Number, Incarnation: to.Stamp.Incarnation, From: at.Owner, Waited: backing,
		Spans: []Span{{slots.Range{First: slot, Last: slot}, at.Epoch}}}
	if to.Number == at.Owner {
		e.How = Resume
	}
	w.waiting = append(w.waiting, e)
}

// give stops serving a slot.
func (w *leaseWorld) give(a *actor, slot uint16, by uint64) {
	a.given[slot] = by
	if w.broken != stopsBeforeGiving {
		a.batch = nil
	}
	if w.broken == asksTheLog {
		delete(a.given, slot) // as if a moment had passed without an answer
	}
}

func (w *leaseWorld) release(a *actor) {
	slot := w.slot()
	if !a.serves(w, slot) {
		return
	}
	a.sequence++
	w.give(a, slot, a.sequence)
	w.waiting = append(w.waiting, &Release{a.node, Stamp{a.incarnation, a.sequence},
		[]Span{{slots.Range{First: slot, Last: slot}, a.view.Map().Epoch(slot)}}})
}

func (w *leaseWorld) migrate(a *actor) {
	slot := w.slot()
	if to := a.view.Member(slots.Node(1 + w.IntN(3))); to != nil {
		w.waiting = append(w.waiting, &BeginMigration{to.Number, to.Stamp.Incarnation,
			[]Span{{slots.Range{First: slot, Last: slot}, a.view.Map().Epoch(slot)}}})
	}
}

func (w *leaseWorld) flip(a *actor) {
	slot := w.slot()
	at := a.view.Map().At(slot)
	if !a.serves(w, slot) || at.Move == 0 {
		return
	}
	w.give(a, slot, 1<<32+at.Move)
	w.waiting = append(w.waiting, &Flip{Slot: slot, Epoch: at.Epoch, Move: at.Move})
}

func (w *leaseWorld) cancel(a *actor) {
	slot := w.slot()
	if at := a.view.Map().At(slot); at.Move != 0 {
		w.waiting = append(w.waiting, &CancelMigration{[]MoveSpan{{slots.Range{First: slot, Last: slot}, at.Move}}})
	}
}

// restart starts a node anew, while its earlier process goes on.
func (w *leaseWorld) restart(a *actor) {
	if len(w.actors) > 6 || w.IntN(8) > 0 {
		return
	}
	last := a.incarnation
	for _, other := range w.actors {
		if other.node == a.node {
			last = max(last, other.incarnation)
		}
	}
	anew := w.start(process{a.node, last + 1})
	w.waiting = append(w.waiting, &Announce{anew.node, Stamp{anew.incarnation, 0}, 1, addressOf(int(anew.node))})
}

// overlap tells of two epochs of a slot that were served at once: the later began
// to execute before the earlier's last clock reading that released replies.
func (w *leaseWorld) overlap() error {
	for _, a := range w.passes {
		for _, b := range w.passes {
			if a.slot == b.slot && a.epoch < b.epoch && b.began < a.ended {
				return fmt.Errorf("slot %d: epoch %d served from %d to %d, epoch %d from %d", a.slot, a.epoch, a.began, a.ended, b.epoch, b.began)
			}
		}
	}
	return nil
}
