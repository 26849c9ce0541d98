package keyspace

import (
	"bytes"
	"strings"
	"testing"
)

const megabyte = 1 << 20

// large stores a value of so many bytes.
func (b *bench) large(name string, size int) Entry {
	return b.Space(0).PutString(b.key(name), bytes.Repeat([]byte{name[0]}, size), KindRaw, 0, 0)
}

// Large values that come and go use the same memory again and again.
func TestSpareRegionsAreUsedAgain(t *testing.T) {
	b := newBench(t, Options{Spare: 8 * megabyte})
	b.large("a", 2*megabyte)
	b.large("a", 2*megabyte)
	maps := b.memory.maps
	for i := range 100 {
		size := 2*megabyte - i*1000
		if e := b.large("a", size); text(e) != strings.Repeat("a", size) {
			t.Fatalf("the value of %d bytes is not what was stored", size)
		}
		b.Check()
	}
	if b.memory.maps != maps || b.memory.gone > 0 {
		t.Errorf("%d regions were mapped, %d bytes discarded", b.memory.maps-maps, b.memory.gone)
	}
}

// What an earlier value left in a region is not seen by a later one.
func TestSpareRegionReadsAsZeroWhereAValueGrows(t *testing.T) {
	b := newBench(t, Options{Spare: 8 * megabyte, Headroom: 4 * megabyte})
	s, k := b.Space(0), b.key("k")
	old, _ := s.Resize(b.key("old"), b.large("old", 100), 3*megabyte) // with headroom
	copy(old.Value(nil), bytes.Repeat([]byte{'o'}, 3*megabyte))
	s.Remove(b.key("old"), old)
	maps := b.memory.maps
	e, _ := s.Resize(k, b.large("k", 100), 2*megabyte)
	e, value := s.Resize(k, e, 3*megabyte+5000)
	if b.memory.maps != maps {
		t.Error("no spare region was used")
	}
	if strings.Trim(text(e), "k\x00") != "" || bytes.Count(value, []byte{'k'}) != 100 {
		t.Error("the value is not zero where it has grown")
	}
	b.Check()
}

// A spare region that holds more than a value needs keeps little of it.
func TestSpareRegionFitsItsValue(t *testing.T) {
	b := newBench(t, Options{Spare: 16 * megabyte})
	b.large("a", 7*megabyte/2)
	b.large("a", 10)
	live := b.Live()
	b.large("b", 2*megabyte)
	if grown := b.Live() - live; grown > 2*megabyte*9/8+8192 {
		t.Errorf("a value of 2 MB holds %d bytes", grown)
	}
	if b.memory.gone == 0 {
		t.Error("the spare region was not used")
	}
	b.large("c", 13*megabyte)
	b.large("c", 10)
	live = b.Live()
	b.large("d", megabyte)
	if grown := b.Live() - live; grown > megabyte*9/8+8192 {
		t.Errorf("a value of 1 MB holds %d bytes", grown)
	}
	b.Check()
}

func TestSpareRegionsAreBounded(t *testing.T) {
	for name, c := range map[string]struct{ limit, most int64 }{
		"no limit":       {0, 8 * megabyte},
		"a wide limit":   {200 * megabyte, 8 * megabyte},
		"near the limit": {20 * megabyte, 20 * megabyte / 8},
	} {
		b := newBench(t, Options{Spare: 8 * megabyte})
		b.ledger.SetLimit(c.limit)
		for i := range 20 {
			b.large(string(rune('a'+i)), megabyte)
		}
		b.Publish()
		for i := range 20 {
			b.Space(0).Delete(b.key(string(rune('a' + i))))
			if c.limit == 0 && b.spared > c.most {
				t.Fatalf("%s: %d bytes are spare", name, b.spared)
			}
			if held, most := b.Live()+b.spared, c.limit*9/8+megabyte; c.limit > 0 && held > most {
				t.Fatalf("%s: %d bytes are held", name, held)
			}
			b.Publish()
		}
		if b.spared == 0 {
			t.Errorf("%s: nothing is spare", name)
		}
		if reserved := b.Stats().Reserved; reserved < b.spared {
			t.Errorf("%s: %d bytes reserved, %d spare", name, reserved, b.spared)
		}
		b.settle()
		b.Check()
	}
}

func TestSpareRegionsAgeUnlessUsed(t *testing.T) {
	b := newBench(t, Options{Spare: 8 * megabyte})
	regions := len(b.memory.regions)
	for range 5 {
		b.large("a", megabyte)
		b.large("b", 2*megabyte)
		b.Space(0).Delete(b.key("a"))
		b.Space(0).Delete(b.key("b"))
		b.Age()
		b.settle()
		if b.spared < 3*megabyte {
			t.Fatalf("%d bytes are spare", b.spared)
		}
	}
	for range 3 { // only the large one is used
		b.large("b", 2*megabyte)
		b.Space(0).Delete(b.key("b"))
		b.Age()
	}
	if b.spared < 2*megabyte || b.spared >= 3*megabyte {
		t.Errorf("%d bytes are spare", b.spared)
	}
	b.Age()
	b.Age()
	b.settle()
	if b.spared != 0 || len(b.memory.regions) != regions {
		t.Errorf("%d bytes are spare, %d regions", b.spared, len(b.memory.regions)-regions)
	}
	b.large("a", megabyte)
	b.Space(0).Delete(b.key("a"))
	b.DropSpares()
	b.settle()
	if b.spared != 0 || len(b.memory.regions) != regions {
		t.Errorf("%d bytes are spare, %d regions", b.spared, len(b.memory.regions)-regions)
	}
}
