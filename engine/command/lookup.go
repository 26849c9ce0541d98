package command

import (
	"encoding/binary"
	"math/bits"

	"github.com/elares/ironcache/sim/invariant"
)

// Lookup returns the row of the command of that name, in any case of letters;
// nil if there is none. Subcommands are found by Row.Sub.
func Lookup(name []byte) *Row { return index.find(name, 0) }

// nameIndex maps names to rows by open addressing: a name's first eight bytes
// as one lower-case word, its length and its parent are compared at once.
type nameIndex struct {
	slots [indexSize]nameSlot
}

const (
	indexBits = 10
	indexSize = 1 << indexBits
)

// nameSlot is one name; an empty slot has length 0.
type nameSlot struct {
	head   uint64 // the first eight bytes, lower case, zero-padded
	length uint16
	parent uint16 // 0 for a command, else 1 + the ID of its parent
	row    uint16
}

var index = indexOf(Table)

func indexOf(rows []Row) *nameIndex {
	invariant.Check(len(rows) < indexSize*2/3, "the index of names has room")
	x := new(nameIndex)
	for i := range rows {
		x.add(&rows[i])
	}
	return x
}

func (x *nameIndex) find(name []byte, parent uint16) *Row {
	head := lower(firstWord(name))
	for at := home(head, len(name), parent); ; at = (at + 1) % indexSize {
		slot := &x.slots[at]
		if slot.length == 0 {
			return nil
		}
		if slot.head == head && int(slot.length) == len(name) && slot.parent == parent {
			row := &Table[slot.row]
			if len(name) <= 8 || sameTail(name, row.word()) {
				return row
			}
		}
	}
}

func (x *nameIndex) add(row *Row) {
	word, parent := row.word(), uint16(0)
	if row.IsSub() {
		parent = row.Parent + 1
	}
	head := firstWord([]byte(word))
	at := home(head, len(word), parent)
	for x.slots[at].length != 0 {
		at = (at + 1) % indexSize
	}
	x.slots[at] = nameSlot{head, uint16(len(word)), parent, row.ID}
}

// word is the part of a row's name that a client sends for it: the name of a
// command, the part after the bar of a subcommand.
func (r *Row) word() string {
	if !r.IsSub() {
		return r.Name
	}
	return r.Name[len(Table[r.Parent].Name)+1:]
}

func home(head uint64, length int, parent uint16) uint {
	mixed := (head ^ uint64(length)<<3 ^ uint64(parent)<<24) * 0x9e3779b97f4a7c15
	return uint(bits.RotateLeft64(mixed, indexBits)) % indexSize
}

// firstWord loads the first eight bytes of name, padded with zeros.
func firstWord(name []byte) uint64 {
	if len(name) >= 8 {
		return binary.LittleEndian.Uint64(name)
	}
	if len(name) >= 4 {
		low := binary.LittleEndian.Uint32(name)
		high := binary.LittleEndian.Uint32(name[len(name)-4:])
		return uint64(low) | uint64(high)<<(8*(len(name)-4))
	}
	if len(name) == 0 {
		return 0
	}
	mid, end := len(name)/2, len(name)-1
	return uint64(name[0]) | uint64(name[mid])<<(8*mid) | uint64(name[end])<<(8*end)
}

// lower turns the ASCII capitals among eight bytes into small letters.
func lower(word uint64) uint64 {
	const each = 0x0101010101010101
	low7 := word & (0x7f * each)
	afterZ := low7 + (0x7f-'Z')*each
	fromA := low7 + (0x80-'A')*each
	capital := ^word & (fromA ^ afterZ) & (0x80 * each)
	return word | capital>>2
}

// sameTail compares what follows the first eight bytes; known is lower case.
func sameTail(name []byte, known string) bool {
	for i := 8; i < len(name); i++ {
		b := name[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != known[i] {
			return false
		}
	}
	return true
}
