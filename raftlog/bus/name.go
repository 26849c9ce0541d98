package bus

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// ID tells a node from all others that are or were at its address.
type ID = [20]byte

// mark parts the address of a bus from the id of its node.
const mark = "#"

// Name is how the node with an id is dialled, with its bus at an address:
// "127.0.0.1:16379#" and the id in 40 digits.
func Name(address string, id ID) string { return address + mark + hex.EncodeToString(id[:]) }

// IsName tells a Name from a mere address.
func IsName(text string) bool { return strings.Contains(text, mark) }

// split takes a Name apart. A mere address wants no certain node.
func split(name string) (address string, id ID, err error) {
	address, digits, named := strings.Cut(name, mark)
	if !named {
		return address, id, nil
	}
	if len(digits) != hex.EncodedLen(len(id)) {
		return "", id, fmt.Errorf("bus: %s: an id has %d digits", name, hex.EncodedLen(len(id)))
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return "", id, fmt.Errorf("bus: %s: %w", name, err)
	}
	return address, id, nil
}
