package bus

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// The greeting. The one that dials speaks first; proofs are HMAC-SHA256 with
// the cluster's secret over who proves and all that was said before, so that a
// proof is good for one connection and one side:
//
//	dialler   magic, line, its id, its cluster's, the id that it wants, nonce D
//	listener  magic, its id, nonce L, HMAC("listener", ...)
//	dialler   HMAC("dialler", ...)
//	listener  one byte: accepted
//
// The listener proves itself first: a dialler does not tell its proof to a
// stranger. Without a secret the proofs are made with an empty one. Both sides end
// it where the dialler wants a node by its id and another is there: a node that
// lost its disk comes back as another, and must not vote, or promise anything else,
// in the place of the one that it was.
const magic = "ICBUS\x00\x01\n"

const (
	idSize     = len(ID{})
	nonceSize  = 16
	helloSize  = len(magic) + 1 + 3*idSize + nonceSize
	answerSize = len(magic) + idSize + nonceSize
	proofSize  = sha256.Size
	accepted   = 'Y'
)

// greetingTime is how long a greeting may take on the side that listens.
const greetingTime = 3 * time.Second

// Errors of the greeting.
var (
	ErrStranger = errors.New("the other side does not speak this protocol")
	ErrSecret   = errors.New("the other side does not know the cluster's secret: cluster-secret must be the same on all nodes")
	ErrOther    = errors.New("another node is at that address")
)

// nonces draws what makes each proof good for one connection only.
type nonces struct {
	mu   sync.Mutex
	rand env.Rand
}

func newNonces(r env.Rand) *nonces { return &nonces{rand: r} }

func (n *nonces) next() (b [nonceSize]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	binary.LittleEndian.PutUint64(b[:], n.rand.Uint64())
	binary.LittleEndian.PutUint64(b[8:], n.rand.Uint64())
	return b
}

// proof is what a side shows.
func (b *Bus) proof(side string, hello, answer []byte) []byte {
	h := hmac.New(sha256.New, b.secret)
	fmt.Fprintf(h, "%s\x00%s%s", side, hello, answer)
	return h.Sum(nil)
}

// answerGreeting is the listener's part. It gives the line that is asked for.
func (b *Bus) answerGreeting(c *Conn) (Line, error) {
	c.SetDeadline(time.Now().Add(greetingTime))
	hello := make([]byte, helloSize)
	if _, err := io.ReadFull(c, hello); err != nil {
		return 0, err
	}
	if string(hello[:len(magic)]) != magic {
		return 0, ErrStranger
	}
	name, ids := Line(hello[len(magic)]), hello[len(magic)+1:]
	cluster := ID(ids[idSize : 2*idSize])
	c.met(name, ID(ids[:idSize]), ID(ids[2*idSize:3*idSize]))
	nonce := b.nonces.next()
	answer := slices.Concat([]byte(magic), b.id[:], nonce[:])
	if _, err := c.Write(append(answer, b.proof("listener", hello, answer)...)); err != nil {
		return 0, err
	}
	var shown [proofSize]byte
	if _, err := io.ReadFull(c, shown[:]); err != nil {
		return 0, err
	}
	switch {
	case !hmac.Equal(shown[:], b.proof("dialler", hello, answer)):
		return 0, ErrSecret
	case c.wanted != ID{} && c.wanted != b.id:
		return 0, ErrOther
	}
	if err := b.serves(name); err != nil {
		return 0, err
	}
	if err := b.admit(name, cluster); err != nil {
		return 0, err
	}
	c.prove()
	_, err := c.Write([]byte{accepted})
	return name, err
}

// met notes for what line the connection is, who is at the other end, and who was wanted
// at the listener's.
func (c *Conn) met(line Line, peer, wanted ID) {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	c.line, c.peer, c.wanted = line, peer, wanted
}

// prove ends the greeting.
func (c *Conn) prove() {
	c.setDeadlines(func() {
		c.proven, c.readBy, c.writeBy = true, time.Time{}, time.Time{}
		c.bus.unproven.remove(c)
	})
}

// serves tells that somebody takes the connections of a line.
func (b *Bus) serves(name Line) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.lines[name]; l == nil || l.closed {
		return fmt.Errorf("nobody serves line %q", name)
	}
	return nil
}

// offerGreeting is the dialler's part.
func (b *Bus) offerGreeting(c *Conn, name Line, by time.Time) error {
	c.SetDeadline(by)
	nonce, cluster := b.nonces.next(), b.from()
	hello := slices.Concat([]byte(magic), []byte{byte(name)}, b.id[:], cluster[:], c.wanted[:], nonce[:])
	if _, err := c.Write(hello); err != nil {
		return err
	}
	reply := make([]byte, answerSize+proofSize)
	if _, err := io.ReadFull(c, reply); err != nil {
		return err
	}
	answer, shown := reply[:answerSize], reply[answerSize:]
	if string(answer[:len(magic)]) != magic {
		return ErrStranger
	}
	c.met(name, ID(answer[len(magic):][:idSize]), c.wanted)
	if !hmac.Equal(shown, b.proof("listener", hello, answer)) {
		return ErrSecret
	}
	if _, err := c.Write(b.proof("dialler", hello, answer)); err != nil {
		return err
	}
	if c.wanted != (ID{}) && c.wanted != c.peer { // by now it knows whom it is taken for, and by whom
		return fmt.Errorf("%w: %x", ErrOther, c.peer)
	}
	var verdict [1]byte
	if _, err := io.ReadFull(c, verdict[:]); err != nil {
		return fmt.Errorf("the other side turned the connection away: %w", err)
	}
	c.prove()
	return nil
}
