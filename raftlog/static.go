package raftlog

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// Static is the control plane of a node whose cluster is what its configuration
// says. Nothing is decided and nothing moves: every node that has the same list
// knows the same owners, and a node that is down is waited for.
type Static struct {
	id      state.ID
	address state.Address
	view    *View
}

// errStatic is why nothing can be decided.
var errStatic = errors.New("raftlog: the cluster is static: cluster-topology says who owns which slots")

// StaticID is the id of the node with a bus at an address: all nodes have to
// come to the same.
func StaticID(bus string) state.ID { return sha1.Sum([]byte("ironcache static " + bus)) }

// NewStatic makes the control plane of one of the nodes of a list. Ids are those
// of StaticID.
func NewStatic(self *state.Address, nodes []state.Founder) (*Static, error) {
	form := state.Form{Founders: nodes}
	for i := range form.Founders {
		f := &form.Founders[i]
		f.ID, f.Speaks, f.Suffrage = StaticID(busOf(&f.Address)), state.NewestVersion, state.Voter
	}
	data, err := state.Encode(&form)
	if err != nil {
		return nil, fmt.Errorf("raftlog: a static cluster: %w", err)
	}
	v := &View{Index: 1, Until: math.MaxInt64, fixed: true}
	outcome, err := v.State.Apply(v.Index, data)
	if err == nil && outcome.Refused() {
		err = errors.New(outcome.Sentence)
	}
	if err != nil {
		return nil, fmt.Errorf("raftlog: a static cluster: %w", err)
	}
	p := &Static{id: StaticID(busOf(self)), address: *self, view: v}
	m := v.State.ByID(p.id)
	if m == nil {
		return nil, fmt.Errorf("raftlog: a static cluster: this node, with its bus at %s, is not among its nodes", busOf(self))
	}
	v.Map, v.Self = v.State.Map(), m.Number
	return p, nil
}

// View is what the configuration says.
func (p *Static) View() *View { return p.view }

// Notify has nothing to do: there is never another View.
func (*Static) Notify(func()) {}

// Await tells whether something holds, now and for ever.
func (p *Static) Await(holds func(*View) bool, _ time.Duration) bool { return holds(p.view) }

// Go runs work on a goroutine of its own.
func (*Static) Go(work func()) { go work() }

// ID is the node's name.
func (p *Static) ID() state.ID { return p.id }

// Address is where the node is found.
func (p *Static) Address() state.Address { return p.address }

// Leader is nobody.
func (*Static) Leader() string { return "" }

// Voters are none.
func (*Static) Voters() int { return 0 }

// Ailing is nil: there is nothing to be written.
func (*Static) Ailing() error { return nil }

// Links are none: nodes of a static cluster have nothing to say to one another.
func (*Static) Links() []Link { return nil }

// Propose fails.
func (*Static) Propose(state.Entry, time.Duration) (state.Outcome, error) {
	return state.Outcome{}, errStatic
}

// Release fails.
func (*Static) Release([]state.Span, time.Duration) (state.Outcome, error) {
	return state.Outcome{}, errStatic
}

// Forget fails.
func (*Static) Forget(slots.Node, state.ID, time.Duration) (state.Outcome, error) {
	return state.Outcome{}, errStatic
}

// Unseat fails.
func (*Static) Unseat(state.ID, time.Duration) error { return errStatic }

// Seated is nobody.
func (*Static) Seated(state.ID) bool { return false }

// Flip fails.
func (*Static) Flip(uint16, uint64, time.Duration) error { return errStatic }

// Yield fails.
func (*Static) Yield(uint16, uint64, time.Duration) error { return errStatic }

// OnYield has nothing to do: nothing migrates.
func (*Static) OnYield(func(uint16, uint64) error) {}

// Meet fails.
func (*Static) Meet(string) error { return errStatic }

// Claim fails.
func (*Static) Claim([]slots.Range) error { return errStatic }

// Unclaim fails.
func (*Static) Unclaim([]slots.Range) error { return errStatic }

// Unbind fails.
func (*Static) Unbind() error { return errStatic }

// FormAlone fails.
func (*Static) FormAlone() error { return errStatic }

// Close has nothing to do.
func (*Static) Close() error { return nil }
