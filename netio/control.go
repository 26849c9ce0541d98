package netio

import (
	"time"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// ControlPlane is what decides for a node of a cluster which slots are its own.
// Every method but View, ID, Address, Leader, Voters, Seated, Ailing and Links may wait; the loops
// call those by way of Go only.
type ControlPlane interface {
	// View is what is decided, as far as the node knows. Any thread may ask.
	View() *raftlog.View
	// Notify has a function called whenever there is a new View.
	Notify(changed func())
	// Await waits until something holds of the View, and reports false if that did
	// not come in time.
	Await(holds func(*raftlog.View) bool, patience time.Duration) bool
	// Go runs work on a thread of its own.
	Go(work func())
	// ID is the node's name, which it keeps.
	ID() state.ID
	// Address is where the node is found.
	Address() state.Address
	// Leader is the id of the node that leads, as far as is known here.
	Leader() string
	// Voters is how many nodes decide, as far as is known here.
	Voters() int
	// Ailing is for what the node's disk does not take what is decided; nil if it does.
	Ailing() error
	// Links lists the connections with other nodes.
	Links() []raftlog.Link
	// Propose has an entry decided and waits until it is applied here.
	Propose(e state.Entry, patience time.Duration) (state.Outcome, error)
	// Forget ends the membership of a node, which may be this one, and waits until
	// the node is out of the group that decides. Unseat waits for the latter alone.
	Forget(n slots.Node, id state.ID, patience time.Duration) (state.Outcome, error)
	Unseat(id state.ID, patience time.Duration) error
	// Seated tells whether a node is in that group, as far as is known here.
	Seated(id state.ID) bool
	// Release gives up slots that the node has stopped to serve, and waits
	// until it is known whether it has.
	Release(spans []state.Span, patience time.Duration) (state.Outcome, error)
	// Flip hands a slot over that migrates and that the node has stopped to serve,
	// and waits until it is known whether it has.
	Flip(slot uint16, move uint64, patience time.Duration) error
	// Yield has the owner of a slot that migrates to this node hand it over.
	Yield(slot uint16, move uint64, patience time.Duration) error
	// OnYield sets what hands a slot over when its migration's destination asks.
	OnYield(do func(slot uint16, move uint64) error)
	// Meet brings the node with that bus and this one into one cluster.
	Meet(bus string) error
	// Claim keeps slots for the node until it is in a cluster, and Unclaim gives
	// some back. The View has what is kept.
	Claim(ranges []slots.Range) error
	Unclaim(ranges []slots.Range) error
	// Unbind undoes that the node has agreed to come into a cluster in which it took
	// no part.
	Unbind() error
	// FormAlone makes a cluster of this node and what it claims.
	FormAlone() error
}

var _, _ ControlPlane = (*raftlog.Plane)(nil), (*raftlog.Static)(nil)
