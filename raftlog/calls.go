package raftlog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// Lines of the bus.
const (
	lineRaft  bus.Line = 'r' // hashicorp/raft's own transport
	lineCalls bus.Line = 'c' // calls and their answers, one after the other
)

// callKind says what a call asks for.
type callKind byte

const (
	callHello   callKind = 'h' // who are you
	callPropose callKind = 'p' // an entry for the log, of the leader
	callRenew   callKind = 'r' // the renewal of a lease, of the leader
	callJoin    callKind = 'j' // let the caller join your cluster
	callCourt   callKind = 'o' // promise to come into a cluster
	callYield   callKind = 'y' // of a slot's owner: hand the slot over
	callKnock   callKind = 'k' // are you there; nothing is sent with it
	callUnseat  callKind = 'u' // of the leader: have a node that was forgotten out of the Raft group
)

// mostCall bounds the bytes of a call or answer.
const mostCall = 2 << 20

// hello says who asks, and by which number it takes itself for a member, if for one.
type hello struct {
	From state.ID
	As   slots.Node
}

// greeting is the answer to callHello, and what callJoin says of the caller.
type greeting struct {
	Founder state.Founder // with the claims of a node without a cluster
	Raft    bool          // it has a part in a Raft group, formed or not
	Formed  bool
	Cluster state.ID // once it is formed
	Member  bool     // of that cluster, as far as it knows
	Knows   bool     // the other as a member
	Left    bool     // the other is no member any more by the number that it said, of callHello
}

// proposal is an entry for the leader.
type proposal struct {
	Entry    []byte
	Patience time.Duration
}

// verdict is what became of it.
type verdict struct {
	Reason state.Reason
	Text   string
	Index  uint64
	Err    string // the outcome is not known, or there is none
	Never  bool   // with Err: it is certain that the entry will not be applied
}

// renewal is a request for a lease, with how far the node has applied the log.
type renewal struct {
	Node    slots.Node
	By      state.Stamp
	Applied uint64
}

// answers has a function for each kind of call.
var answers = map[callKind]func(p *Plane, body []byte) (any, error){
	callHello: answering(func(p *Plane, ask hello) (any, error) {
		answer := p.greeting(ask.From)
		answer.Left = answer.Formed && p.View().State.Removed(ask.As)
		return answer, nil
	}),
	callCourt: answering(func(p *Plane, ask plea) (any, error) {
		return consent{p.promise(ask), p.greeting(ask.Cluster)}, nil
	}),
	callPropose: answering(func(p *Plane, ask proposal) (any, error) {
		return p.decide(ask), nil
	}),
	callRenew: answering(func(p *Plane, ask renewal) (any, error) {
		if !p.raftIsLeader() {
			return nil, errNotLeader
		}
		p.leading.take(ask)
		return struct{}{}, nil
	}),
	callJoin:  answering((*Plane).joinOf),
	callYield: answering(func(p *Plane, ask yielding) (any, error) { return struct{}{}, p.yields(ask) }),
	callKnock: func(*Plane, []byte) (any, error) { return struct{}{}, nil },
	callUnseat: answering(func(p *Plane, ask expulsion) (any, error) {
		if !p.raftIsLeader() {
			return nil, errNotLeader
		}
		return struct{}{}, p.expel(ask.Node, 4*p.options.Election)
	}),
}

// answering reads what a call asks for out of its body.
func answering[T any](give func(p *Plane, ask T) (any, error)) func(p *Plane, body []byte) (any, error) {
	return func(p *Plane, body []byte) (any, error) {
		var ask T
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return give(p, ask)
	}
}

var (
	errNotLeader = errors.New("this node does not lead")
	errNotSent   = errors.New("raftlog: not asked") // nobody has seen the call
)

// call asks another node and waits for its answer. Over a connection that is kept a
// call goes once, as over a new one.
func (p *Plane) call(to string, kind callKind, ask, answer any, patience time.Duration) error {
	by := time.Now().Add(patience)
	body, err := json.Marshal(ask)
	if err != nil {
		return fmt.Errorf("%w: call %c: %w", errNotSent, kind, err)
	}
	t, err := p.reach(to, by)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotSent, err)
	}
	head, text, err := t.exchange(kind, body, by)
	if err != nil {
		t.Close()
		return fmt.Errorf("raftlog: call %s: %w", to, err)
	}
	p.kept.put(to, t)
	switch {
	case head == failed:
		return fmt.Errorf("raftlog: %s says: %s", to, text)
	case answer == nil:
		return nil
	}
	return json.Unmarshal(text, answer)
}

// Heads of an answer.
const (
	answered = '+'
	failed   = '-'
)

// frame is a call or an answer: a head, the number of the call on its connection, from 1,
// and the length of a body, before the body.
type frame struct {
	head byte
	call uint32
	body []byte
}

const frameStart = 9 // bytes before the body

func writeFrame(to io.Writer, f frame) error {
	text := append([]byte{f.head}, make([]byte, frameStart-1)...)
	binary.BigEndian.PutUint32(text[1:], f.call)
	binary.BigEndian.PutUint32(text[5:], uint32(len(f.body)))
	_, err := to.Write(append(text, f.body...))
	return err
}

func readFrame(from io.Reader) (f frame, err error) {
	var start [frameStart]byte
	if _, err = io.ReadFull(from, start[:]); err != nil {
		return f, err
	}
	f.head, f.call = start[0], binary.BigEndian.Uint32(start[1:])
	size := binary.BigEndian.Uint32(start[5:])
	if size > mostCall {
		return f, fmt.Errorf("a frame of %d bytes, of %d at most", size, mostCall)
	}
	var body bytes.Buffer // that grows with what has come, not with what was promised
	if _, err = io.CopyN(&body, from, int64(size)); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	f.body = body.Bytes()
	return f, err
}
