package state

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/elares/ironcache/slots"
)

// ID is the name of a node: 40 hexadecimal digits as text.
type ID [20]byte

// String is the 40 digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// ParseID reads 40 hexadecimal digits.
func ParseID(text string) (id ID, err error) {
	if len(text) != 2*len(id) {
		return id, fmt.Errorf("state: node id %q: it has %d digits, not %d", text, len(text), 2*len(id))
	}
	if _, err := hex.Decode(id[:], []byte(text)); err != nil {
		return id, fmt.Errorf("state: node id %q: %w", text, err)
	}
	return id, nil
}

// Endpoint is what a node wants to be called in replies to clients.
type Endpoint uint8

// Endpoints, as cluster-preferred-endpoint-type names them.
const (
	ByIP Endpoint = iota
	ByHostname
	ByNothing // "unknown-endpoint": clients reuse the address that they asked
	endpoints
)

// Flag is a bit of what a node says of itself.
type Flag uint8

// NoFailover keeps a replica from being promoted unless it is asked for by name.
const NoFailover Flag = 1

const allFlags = NoFailover

// Address is where a node is and how it wants to be shown.
type Address struct {
	Host            string // IP address, or name, that nodes reach it at
	Hostname        string // shown to clients; may be empty
	Port            uint16 // of clients
	BusPort         uint16
	ReplicationPort uint16
	Endpoint        Endpoint
	Flags           Flag
	ShardPorts      []uint16 // a port each core, if clients are to choose among cores
}

// MaxShardPorts is how many cores can have a port of their own.
const MaxShardPorts = 1024

func (a *Address) code(c *coder) {
	c.text("a host", &a.Host)
	c.text("a hostname", &a.Hostname)
	if !plain(a.Host) || !plain(a.Hostname) || a.Host == "" {
		c.fail("host %q or hostname %q is none", a.Host, a.Hostname)
	}
	port(c, &a.Port)
	port(c, &a.BusPort)
	port(c, &a.ReplicationPort)
	number(c, "an endpoint type", &a.Endpoint, 0, uint64(endpoints-1))
	number(c, "flags", &a.Flags, 0, uint64(allFlags))
	list(c, "shard ports", &a.ShardPorts, 0, MaxShardPorts, port)
}

func port(c *coder, p *uint16) { number(c, "a port", p, 1, math.MaxUint16) }

// plain tells whether a host has only what addresses and names consist of, so
// that it can stand in a line of CLUSTER NODES.
func plain(host string) bool {
	return strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%") == ""
}

// Suffrage says whether a member has a vote in the Raft group. It is what the
// state wants; the leader changes Raft's configuration to it.
type Suffrage uint8

// Suffrages.
const (
	Learner Suffrage = iota
	Voter
	suffrages
)

// Stamp orders the requests of one node: by incarnation, then by sequence.
type Stamp struct {
	Incarnation uint64 // rises with every start of the node; at least 1
	Sequence    uint64 // rises with every request of one incarnation
}

func (s *Stamp) code(c *coder) {
	number(c, "an incarnation", &s.Incarnation, 1, math.MaxUint64)
	any64(c, "a sequence", &s.Sequence)
}

// Renewal is a lease that an entry granted: [sending of request Sequence, + L].
type Renewal struct {
	Sequence uint64
	Index    uint64 // Raft index of the Renew; 0: none was committed
}

// Member is a node of the cluster. A published Member never changes.
type Member struct {
	Number  slots.Node
	ID      ID
	Address Address
	// Stamp is that of the last accepted request. Its incarnation is 0 until
	// the node has announced itself; no lease can be granted before.
	Stamp    Stamp
	Speaks   uint8 // highest version of entries that its program understands
	Suffrage Suffrage
	Of       slots.Node // whose replica it is; None for an owner, with or without slots
	Shard    uint64     // the same for an owner and its replicas, and kept through failovers
	Epoch    uint64     // Raft index of its last BumpEpoch; 0: none
	Renew    Renewal    // last of this incarnation
	Former   uint64     // Raft index of the last Renew of earlier incarnations; 0: none
}

func (m *Member) code(c *coder) {
	node(c, "a node number", &m.Number)
	c.raw("a node id", m.ID[:])
	m.Address.code(c)
	any64(c, "an incarnation", &m.Stamp.Incarnation)
	any64(c, "a sequence", &m.Stamp.Sequence)
	number(c, "the version a node speaks", &m.Speaks, 1, math.MaxUint8)
	number(c, "a suffrage", &m.Suffrage, 0, uint64(suffrages-1))
	maybeNode(c, "the owner of a replica", &m.Of)
	any64(c, "a shard", &m.Shard)
	any64(c, "a bumped epoch", &m.Epoch)
	any64(c, "the sequence of a renewal", &m.Renew.Sequence)
	any64(c, "the index of a renewal", &m.Renew.Index)
	any64(c, "the index of a former renewal", &m.Former)
}

// String is the id with the address.
func (m *Member) String() string {
	return fmt.Sprintf("%v (%s:%d)", m.ID, m.Address.Host, m.Address.Port)
}

// find is the place of a number among members in ascending order.
func find(members []*Member, n slots.Node) (at int, found bool) {
	return slices.BinarySearchFunc(members, n, func(m *Member, n slots.Node) int {
		return int(int64(m.Number) - int64(n))
	})
}
