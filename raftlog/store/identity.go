package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// format is the version of everything that a store writes. It rises with any
// change that an earlier program would misread.
const format = 1

const (
	identityTitle = "ironcache raft store"
	maxIdentity   = 1 << 10
)

// What Open refuses.
var (
	// ErrNewer says that a later version of the program wrote the store.
	ErrNewer = errors.New("written by a newer version")
	// ErrOther says that the store belongs to another node.
	ErrOther = errors.New("belongs to another node")
)

func encodeIdentity(node string) []byte {
	text := fmt.Sprintf("%s\nformat %d\nnode %q\n", identityTitle, format, node)
	return fmt.Appendf(nil, "%schecksum %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

// checkIdentity reads the format before anything else, since only that part is
// the same in every format.
func checkIdentity(name string, text []byte, node string) error {
	lines := strings.Split(string(text), "\n")
	if len(lines) < 3 || lines[0] != identityTitle {
		return &Corruption{name, 0, "not the identity of a store"}
	}
	digits, ok := strings.CutPrefix(lines[1], "format ")
	version, err := strconv.ParseUint(digits, 10, 32)
	if !ok || err != nil {
		return &Corruption{name, int64(len(lines[0]) + 1), "the line of the format is damaged"}
	}
	if version > format {
		return fmt.Errorf("store: %s has format %d, this program knows up to %d: %w", name, version, format, ErrNewer)
	}
	owner, err := strconv.Unquote(strings.TrimPrefix(lines[2], "node "))
	if err != nil || string(encodeIdentity(owner)) != string(text) {
		return &Corruption{name, 0, "the checksum does not match"}
	}
	if owner != node {
		return fmt.Errorf("store: %s is of node %q, this is node %q: %w", name, owner, node, ErrOther)
	}
	return nil
}
