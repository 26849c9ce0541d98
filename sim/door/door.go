// Package door is what a guest of the simulator and its host agree on: how the
// doors of sim/env cross the border between a WebAssembly module and the
// program that runs it. It holds numbers and encodings; it does no I/O.
//
// A host function answers with a number that is not negative, or with a Code.
// Text that goes in is a pointer and a length, text that comes out a pointer
// and room for it.
package door

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// Module is the name that the host's functions are imported from.
const Module = "ironcache"

// Importing marks the number that stands for the epoch of a slot that a node
// imports: it is the migration's.
const Importing = uint64(1) << 63

// Code is a negative answer of a host function.
type Code int64

// Codes. Other is an error without one of its own; Why tells its text.
const (
	Other Code = -1 - iota
	Again
	End
	Reset
	Refused
	TooMany
	NotExist
	Exist
	Permission
	Closed
)

var codes = []struct {
	code Code
	err  error
}{
	{Again, env.ErrAgain},
	{End, io.EOF},
	{Reset, env.ErrReset},
	{Refused, env.ErrRefused},
	{TooMany, env.ErrTooMany},
	{NotExist, fs.ErrNotExist},
	{Exist, fs.ErrExist},
	{Permission, fs.ErrPermission},
	{Closed, fs.ErrClosed},
}

// CodeOf gives the code of an error that is not nil.
func CodeOf(err error) Code {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return Other
}

// Err gives the error that a code stands for, nil for Other.
func (c Code) Err() error {
	for _, known := range codes {
		if known.code == c {
			return known.err
		}
	}
	return nil
}

// EventSize is the length of an encoded event.
const EventSize = 8

// PutEvent encodes what a connection is ready for.
func PutEvent(b []byte, e env.Event) {
	flags := uint32(0)
	if e.Readable {
		flags |= 1
	}
	if e.Writable {
		flags |= 2
	}
	binary.LittleEndian.PutUint32(b, uint32(e.Conn))
	binary.LittleEndian.PutUint32(b[4:], flags)
}

// Event decodes one.
func Event(b []byte) env.Event {
	flags := binary.LittleEndian.Uint32(b[4:])
	return env.Event{Conn: env.Conn(binary.LittleEndian.Uint32(b)), Readable: flags&1 != 0, Writable: flags&2 != 0}
}

// Start is what a guest is told when it starts, as JSON in its first argument.
type Start struct {
	Name   string            `json:"name"` // of the node, for its log
	Seed   uint64            `json:"seed"` // of all that it draws
	Shards int               `json:"shards"`
	Config map[string]string `json:"config"` // options by name
	// Cluster is the node's part in a cluster; nil: it is alone.
	Cluster *Cluster `json:"cluster,omitempty"`
}

// Cluster is what a guest's control plane is started with.
type Cluster struct {
	Address       state.Address   `json:"address"`
	Secret        string          `json:"secret"`
	Lease         slots.Lease     `json:"lease"`
	Topology      []raftlog.Place `json:"topology"`
	SnapshotEvery uint64          `json:"snapshot_every,omitempty"`
}

// Args are the arguments of the guest's program.
func (s Start) Args() []string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return []string{"ironcache", string(text)}
}

// ParseStart reads the arguments of the guest's program.
func ParseStart(args []string) (s Start, err error) {
	if len(args) != 2 {
		return s, errors.New("door: a guest has one argument, its Start")
	}
	return s, json.Unmarshal([]byte(args[1]), &s)
}
