package keyspace

import (
	"bytes"
	"testing"
)

// longValue is a length above which values have regions of their own.
const longValue = 512 << 10

// lend maps a region with front bytes, a value and back bytes, and lends it.
func (b *bench) lend(front, size, back int) (region, value []byte) {
	written := front + size + back
	region, _ = b.memory.Map(roundUp(written+5000, pageBytes))
	for i := range written {
		region[i] = 'f'
	}
	value = region[front : front+size]
	for i := range value {
		value[i] = 'v'
	}
	b.Lend(region, written)
	return region, value
}

func TestLongValueOnLoanIsKept(t *testing.T) {
	b := newBench(t, Options{})
	s, k := b.Space(0), b.key("k")
	const size = longValue + 100
	live := b.Live()
	_, value := b.lend(40, size, 30)
	e := s.PutString(k, value, KindRaw, 0, 0)
	if !b.Recall() || &e.Value(nil)[0] != &value[0] {
		t.Fatal("the value was copied")
	}
	if grown := b.Live() - live; grown < size || grown > size+20000 {
		t.Errorf("a value of %d bytes counts %d", size, grown)
	}
	e, grown := s.Resize(k, e, size+2000) // over what lies behind it
	if want := append(bytes.Repeat([]byte{'v'}, size), make([]byte, 2000)...); !bytes.Equal(grown, want) {
		t.Error("it is not zero where it grows")
	}
	b.Check()
	s.Remove(k, e)
	b.settle()
	if len(b.memory.regions) != 2 || b.Stats().Extents != 0 { // chunk and records
		t.Errorf("%d regions are left", len(b.memory.regions))
	}
}

func TestLoanThatIsNotWorthKeeping(t *testing.T) {
	for name, c := range map[string][3]int{
		"short value":  {40, longValue / 50, 2},
		"much before":  {maxLoanWaste + 1, longValue + 1, 2},
		"much behind":  {40, longValue + 1, maxLoanWaste + 1},
		"other memory": {40, 0, 2},
	} {
		b := newBench(t, Options{})
		region, value := b.lend(c[0], c[1], c[2])
		if len(value) == 0 {
			value = make([]byte, longValue+1)
		}
		e := b.Space(0).PutString(b.key("k"), value, KindRaw, 0, 0)
		if b.Recall() || &e.Value(nil)[0] == &value[0] || !bytes.Equal(e.Value(nil), value) {
			t.Errorf("%s: the region is kept", name)
		}
		b.GiveBack(region, len(region))
		b.settle()
		b.Check()
	}
}

// What a command stores and removes again stays readable until the loan ends.
func TestRegionOutlivesItsValueDuringALoan(t *testing.T) {
	b := newBench(t, Options{})
	s, k := b.Space(0), b.key("k")
	_, value := b.lend(40, longValue+1, 2)
	s.Remove(k, s.PutString(k, value, KindRaw, 0, 0))
	b.settle()
	if bytes.Count(value, []byte{'v'}) != longValue+1 {
		t.Error("the arguments are gone")
	}
	other := s.PutString(b.key("other"), value, KindRaw, 0, 0)
	if bytes.Count(other.Value(nil), []byte{'v'}) != longValue+1 {
		t.Error("the second value is not what was sent")
	}
	if !b.Recall() {
		t.Error("the region was taken")
	}
	b.settle()
	b.Check()
}
