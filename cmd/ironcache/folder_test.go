//go:build unix

package main

import (
	"log/slog"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/netio/host"
)

// Two nodes in one folder would be one member that votes twice: the second does not
// start, and the folder is free when the first has ended.
func TestOneNodeAFolder(t *testing.T) {
	dir := t.TempDir()
	open := func() (plane, error) {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
		free.Close()
		return openPlane(valuesOf(t, "cluster-mode=raft", "port=7000", "cluster-port="+port, "dir="+dir), 1, 0, host.NewWorld(host.Options{}), slog.New(slog.DiscardHandler))
	}
	first, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if second, err := open(); err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another process is using it") {
		t.Errorf("a second node in the folder: %v, %v", second, err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	again, err := open()
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
