package slots

import (
	"fmt"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for key, want := range map[string]uint16{
		"":                     0,
		"123456789":            0x31c3 & (Count - 1),
		"foo":                  12182,
		"bar":                  5061,
		"{user1000}.following": Of([]byte("user1000")),
		"foo{}{bar}":           crc16([]byte("foo{}{bar}")) & (Count - 1),
		"foo{{bar}}zap":        Of([]byte("{bar")),
		"foo{bar}{zap}":        5061,
	} {
		if got := Of([]byte(key)); got != want {
			t.Errorf("Of(%q) = %d, want %d", key, got, want)
		}
	}
}

func TestTag(t *testing.T) {
	for key, want := range map[string]string{
		"": "", "a": "a", "{": "{", "{}": "{}", "{}x": "{}x", "a{b": "a{b",
		"{a}": "a", "x{a}y{b}": "a", "}{a}": "a", "{{a}": "{a",
	} {
		if got := string(Tag([]byte(key))); got != want {
			t.Errorf("Tag(%q) = %q, want %q", key, got, want)
		}
	}
}

// A tag is found wherever it stands in a key of any length.
func TestOfTagAnywhere(t *testing.T) {
	for size := range 24 {
		for at := 0; at+3 <= size; at++ {
			key := []byte(strings.Repeat("\xfb", size))
			copy(key[at:], "{t}")
			if got, want := Of(key), Of([]byte("t")); got != want {
				t.Errorf("Of(%q) = %d, want %d", key, got, want)
			}
			copy(key[at:], "z|t")
			if got, want := Of(key), crc16(key)&(Count-1); got != want {
				t.Errorf("Of(%q) = %d, want %d", key, got, want)
			}
		}
	}
}

// The sliced CRC equals the bit by bit one at every length.
func TestCRC16AgainstBits(t *testing.T) {
	text := strings.Repeat("The quick brown fox \x00\xff jumps. ", 5)
	for n := range text {
		want := uint16(0)
		for _, b := range []byte(text[:n]) {
			want = shiftByte(want ^ uint16(b)<<8)
		}
		if got := crc16([]byte(text[:n])); got != want {
			t.Fatalf("crc16 of %d bytes = %#x, want %#x", n, got, want)
		}
	}
}

func TestShardsAreRanges(t *testing.T) {
	for _, shards := range []int{1, 2, 3, 7, 64, 100} {
		for slot := range Count {
			shard := Shard(uint16(slot), shards)
			if slot < First(shard, shards) || slot >= First(shard+1, shards) {
				t.Fatalf("slot %d of %d shards: shard %d is [%d, %d)", slot, shards, shard,
					First(shard, shards), First(shard+1, shards))
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	for _, size := range []int{8, 16, 24, 64} {
		key := []byte(strings.Repeat("k", size))
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			sum := 0
			for b.Loop() {
				sum += int(Of(key))
			}
		})
	}
}
