package state

import (
	"fmt"

	"github.com/elares/ironcache/slots"
)

// headSize is the bytes before an entry's fields: its version, its kind.
const headSize = 2

// Encode gives the bytes of an entry for the log, or says what is wrong with it
// before anybody is asked to decide.
func Encode(e Entry) ([]byte, error) {
	kind := KindOf(e)
	c := &coder{bytes: []byte{firstVersion, byte(kind)}}
	if e.code(c); c.err != nil {
		return nil, fmt.Errorf("state: encode %v: %w", kind, c.err)
	}
	if len(c.bytes) > MaxEntry {
		return nil, fmt.Errorf("state: encode %v: %d bytes, of %d at most", kind, len(c.bytes), MaxEntry)
	}
	return c.bytes, nil
}

// Decode reads an entry. The reading is strict: equal entries have equal bytes.
func Decode(data []byte) (Entry, error) {
	e, o := read(data)
	if o.Refused() {
		return nil, fmt.Errorf("state: decode an entry: %v", o)
	}
	return e, nil
}

// read reads an entry of a version that this program understands.
func read(data []byte) (Entry, Outcome) {
	if len(data) < headSize || len(data) > MaxEntry {
		return nil, refuse(Malformed, "an entry has %d bytes: it must have %d to %d", len(data), headSize, MaxEntry)
	}
	if v := data[0]; v < firstVersion || v > NewestVersion {
		return nil, refuse(UnknownVersion, "the entry has version %d, and versions %d to %d are known", v, firstVersion, NewestVersion)
	}
	row := rowOf(Kind(data[1]))
	if row == nil {
		return nil, refuse(UnknownKind, "the entry is of kind %d, which version %d does not have", data[1], data[0])
	}
	c := &coder{reading: true, bytes: data[headSize:]}
	e := row.make()
	e.code(c)
	if err := c.end(); err != nil {
		return nil, refuse(Malformed, "%s: %v", row.name, err)
	}
	return e, Outcome{}
}

// Span is a range of slots with what the proposer saw of each of them: the entry
// is refused if one has another epoch by then.
type Span struct {
	slots.Range
	Epoch uint64
}

func spans(c *coder, l *[]Span) {
	ascending(c, l, 1, func(s *Span) *slots.Range { return &s.Range }, func(c *coder, s *Span) {
		any64(c, "an epoch", &s.Epoch)
	})
}

// spanned calls a function for each slot of the spans, with what is said of the
// slot, until one is refused.
func (d *draft) spanned(list []Span, do func(uint16, slots.Slot) Outcome) Outcome {
	for _, span := range list {
		o := each(span.Range, func(slot uint16) Outcome {
			s := d.edit.At(slot)
			if s.Epoch != span.Epoch {
				return staleEpoch(slot, s.Epoch, span.Epoch)
			}
			return do(slot, s)
		})
		if o.Refused() {
			return o
		}
	}
	return Outcome{}
}

func staleEpoch(slot uint16, has, named uint64) Outcome {
	return refuse(StaleEpoch, "slot %d has epoch %d, not %d", slot, has, named)
}

// ownedBy refuses a slot of another owner.
func (d *draft) ownedBy(m *Member, slot uint16, s *slots.Slot) Outcome {
	if s.Owner == m.Number {
		return Outcome{}
	}
	return refuse(NotTheOwner, "slot %d is owned by %s, not by %v", slot, d.name(s.Owner), m)
}

func (d *draft) name(n slots.Node) string {
	if m := d.Member(n); m != nil {
		return m.String()
	}
	return "nobody"
}
