package state

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/elares/ironcache/sim/invariant"
	"github.com/elares/ironcache/slots"
)

func TestMain(m *testing.M) {
	invariant.Deep = true
	os.Exit(m.Run())
}

type tester interface {
	Helper()
	Fatalf(string, ...any)
}

// rig is a State with what a log would give it.
type rig struct {
	tester
	State
	index uint64
	log   [][]byte // by index, from 1; nil where the test skipped indices
}

// do applies an entry at the next index, by way of its bytes.
func (r *rig) do(e Entry) Outcome {
	r.Helper()
	data, err := Encode(e)
	if err != nil {
		r.Fatalf("%v", err)
	}
	back, err := Decode(data)
	if err != nil || !reflect.DeepEqual(back, e) {
		r.Fatalf("%#v came back as %#v: %v", e, back, err)
	}
	return r.apply(data)
}

func (r *rig) apply(data []byte) Outcome {
	r.Helper()
	before := r.Snapshot()
	r.index++
	r.log = append(r.log, data)
	o, err := r.State.Apply(r.index, data)
	if err != nil {
		r.Fatalf("entry %d: %v", r.index, err)
	}
	if o.Refused() != (o.Sentence != "") || o.Reason >= reasons {
		r.Fatalf("entry %d: outcome %#v", r.index, o)
	}
	if changed := !bytes.Equal(before, r.Snapshot()); changed == o.Refused() {
		r.Fatalf("entry %d: %v, changed the state: %v", r.index, o, changed)
	}
	return o
}

// must applies entries that are to be accepted, and tells the last one's index.
func (r *rig) must(entries ...Entry) uint64 {
	r.Helper()
	for _, e := range entries {
		if o := r.do(e); o.Refused() {
			r.Fatalf("%v %+v: %v", KindOf(e), e, o)
		}
	}
	return r.index
}

// refused applies an entry that is to be refused.
func (r *rig) refused(want Reason, e Entry) {
	r.Helper()
	if o := r.do(e); o.Reason != want {
		r.Fatalf("%v %+v: %v, want %v", KindOf(e), e, o, want)
	}
}

func (r *rig) slot(slot uint16) slots.Slot { return r.Map().At(slot) }

// span is the slots from first to last as they are now; all have one epoch.
func (r *rig) span(first, last uint16) []Span {
	return []Span{{slots.Range{First: first, Last: last}, r.Map().Epoch(first)}}
}

func (r *rig) syncSpan(first, last uint16) []SyncSpan {
	at := r.slot(first)
	return []SyncSpan{{r.span(first, last)[0], at.Version()}}
}

// stamp is that of the next request of a node.
func (r *rig) stamp(n slots.Node) Stamp {
	s := r.Member(n).Stamp
	return Stamp{s.Incarnation, s.Sequence + 1}
}

func (r *rig) renew(nodes ...slots.Node) *Renew {
	e := new(Renew)
	for _, n := range nodes {
		e.Requests = append(e.Requests, Request{n, r.stamp(n)})
	}
	return e
}

// assign takes slots of one owner with all that is right now.
func (r *rig) assign(how How, to slots.Node, first, last uint16) *Assign {
	from := r.Map().Owner(first)
	e := &Assign{How: how, To: to, Incarnation: r.Member(to).Stamp.Incarnation, From: from, Spans: r.span(first, last)}
	e.Waited = r.waited(first, last)
	return e
}

func (r *rig) waited(first, last uint16) (waited uint64) {
	for slot := first; slot <= last; slot++ {
		waited = max(waited, r.Backing(slot))
	}
	return waited
}

func (r *rig) restart(n slots.Node) *Announce {
	m := r.Member(n)
	return &Announce{n, Stamp{m.Stamp.Incarnation + 1, 0}, m.Speaks, m.Address}
}

func (r *rig) grow(n slots.Node, first, last uint16) *Grow {
	return &Grow{n, r.Member(n).Stamp.Incarnation, r.syncSpan(first, last)}
}

func (r *rig) begin(to slots.Node, first, last uint16) *BeginMigration {
	return &BeginMigration{to, r.Member(to).Stamp.Incarnation, r.span(first, last)}
}

func (r *rig) flip(slot uint16, inSync ...Synced) *Flip {
	at := r.slot(slot)
	return &Flip{Slot: slot, Epoch: at.Epoch, Move: at.Move, Offset: 77, InSync: inSync}
}

func idOf(n int) (id ID) {
	id[0], id[19] = byte(n>>8)+1, byte(n)
	return id
}

func addressOf(n int) Address {
	return Address{Host: fmt.Sprintf("10.0.%d.%d", n>>8, n&255), Port: 6379, BusPort: 16379, ReplicationPort: 26379}
}

func founder(n int, suffrage Suffrage, of slots.Node, owns ...slots.Range) Founder {
	return Founder{ID: idOf(n), Address: addressOf(n), Incarnation: 1, Speaks: 1, Suffrage: suffrage, Of: of, Owns: owns}
}

// topology has owners 1 and 2 with slots, replicas 3 and 4 of the first and 5 of
// the second, and 6 without slots. Members 1 to 3 vote.
func topology() *Form {
	return &Form{[]Founder{
		founder(1, Voter, slots.None, slots.Range{First: 0, Last: 99}, slots.Range{First: 16000, Last: 16383}),
		founder(2, Voter, slots.None, slots.Range{First: 100, Last: 299}),
		founder(3, Voter, 1),
		founder(4, Learner, 1),
		founder(5, Learner, 2),
		founder(6, Learner, slots.None),
	}}
}

func newRig(t tester) *rig {
	r := &rig{tester: t}
	r.must(topology())
	return r
}

func join(n int, claims ...slots.Range) *Join {
	return &Join{ID: idOf(n), Address: addressOf(n), Incarnation: 1, Speaks: 1, Claims: claims}
}

// Backing is what backs a process that serves a slot, see backing.
func (s *State) Backing(slot uint16) uint64 {
	at := s.Map().At(slot)
	return s.backing(&at)
}
