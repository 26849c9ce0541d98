package bus

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// The greeting. The one that dials speaks first; proofs are HMAC-SHA256 with
// the cluster's secret over who proves, both nonces and the line, so that a
// proof is good for one connection and one side:
//
//	dialler   magic, line, nonce D
//	listener  magic, nonce L, HMAC("listener", D, L, line)
//	dialler   HMAC("dialler", D, L, line)
//	listener  one byte: accepted
//
// The listener proves itself first: a dialler does not tell its proof to a
// stranger. Without a secret the proofs are made with an empty one.
const magic = "ICBUS\x00\x01\n"

const (
	nonceSize = 16
	proofSize = sha256.Size
	accepted  = 'Y'
)

// greetingTime is how long a greeting may take on the side that listens.
const greetingTime = 3 * time.Second

// Errors of the greeting.
var (
	ErrStranger = errors.New("the other side does not speak this protocol")
	ErrSecret   = errors.New("the other side does not know the cluster's secret: cluster_secret must be the same on all nodes")
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
func (b *Bus) proof(side string, dialler, listener []byte, line Line) []byte {
	h := hmac.New(sha256.New, b.secret)
	fmt.Fprintf(h, "%s\x00%s%s%c", side, dialler, listener, line)
	return h.Sum(nil)
}

// answerGreeting is the listener's part. It gives the line that is asked for.
func (b *Bus) answerGreeting(c *Conn) (Line, error) {
	c.SetDeadline(time.Now().Add(greetingTime))
	var hello [len(magic) + 1 + nonceSize]byte
	if _, err := io.ReadFull(c, hello[:]); err != nil {
		return 0, err
	}
	if string(hello[:len(magic)]) != magic {
		return 0, ErrStranger
	}
	name, theirs, ours := Line(hello[len(magic)]), hello[len(magic)+1:], b.nonces.next()
	answer := append([]byte(magic), ours[:]...)
	answer = append(answer, b.proof("listener", theirs, ours[:], name)...)
	if _, err := c.Write(answer); err != nil {
		return 0, err
	}
	var shown [proofSize]byte
	if _, err := io.ReadFull(c, shown[:]); err != nil {
		return 0, err
	}
	if !hmac.Equal(shown[:], b.proof("dialler", theirs, ours[:], name)) {
		return 0, ErrSecret
	}
	if err := b.serves(name); err != nil {
		return 0, err
	}
	_, err := c.Write([]byte{accepted})
	c.SetDeadline(time.Time{})
	return name, err
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
	ours := b.nonces.next()
	hello := append(append([]byte(magic), byte(name)), ours[:]...)
	if _, err := c.Write(hello); err != nil {
		return err
	}
	var answer [len(magic) + nonceSize + proofSize]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		return err
	}
	if string(answer[:len(magic)]) != magic {
		return ErrStranger
	}
	theirs, shown := answer[len(magic):len(magic)+nonceSize], answer[len(magic)+nonceSize:]
	if !hmac.Equal(shown, b.proof("listener", ours[:], theirs, name)) {
		return ErrSecret
	}
	if _, err := c.Write(b.proof("dialler", ours[:], theirs, name)); err != nil {
		return err
	}
	var verdict [1]byte
	if _, err := io.ReadFull(c, verdict[:]); err != nil {
		return fmt.Errorf("the other side turned the connection away: %w", err)
	}
	c.SetDeadline(time.Time{})
	return nil
}
