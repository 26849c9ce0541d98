package raftlog

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// Lines of the bus.
const (
	lineRaft  bus.Line = 'r' // hashicorp/raft's own transport
	lineCalls bus.Line = 'c' // one call and its answer
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
)

// mostCall bounds the bytes of a call or answer.
const mostCall = 2 << 20

// hello says who asks.
type hello struct{ From state.ID }

// greeting is the answer to callHello, and what callJoin says of the caller.
type greeting struct {
	Founder state.Founder // with the claims of a node without a cluster
	Raft    bool          // it has a part in a Raft group, formed or not
	Formed  bool
	Cluster state.ID // once it is formed
	Member  bool     // of that cluster, as far as it knows
	Knows   bool     // the other as a member
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
	callHello: func(p *Plane, body []byte) (any, error) {
		var ask hello
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return p.greeting(ask.From), nil
	},
	callCourt: func(p *Plane, body []byte) (any, error) {
		var ask plea
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return consent{p.promise(ask), p.greeting(ask.Cluster)}, nil
	},
	callPropose: func(p *Plane, body []byte) (any, error) {
		var ask proposal
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return p.decide(ask), nil
	},
	callRenew: func(p *Plane, body []byte) (any, error) {
		var ask renewal
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		if !p.raftIsLeader() {
			return nil, errNotLeader
		}
		p.leading.take(ask)
		return struct{}{}, nil
	},
	callJoin: func(p *Plane, body []byte) (any, error) {
		var from greeting
		if err := json.Unmarshal(body, &from); err != nil {
			return nil, err
		}
		return p.joinOf(&from)
	},
	callYield: func(p *Plane, body []byte) (any, error) {
		var ask yielding
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return struct{}{}, p.yields(ask)
	},
}

var (
	errNotLeader = errors.New("this node does not lead")
	errNotSent   = errors.New("raftlog: not asked") // nobody has seen the call
)

// call asks another node and waits for its answer.
func (p *Plane) call(to string, kind callKind, ask, answer any, patience time.Duration) error {
	conn, err := p.bus.Dial(lineCalls, to, patience)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotSent, err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	body, err := json.Marshal(ask)
	if err != nil {
		return fmt.Errorf("raftlog: call %c: %w", kind, err)
	}
	if err := writeFrame(conn, byte(kind), body); err != nil {
		return fmt.Errorf("raftlog: call %s: %w", to, err)
	}
	ok, text, err := readFrame(conn)
	switch {
	case err != nil:
		return fmt.Errorf("raftlog: call %s: %w", to, err)
	case ok != answered:
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

// writeFrame writes a head, a length and bytes.
func writeFrame(to io.Writer, head byte, body []byte) error {
	frame := append([]byte{head, 0, 0, 0, 0}, body...)
	binary.BigEndian.PutUint32(frame[1:], uint32(len(body)))
	_, err := to.Write(frame)
	return err
}

func readFrame(from io.Reader) (head byte, body []byte, err error) {
	var start [5]byte
	if _, err = io.ReadFull(from, start[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(start[1:])
	if size > mostCall {
		return 0, nil, fmt.Errorf("a frame of %d bytes, of %d at most", size, mostCall)
	}
	body = make([]byte, size)
	_, err = io.ReadFull(from, body)
	return start[0], body, err
}

// serveCalls answers the calls of other nodes.
func (p *Plane) serveCalls(from net.Listener) {
	defer p.running.Done()
	for {
		conn, err := from.Accept()
		if err != nil {
			return
		}
		go p.answer(conn)
	}
}

// callTime bounds one call on the side that answers.
const callTime = 10 * time.Second

func (p *Plane) answer(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(callTime))
	kind, body, err := readFrame(conn)
	if err != nil {
		return
	}
	give := answers[callKind(kind)]
	if give == nil {
		_ = writeFrame(conn, failed, fmt.Appendf(nil, "there is no call %q", kind))
		return
	}
	answer, err := give(p, body)
	if err != nil {
		_ = writeFrame(conn, failed, []byte(err.Error()))
		return
	}
	text, err := json.Marshal(answer)
	if err != nil {
		p.log.Error("raftlog: an answer cannot be written", "call", string(kind), "err", err)
		return
	}
	_ = writeFrame(conn, answered, text)
}
