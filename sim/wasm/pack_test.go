package wasm

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestPack(t *testing.T) {
	text := bytes.Repeat([]byte("a node "), 1000)
	packed, err := Pack(text)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Pack(text)
	got, err := unpack(packed)
	if err != nil || !bytes.Equal(got, text) || !bytes.Equal(packed, again) || len(packed) > len(text)/10 {
		t.Errorf("%d bytes packed to %d, unpacked to %d: %v", len(text), len(packed), len(got), err)
	}
	if _, err := unpack(packed[:len(packed)/2]); err == nil {
		t.Error("half of a node was unpacked")
	}
}

// Why the node cannot be built is told in one line that says what to do.
func TestBuildExplains(t *testing.T) {
	if _, err := Build(context.Background(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "is in no checkout of IronCache") {
		t.Errorf("outside of a checkout: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(context.Background(), "."); err == nil || !strings.Contains(err.Error(), "install Go, or use a release") || strings.Contains(err.Error(), "\n") {
		t.Errorf("without a toolchain: %v", err)
	}
}
