//go:build unix

package host

import (
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elares/ironcache/sim/env"
)

func TestPeer(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for _, at := range []string{"127.0.0.1:0", "localhost:0", ":0", "[::1]:0"} {
			if at == "[::1]:0" && !hasIPv6() {
				continue
			}
			listener, address := d.listen(env.ListenAddress{Address: at})
			port := netip.MustParseAddrPort(address).Port()
			if at == ":0" {
				address = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port).String()
			}
			_, client, peer := d.connect(listener, "tcp", address)
			want := env.Peer{Remote: client.LocalAddr().String(), Local: client.RemoteAddr().String(), Loopback: true}
			if peer != want {
				t.Errorf("%s: peer %+v, want %+v", at, peer, want)
			}
			d.Close(listener)
		}
	})
}

// A path that is too long for the system is told of as that; one that fits is
// listened on.
func TestLongSocketPath(t *testing.T) {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	onEach(t, func(t *testing.T, d *desk) {
		path := filepath.Join(dir, strings.Repeat("x", longestPath-len(dir)-1))
		listener, _ := d.listen(env.ListenAddress{Network: "unix", Address: path})
		d.Close(listener)
		at := env.ListenAddress{Network: "unix", Address: path + "x", Backlog: 1}
		if _, err := d.Listen(at); err == nil || !strings.Contains(err.Error(), "at most") {
			t.Errorf("listening on a path of %d bytes: %v", len(at.Address), err)
		}
	})
}

// An address that the machine lacks is told from one that is taken.
func TestAddressNotHere(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		at := env.ListenAddress{Network: "tcp", Address: "192.0.2.1:7777", Backlog: 1} // set apart for documentation
		if _, err := d.Listen(at); !errors.Is(err, env.ErrNoAddress) || !errors.Is(err, syscall.EADDRNOTAVAIL) {
			t.Errorf("an address that is not here: %v", err)
		}
		_, at.Address = d.listen(env.ListenAddress{})
		if _, err := newDesk(t, NewNetwork(Options{})).Listen(at); err == nil || errors.Is(err, env.ErrNoAddress) {
			t.Errorf("an address that is taken: %v", err)
		}
	})
}

// Both families' wildcards can be listened on side by side at one port.
func TestWildcardsSideBySide(t *testing.T) {
	if !hasIPv6() {
		t.Skip("no IPv6 here")
	}
	onEach(t, func(t *testing.T, d *desk) {
		_, address := d.listen(env.ListenAddress{Address: "0.0.0.0:0"})
		_, port, _ := net.SplitHostPort(address)
		d.listen(env.ListenAddress{Address: "[::]:" + port})
	})
}

func hasIPv6() bool {
	probe, err := net.Listen("tcp6", "[::1]:0")
	if err == nil {
		probe.Close()
	}
	return err == nil
}

func TestAddressInUse(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for _, shared := range []bool{false, true} {
			_, address := d.listen(env.ListenAddress{Shared: shared})
			stranger := newDesk(t, NewNetwork(Options{}))
			at := env.ListenAddress{Network: "tcp", Address: address, Backlog: 1, Shared: shared}
			_, err := stranger.Listen(at)
			if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), address) {
				t.Errorf("shared=%v: listening on a taken port: %v", shared, err)
			}
		}
	})
}

func TestBadAddresses(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		for _, at := range []env.ListenAddress{
			{Network: "tcp", Address: "127.0.0.1:99999", Backlog: 1},
			{Network: "tcp", Address: "192.0.2.1:7777", Backlog: 1},
			{Network: "unix", Address: "/nowhere/at/all", Backlog: 1},
		} {
			_, err := d.Listen(at)
			if err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(at.Address, "127.0.0.1:")) {
				t.Errorf("%s: %v", at.Address, err)
			}
		}
	})
}

// Two pollers that share an address both get connections, and one that leaves
// does not take the address along.
func TestSharedAddress(t *testing.T) {
	onEach(t, func(t *testing.T, a *desk) {
		b := newDesk(t, a.network)
		unix := filepath.Join(t.TempDir(), "s")
		for _, at := range []env.ListenAddress{
			{Network: "tcp", Address: "127.0.0.1:0", Backlog: 128, Shared: true},
			{Network: "unix", Address: unix, Backlog: 128, Shared: true},
		} {
			one, address := a.listen(at)
			two, same := b.listen(at)
			if address != same {
				t.Fatalf("listening on %s and %s", address, same)
			}
			gotA, gotB := acceptAll(t, at.Network, address, 64, a, one, b, two)
			if at.Network == "tcp" && (gotA == 0 || gotB == 0) {
				t.Errorf("spread %d to %d", gotA, gotB)
			}
			a.Close(one)
			if _, gotB = acceptAll(t, at.Network, address, 8, a, -1, b, two); gotB != 8 {
				t.Errorf("after one left, %d of 8 connections arrived", gotB)
			}
			b.Close(two)
			if _, err := net.Dial(at.Network, address); err == nil {
				t.Errorf("%s is still open after all left", address)
			}
		}
	})
}

// acceptAll dials so often and counts what each of two listeners accepts.
func acceptAll(t *testing.T, network, address string, count int, a *desk, one env.Conn, b *desk, two env.Conn) (gotA, gotB int) {
	t.Helper()
	for range count {
		client, err := net.Dial(network, address)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
	}
	for deadline := time.Now().Add(5 * time.Second); gotA+gotB < count && time.Now().Before(deadline); {
		if one >= 0 {
			gotA += a.accepted(one)
		}
		gotB += b.accepted(two)
	}
	return gotA, gotB
}

// accepted takes and closes what waits at a listener.
func (d *desk) accepted(listener env.Conn) (count int) {
	d.Wait(d.events[:], int64(time.Millisecond))
	for {
		conn, _, err := d.Accept(listener)
		if err != nil {
			return count
		}
		d.Close(conn)
		count++
	}
}

func TestUnixSocketFile(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		path := filepath.Join(t.TempDir(), "s")
		at := env.ListenAddress{Network: "unix", Address: path, Perm: 0o640, Backlog: 10}
		leaveStale(t, path)
		listener, _ := d.listen(at)
		info, err := os.Lstat(path)
		if err != nil || info.Mode().Perm() != 0o640 {
			t.Fatalf("socket file: %v, %v", info.Mode(), err)
		}
		if _, err := newDesk(t, d.network).Listen(at); !errors.Is(err, syscall.EADDRINUSE) {
			t.Fatalf("listening on a live socket: %v", err)
		}
		d.Close(listener)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("the file outlives the listener: %v", err)
		}
		os.WriteFile(path, []byte("precious"), 0o600)
		if _, err := d.Listen(at); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("listening on a file: %v", err)
		}
	})
}

// A file that somebody else put in the place of ours is not ours to remove.
func TestUnixSocketFileOfSuccessor(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		path := filepath.Join(t.TempDir(), "s")
		listener, _ := d.listen(env.ListenAddress{Network: "unix", Address: path})
		os.Remove(path)
		leaveStale(t, path)
		d.Close(listener)
		if _, err := os.Lstat(path); err != nil {
			t.Fatal(err)
		}
	})
}

func leaveStale(t *testing.T, path string) {
	t.Helper()
	stale, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
}

// Without a free descriptor Accept says so, the loop can sleep meanwhile, and
// the connection is served as soon as there is one.
func TestTooManyFiles(t *testing.T) {
	onEach(t, func(t *testing.T, d *desk) {
		listener, address := d.listen(env.ListenAddress{})
		client, free := d.starve(listener, address)
		defer client.Close()
		d.quiet(listener)
		free()
		d.readable(listener)
		conn, _, err := d.Accept(listener)
		if err != nil {
			t.Fatal(err)
		}
		d.write(conn, []byte("welcome"))
		expect(t, client, "welcome")
	})
}

// starve dials with the last free descriptor, so that Accept finds none. Other
// tests' sockets may still be on their way out and leave more: then it tries
// again.
func (d *desk) starve(listener env.Conn, address string) (client net.Conn, free func()) {
	d.t.Helper()
	var err error
	for range 20 {
		free = exhaustFiles(d.t)
		if client, err = net.Dial("tcp", address); err == nil {
			d.readable(listener)
			var conn env.Conn
			if conn, _, err = d.Accept(listener); err == env.ErrTooMany {
				return client, free
			}
			client.Close()
			if err == nil {
				d.Close(conn)
			}
		}
		free()
	}
	d.t.Fatalf("Accept without descriptors: %v", err)
	return nil, nil
}

// exhaustFiles leaves one descriptor; free gives back the others.
func exhaustFiles(t *testing.T) (free func()) {
	t.Helper()
	var before syscall.Rlimit
	syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before)
	low := before
	low.Cur = min(low.Cur, 256)
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low)
	var taken []int
	free = func() {
		for _, fd := range taken {
			syscall.Close(fd)
		}
		taken = nil
		syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before)
	}
	t.Cleanup(free)
	for {
		fd, err := syscall.Dup(0)
		if err != nil {
			break
		}
		taken = append(taken, fd)
	}
	syscall.Close(taken[0])
	taken = taken[1:]
	return free
}
