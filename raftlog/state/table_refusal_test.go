package state

import (
	"testing"

	"github.com/elares/ironcache/slots"
)

func at(first, last uint16) slots.Range { return slots.Range{First: first, Last: last} }

// refusals has a row for each way in which an entry can be illegal: what is
// applied first, and the entry that is refused then.
var refusals = []struct {
	why   Reason
	case_ string
	entry func(*rig) Entry
}{
	{AlreadyFormed, "a second topology", func(r *rig) Entry { return topology() }},
	{KnownNode, "joining twice", func(r *rig) Entry { return join(2) }},
	{AddressTaken, "joining at the client address of a member", func(r *rig) Entry {
		j := join(7)
		j.Address.Host, j.Address.BusPort = "10.0.0.1", 7777
		return j
	}},
	{AddressTaken, "joining at the bus address of a member", func(r *rig) Entry {
		j := join(7)
		j.Address.Host, j.Address.Port = "10.0.0.1", 7777
		return j
	}},
	{SlotOwned, "joining with a claim to a slot of another", func(r *rig) Entry { return join(7, at(5000, 5000), at(16383, 16383)) }},
	{TooManyMembers, "one more than the most", func(r *rig) Entry {
		full := &Form{}
		for n := range MaxMembers {
			full.Founders = append(full.Founders, founder(n, Voter, slots.None))
		}
		*r = rig{tester: r.tester}
		r.must(full)
		return join(MaxMembers)
	}},
	{UnknownNode, "forgetting a stranger", func(r *rig) Entry { return &Forget{7} }},
	{UnknownNode, "forgetting twice", func(r *rig) Entry { r.must(&Forget{6}); return &Forget{6} }},
	{OwnsSlots, "forgetting an owner", func(r *rig) Entry { return &Forget{2} }},
	{ImportsSlots, "forgetting a destination", func(r *rig) Entry { r.must(r.begin(6, 1, 1)); return &Forget{6} }},
	{HoldsSyncs, "forgetting a member in sync", func(r *rig) Entry { r.must(r.grow(3, 0, 0)); return &Forget{3} }},
	{HasReplicas, "forgetting an owner with replicas", func(r *rig) Entry { r.must(&SetRole{4, 6}); return &Forget{6} }},
	{LastVoter, "forgetting the last voter", func(r *rig) Entry {
		r.must(&SetSuffrage{1, Learner}, &SetSuffrage{2, Learner})
		return &Forget{3}
	}},
	{UnknownNode, "a stranger announces itself", func(r *rig) Entry { return &Announce{7, Stamp{1, 1}, 1, addressOf(7)} }},
	{StaleSequence, "an announcement that was overtaken", func(r *rig) Entry {
		r.must(&Announce{6, Stamp{1, 5}, 1, addressOf(8)})
		return &Announce{6, Stamp{1, 5}, 1, addressOf(9)}
	}},
	{StaleIncarnation, "an announcement of an earlier start", func(r *rig) Entry {
		r.must(r.restart(6))
		return &Announce{6, Stamp{1, 9}, 1, addressOf(6)}
	}},
	{VersionTooLow, "coming back with a program that is too old", func(r *rig) Entry {
		r.version = 2 // as if an entry of that version had been accepted
		for _, m := range r.members {
			m.Speaks = 2
		}
		return &Announce{6, Stamp{2, 0}, 1, addressOf(6)}
	}},
	{NothingToDo, "an owner becomes an owner", func(r *rig) Entry { return &SetRole{6, slots.None} }},
	{NothingToDo, "a replica stays a replica", func(r *rig) Entry { return &SetRole{3, 1} }},
	{UnknownNode, "a stranger becomes a replica", func(r *rig) Entry { return &SetRole{7, 1} }},
	{UnknownNode, "a replica of a stranger", func(r *rig) Entry { return &SetRole{6, 7} }},
	{ReplicatesItself, "a replica of itself", func(r *rig) Entry { return &SetRole{6, 6} }},
	{IsReplica, "a replica of a replica", func(r *rig) Entry { return &SetRole{6, 3} }},
	{OwnsSlots, "an owner with slots becomes a replica", func(r *rig) Entry { return &SetRole{2, 1} }},
	{HasReplicas, "an owner with replicas becomes one", func(r *rig) Entry { r.must(&SetRole{4, 6}); return &SetRole{6, 1} }},
	{HoldsSyncs, "a replica in sync changes its owner", func(r *rig) Entry { r.must(r.grow(3, 0, 99)); return &SetRole{3, 2} }},
	{HoldsSyncs, "a replica in sync becomes an owner", func(r *rig) Entry { r.must(r.grow(3, 0, 99)); return &SetRole{3, slots.None} }},
	{ImportsSlots, "a destination becomes a replica", func(r *rig) Entry { r.must(r.begin(6, 1, 1)); return &SetRole{6, 1} }},
	{UnknownNode, "a stranger gets a vote", func(r *rig) Entry { return &SetSuffrage{7, Voter} }},
	{NothingToDo, "a second vote", func(r *rig) Entry { return &SetSuffrage{1, Voter} }},
	{LastVoter, "the last vote is taken", func(r *rig) Entry {
		r.must(&SetSuffrage{1, Learner}, &SetSuffrage{2, Learner})
		return &SetSuffrage{3, Learner}
	}},
	{UnknownNode, "a stranger's epoch", func(r *rig) Entry { return &BumpEpoch{7} }},
	{IsReplica, "a replica's epoch", func(r *rig) Entry { return &BumpEpoch{3} }},
	{UnknownNode, "a stranger leads", func(r *rig) Entry { return &Barrier{7, 1} }},
	{StaleTerm, "a leader of an earlier term", func(r *rig) Entry { r.must(&Barrier{1, 4}); return &Barrier{2, 4} }},
	{UnknownNode, "a stranger's lease", func(r *rig) Entry { return &Renew{[]Request{{7, Stamp{1, 1}}}} }},
	{StaleIncarnation, "a lease of an earlier start", func(r *rig) Entry {
		e := r.renew(1)
		r.must(r.restart(1))
		return e
	}},
	{StaleSequence, "a lease that was overtaken", func(r *rig) Entry { e := r.renew(1, 2); r.must(e); return e }},
	{StaleSequence, "a release that was overtaken", func(r *rig) Entry {
		e := &Release{1, r.stamp(1), r.span(0, 99)}
		r.must(r.renew(1))
		return e
	}},
	{StaleIncarnation, "a release by an earlier start", func(r *rig) Entry {
		e := &Release{1, r.stamp(1), r.span(0, 99)}
		r.must(r.restart(1))
		return e
	}},
	{StaleEpoch, "a release of slots that were given away and back", func(r *rig) Entry {
		e := &Release{1, Stamp{1, 99}, r.span(0, 99)}
		r.must(r.assign(Force, 6, 0, 50))
		r.must(r.assign(Force, 1, 0, 50))
		return e
	}},
	{NotTheOwner, "a release of another's slots", func(r *rig) Entry { return &Release{1, r.stamp(1), r.span(99, 100)} }},
	{NotServed, "a second release", func(r *rig) Entry {
		r.must(&Release{1, r.stamp(1), r.span(0, 50)})
		return &Release{1, r.stamp(1), r.span(50, 99)}
	}},
	{NotServed, "a release of what an earlier start served", func(r *rig) Entry {
		r.must(r.restart(1))
		return &Release{1, r.stamp(1), r.span(0, 50)}
	}},
	{UnknownNode, "slots for a stranger", func(r *rig) Entry {
		return &Assign{How: Claim, To: 7, Incarnation: 1, Spans: r.span(300, 300)}
	}},
	{StaleIncarnation, "slots for an earlier start", func(r *rig) Entry { e := r.assign(Claim, 6, 300, 300); r.must(r.restart(6)); return e }},
	{IsReplica, "slots of nobody for a replica", func(r *rig) Entry { return r.assign(Claim, 3, 300, 300) }},
	{IsReplica, "slots for the replica of a third", func(r *rig) Entry { return r.assign(Force, 3, 100, 100) }},
	{SlotOwned, "a claim to slots of another", func(r *rig) Entry {
		return &Assign{How: Claim, To: 6, Incarnation: 1, Spans: r.span(99, 99)}
	}},
	{StaleEpoch, "a claim that came second", func(r *rig) Entry {
		e := r.assign(Claim, 1, 300, 310)
		r.must(r.assign(Claim, 6, 310, 320))
		return e
	}},
	{UnknownNode, "slots of a stranger", func(r *rig) Entry { e := r.assign(Force, 6, 0, 0); e.From = 7; return e }},
	{NotTheOwner, "slots of two owners", func(r *rig) Entry { return r.assign(Force, 6, 99, 100) }},
	{NotInSync, "promotion of one who may lack writes", func(r *rig) Entry { r.must(r.grow(3, 0, 98)); return r.assign(Promote, 3, 0, 99) }},
	{NotInSync, "promotion of one who was shrunk away", func(r *rig) Entry {
		r.must(r.grow(3, 0, 99))
		e := r.assign(Promote, 3, 0, 99)
		r.must(&Shrink{3, r.syncSpan(0, 99)})
		return e
	}},
	{NotInSync, "promotion of one who was started anew", func(r *rig) Entry {
		r.must(r.grow(3, 0, 99), r.restart(3))
		return r.assign(Promote, 3, 0, 99)
	}},
	{StillServed, "resuming what is served", func(r *rig) Entry { return r.assign(Resume, 1, 0, 99) }},
	{LeaseRunning, "taking slots whose lease was not waited out", func(r *rig) Entry {
		r.must(r.renew(1))
		e := r.assign(Force, 6, 0, 99)
		e.Waited = 0
		return e
	}},
	{LeaseRunning, "taking slots whose lease was renewed meanwhile", func(r *rig) Entry {
		r.must(r.renew(1))
		e := r.assign(Force, 6, 0, 99)
		r.must(r.renew(1))
		return e
	}},
	{LeaseRunning, "resuming while the earlier start may serve", func(r *rig) Entry {
		r.must(r.renew(1), r.restart(1))
		r.must(r.renew(1))
		e := r.assign(Resume, 1, 0, 99)
		e.Waited--
		return e
	}},
	{LeaseRunning, "leaving slots to nobody while their owner may serve", func(r *rig) Entry {
		r.must(r.renew(1))
		return &Unassign{1, 0, r.span(0, 99)}
	}},
	{UnknownRenewal, "a wait for a lease that never was", func(r *rig) Entry {
		r.must(r.renew(1))
		e := r.assign(Force, 6, 0, 99)
		e.Waited++
		return e
	}},
	{StaleEpoch, "leaving slots to nobody that are another's now", func(r *rig) Entry {
		e := &Unassign{1, 0, r.span(0, 99)}
		r.must(r.assign(Force, 6, 0, 99))
		return e
	}},
	{NotTheOwner, "leaving another's slots to nobody", func(r *rig) Entry { return &Unassign{1, 0, r.span(100, 100)} }},
	{UnknownNode, "leaving a stranger's slots to nobody", func(r *rig) Entry { return &Unassign{7, 0, r.span(100, 100)} }},
	{UnknownNode, "a stranger in sync", func(r *rig) Entry { return &Grow{7, 1, r.syncSpan(0, 9)} }},
	{StaleIncarnation, "in sync in an earlier start", func(r *rig) Entry { e := r.grow(3, 0, 9); r.must(r.restart(3)); return e }},
	{StaleEpoch, "in sync with an earlier owner", func(r *rig) Entry { e := r.grow(3, 0, 9); r.must(r.assign(Force, 6, 9, 9)); return e }},
	{StaleVersion, "in sync with a set that changed", func(r *rig) Entry { e := r.grow(3, 0, 9); r.must(r.grow(4, 0, 9)); return e }},
	{StaleVersion, "in sync after the owner gave up waiting", func(r *rig) Entry {
		e := r.grow(3, 0, 9)
		r.must(&Shrink{3, r.syncSpan(0, 9)})
		return e
	}},
	{NotItsReplica, "in sync with another's slots", func(r *rig) Entry { return r.grow(3, 100, 100) }},
	{NotItsReplica, "in sync with slots of nobody", func(r *rig) Entry { return r.grow(6, 300, 300) }},
	{AlreadyInSync, "in sync twice", func(r *rig) Entry { r.must(r.grow(3, 0, 9)); return r.grow(3, 0, 9) }},
	{TooManyInSync, "one more in sync than the most", func(r *rig) Entry {
		for n := 7; n < 7+MaxInSync; n++ {
			r.must(join(n), &SetRole{slots.Node(n), 1})
			r.must(r.grow(slots.Node(n), 0, 9))
		}
		return r.grow(3, 0, 9)
	}},
	{UnknownNode, "a stranger out of sync", func(r *rig) Entry { return &Shrink{7, r.syncSpan(0, 9)} }},
	{StaleVersion, "out of a set that changed", func(r *rig) Entry {
		e := &Shrink{3, r.syncSpan(0, 9)}
		r.must(r.grow(4, 5, 5))
		return e
	}},
	{StaleEpoch, "out of an earlier owner's set", func(r *rig) Entry {
		e := &Shrink{3, r.syncSpan(0, 9)}
		r.must(r.assign(Force, 6, 9, 9))
		return e
	}},
	{SlotUnowned, "out of the set of nobody", func(r *rig) Entry { return &Shrink{3, r.syncSpan(300, 300)} }},
	{UnknownNode, "migration to a stranger", func(r *rig) Entry { return &BeginMigration{7, 1, r.span(0, 9)} }},
	{StaleIncarnation, "migration to an earlier start", func(r *rig) Entry { e := r.begin(6, 0, 9); r.must(r.restart(6)); return e }},
	{IsReplica, "migration to a replica", func(r *rig) Entry { return r.begin(3, 0, 9) }},
	{SlotUnowned, "migration from nobody", func(r *rig) Entry { return r.begin(6, 300, 300) }},
	{AlreadyThere, "migration to the owner", func(r *rig) Entry { return r.begin(1, 0, 9) }},
	{Migrating, "a second destination", func(r *rig) Entry { r.must(r.begin(6, 0, 9)); return r.begin(2, 9, 20) }},
	{NotServed, "migration of what was released", func(r *rig) Entry {
		r.must(&Release{1, r.stamp(1), r.span(0, 9)})
		return r.begin(6, 9, 20)
	}},
	{NotServed, "migration by a new start", func(r *rig) Entry { r.must(r.restart(1)); return r.begin(6, 9, 20) }},
	{StaleEpoch, "migration of another's slots", func(r *rig) Entry {
		e := r.begin(6, 0, 9)
		r.must(r.assign(Force, 2, 0, 9))
		return e
	}},
	{StaleMove, "cancelling twice", func(r *rig) Entry {
		move := r.must(r.begin(6, 0, 9))
		r.must(&CancelMigration{[]MoveSpan{{at(0, 9), move}}})
		return &CancelMigration{[]MoveSpan{{at(0, 9), move}}}
	}},
	{StaleMove, "cancelling the next migration", func(r *rig) Entry {
		move := r.must(r.begin(6, 0, 9))
		r.must(&CancelMigration{[]MoveSpan{{at(0, 9), move}}})
		r.must(r.begin(6, 0, 9))
		return &CancelMigration{[]MoveSpan{{at(0, 9), move}}}
	}},
	{StaleMove, "flipping after the cancellation", func(r *rig) Entry {
		r.must(r.begin(6, 0, 9))
		e := r.flip(9)
		r.must(&CancelMigration{[]MoveSpan{{at(9, 9), e.Move}}})
		return e
	}},
	{StaleMove, "flipping the next migration", func(r *rig) Entry {
		r.must(r.begin(6, 0, 9))
		e := r.flip(9)
		r.must(&CancelMigration{[]MoveSpan{{at(9, 9), e.Move}}})
		r.must(r.begin(2, 9, 9))
		return e
	}},
	{StaleMove, "flipping to a destination that was started anew", func(r *rig) Entry {
		r.must(r.begin(6, 0, 9))
		e := r.flip(9)
		r.must(r.restart(6))
		return e
	}},
	{StaleEpoch, "flipping what was assigned meanwhile", func(r *rig) Entry {
		r.must(r.begin(6, 0, 9))
		e := r.flip(9)
		r.must(r.assign(Force, 2, 9, 9))
		return e
	}},
	{StaleEpoch, "flipping twice", func(r *rig) Entry { r.must(r.begin(6, 0, 9)); e := r.flip(9); r.must(e); return e }},
	{UnknownNode, "flipping with a stranger in sync", func(r *rig) Entry { r.must(r.begin(2, 0, 9)); return r.flip(9, Synced{7, 1}) }},
	{StaleIncarnation, "flipping with one in sync that was started anew", func(r *rig) Entry {
		r.must(r.begin(2, 0, 9), r.restart(5))
		return r.flip(9, Synced{5, 1})
	}},
	{NotItsReplica, "flipping with the source's replica in sync", func(r *rig) Entry { r.must(r.begin(2, 0, 9)); return r.flip(9, Synced{3, 1}) }},
}

func TestRefusals(t *testing.T) {
	covered := [reasons]bool{
		// Below, in tests of their own: they are not about a formed cluster.
		Accepted: true, NotFormed: true, UnknownVersion: true, UnknownKind: true, Malformed: true,
	}
	for _, row := range refusals {
		t.Run(row.why.String()+"/"+row.case_, func(t *testing.T) {
			r := newRig(t)
			r.refused(row.why, row.entry(r))
		})
		covered[row.why] = true
	}
	for why, ok := range covered {
		if name := Reason(why).String(); !ok || name == "" {
			t.Errorf("reason %d, %s, has no row", why, name)
		}
	}
}

func TestRefusedBeforeTheClusterIsFormed(t *testing.T) {
	for _, e := range []Entry{join(1), &Forget{1}, &Barrier{1, 1}, &Renew{[]Request{{1, Stamp{1, 1}}}}} {
		r := &rig{tester: t}
		r.refused(NotFormed, e)
	}
}

func TestRefusedTopologies(t *testing.T) {
	for _, row := range []struct {
		why  Reason
		form *Form
	}{
		{KnownNode, &Form{[]Founder{founder(1, Voter, 0), founder(1, Voter, 0)}}},
		{AddressTaken, &Form{[]Founder{founder(1, Voter, 0), {ID: idOf(2), Address: addressOf(1), Speaks: 1}}}},
		{LastVoter, &Form{[]Founder{founder(1, Learner, 0)}}},
		{SlotOwned, &Form{[]Founder{founder(1, Voter, 0, at(1, 9)), founder(2, Voter, 0, at(9, 12))}}},
		{UnknownNode, &Form{[]Founder{founder(1, Voter, 2)}}},
		{ReplicatesItself, &Form{[]Founder{founder(1, Voter, 1)}}},
		{IsReplica, &Form{[]Founder{founder(1, Voter, 2), founder(2, Voter, 1)}}},
		{OwnsSlots, &Form{[]Founder{founder(1, Voter, 2, at(1, 9)), founder(2, Voter, 0)}}},
		{HasReplicas, &Form{[]Founder{founder(1, Voter, 2), founder(2, Voter, 3), founder(3, Voter, 0)}}},
	} {
		r := &rig{tester: t}
		r.refused(row.why, row.form)
		if r.Formed() {
			t.Errorf("%v: formed all the same", row.why)
		}
	}
}
