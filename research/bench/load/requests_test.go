package load

import (
	"slices"
	"testing"
)

func TestRandomCoversTheKeys(t *testing.T) {
	r := Random(Shape{Request: func(dst []byte, _ int) []byte { return append(dst, 'x') }}, 1000, 10, 1)
	if low, high := slices.Min(r.keys), slices.Max(r.keys); r.Len() != 1000 || low != 0 || high != 9 {
		t.Errorf("%d requests over keys %d to %d, want 1000 over 0 to 9", r.Len(), low, high)
	}
}

func TestRequestsAreCutWhereTheyEnd(t *testing.T) {
	r := InOrder(Shape{Request: func(dst []byte, key int) []byte { return append(dst, "abc"[:key]...) }, Lines: 2}, 1, 4)
	if got := string(r.bytes(1, 3)); got != "ababc" {
		t.Errorf("requests 1 and 2 are %q, want ababc", got)
	}
	if got := r.awaits(3); got.left != 6 || got.form != byLines {
		t.Errorf("three requests await %d lines, want 6", got.left)
	}
}

func TestKeyAndValueSizes(t *testing.T) {
	if key, value := Key(7), Value(7, 64); len(key) != 16 || len(value) != 64 || value[:16] != "0000000000000007" {
		t.Errorf("key %q, value %q", key, value)
	}
}

func TestCommand(t *testing.T) {
	if got := string(Command(nil, "GET", "k")); got != "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n" {
		t.Errorf("command %q", got)
	}
}
