package config

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// Values is one state of all options. A Values never changes once a Store has
// published it, so any thread may hold and read one; a change publishes
// another. The comment of a field tells its unit; bounds stand in the table.
type Values struct {
	// Network
	Bind           []string // addresses; "*" is every IPv4 and "::*" every IPv6 address; "-" in front: skip it when the machine lacks it
	Port           int64    // 0: no TCP listener
	Unixsocket     string   // path; empty: none
	Unixsocketperm uint32   // permission bits; 0: what the process's umask leaves
	TCPBacklog     int64
	TCPKeepalive   int64 // seconds; 0: off
	Timeout        int64 // seconds a client may be idle; 0: for ever
	ProtectedMode  bool

	// Clients
	Maxclients             int64
	MaxmemoryClients       Share // of maxmemory; zero: no limit
	ProtoMaxBulkLen        int64 // bytes
	ClientQueryBufferLimit int64 // bytes
	OutputLimits           OutputLimits
	PipelineOrder          Order
	Requirepass            Password
	EnableDebugCommand     Access

	// Memory
	Maxmemory                 int64 // bytes; 0: no limit
	MaxmemoryPolicy           Policy
	MaxmemorySamples          int64
	MaxmemoryEvictionTenacity int64 // 0 to 100
	LFULogFactor              int64
	LFUDecayTime              int64 // minutes
	ActiveExpireEffort        int64 // 1 to 10
	LazyfreeLazyEviction      bool
	LazyfreeLazyExpire        bool
	LazyfreeLazyServerDel     bool
	LazyfreeLazyUserDel       bool
	LazyfreeLazyUserFlush     bool
	HugePages                 HugePages

	// Process
	Shards    int64 // 0: cores available less one, at least 1
	Pin       Pin
	Databases int64
	Hz        int64 // background rounds a second
	DynamicHz bool
	Dir       string // folder of the data files
	Loglevel  Level
	Logfile   string // path; empty: standard error

	// Cluster
	ClusterMode                  ClusterMode
	ClusterPort                  int64 // 0: Port and BusAbove
	ClusterAnnounceIP            string
	ClusterAnnounceHostname      string
	ClusterAnnouncePort          int64 // 0: Port
	ClusterAnnounceBusPort       int64 // 0: ClusterPort
	ClusterPreferredEndpointType Endpoint
	ClusterSecret                Password
	ClusterTopology              []Place
	ClusterRequireFullCoverage   bool
	ClusterLease                 int64 // milliseconds
	ClusterLeaseDrift            int64 // parts per million
	ClusterLeaseMargin           int64 // milliseconds
	ClusterElectionTimeout       int64 // milliseconds
	ShardOwners                  bool

	// Observation
	SlowlogLogSlowerThan           int64 // microseconds; -1: off, 0: every command
	SlowlogMaxLen                  int64
	LatencyMonitorThreshold        int64 // milliseconds; 0: off
	LatencyTracking                bool
	LatencyTrackingInfoPercentiles []float64 // each 0 to 100
}

// Policy says what maxmemory evicts.
type Policy uint8

// Policies, in the order of policyNames.
const (
	VolatileLRU Policy = iota
	VolatileLFU
	VolatileRandom
	VolatileTTL
	AllkeysLRU
	AllkeysLFU
	AllkeysRandom
	NoEviction
)

var policyNames = []string{
	"volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl",
	"allkeys-lru", "allkeys-lfu", "allkeys-random", "noeviction",
}

// String is the name as maxmemory-policy spells it.
func (p Policy) String() string { return policyNames[p] }

// Order says whether the replies of one connection's pipeline may be computed
// out of order between shards. They are always sent in order.
type Order uint8

// Orders, in the order of orderNames.
const (
	Strict Order = iota
	Relaxed
)

var orderNames = []string{"strict", "relaxed"}

// String is the name as pipeline-order spells it.
func (o Order) String() string { return orderNames[o] }

// Level is the least important line that the log keeps.
type Level uint8

// Levels, in the order of levelNames.
const (
	Debug Level = iota
	Verbose
	Notice
	Warning
)

var levelNames = []string{"debug", "verbose", "notice", "warning"}

// String is the name as loglevel spells it.
func (l Level) String() string { return levelNames[l] }

// Access says who may use a guarded command.
type Access uint8

// Accesses, in the order of accessNames.
const (
	AccessNo Access = iota
	AccessYes
	AccessLocal // connections from this machine only
)

var accessNames = []string{"no", "yes", "local"}

// String is the name as enable-debug-command spells it.
func (a Access) String() string { return accessNames[a] }

// HugePages says what is asked of the system for the keyspace's memory.
type HugePages uint8

// What is asked, in the order of hugePagesNames.
const (
	HugePagesDefault HugePages = iota // as the system is set up
	HugePagesAlways
	HugePagesNever
)

var hugePagesNames = []string{"default", "always", "never"}

// String is the name as huge-pages spells it.
func (h HugePages) String() string { return hugePagesNames[h] }

// Share is an amount of memory: bytes, or a percentage of another amount.
type Share struct {
	Bytes   int64 // 0 when Percent is set
	Percent int64 // 0 to 100
}

// Of is the amount in bytes, of total where it is a percentage.
func (s Share) Of(total int64) int64 {
	if s.Percent > 0 {
		return total / 100 * s.Percent
	}
	return s.Bytes
}

// Class is a kind of client that has limits of its own.
type Class uint8

// Classes, in the order of classNames.
const (
	ClassNormal Class = iota
	ClassReplica
	ClassPubsub
	classes
)

// classNames spells the classes as CONFIG GET does: Redis kept "slave" there.
var classNames = [classes]string{"normal", "slave", "pubsub"}

// OutputLimits holds the limit of each class.
type OutputLimits [classes]OutputLimit

// OutputLimit bounds the replies that wait for a client: it is closed above
// Hard bytes, or after more than SoftSeconds above Soft bytes. 0 is no limit.
type OutputLimit struct {
	Hard, Soft  int64
	SoftSeconds int64
}

// Pin says where the loops' threads run.
type Pin struct {
	On   bool
	CPUs []int // the cores to use in this order; empty: those available, in their order
}

// Password keeps the SHA-256 of a password, never the password.
type Password struct {
	set bool
	sum [sha256.Size]byte
}

// NewPassword hashes a password; the empty text is no password.
func NewPassword(text string) Password {
	if text == "" {
		return Password{}
	}
	return Password{set: true, sum: sha256.Sum256([]byte(text))}
}

// IsSet tells whether a password is needed at all.
func (p Password) IsSet() bool { return p.set }

// Matches compares in constant time. Nothing matches a password that is not set.
func (p Password) Matches(text []byte) bool {
	sum := sha256.Sum256(text)
	return subtle.ConstantTimeCompare(sum[:], p.sum[:]) == 1 && p.set
}

// String is empty without a password, else "#" and the hash in hexadecimal, the
// form that Redis's ACL rules use.
func (p Password) String() string {
	if !p.set {
		return ""
	}
	return "#" + hex.EncodeToString(p.sum[:])
}
