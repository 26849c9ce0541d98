//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// lockFolder makes a node's folder this process's own until it is closed or the
// process ends, however that comes: two processes with one identity would vote
// twice.
func lockFolder(dir string) (io.Closer, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errors.New("another process is using it: give each node a folder of its own by the option dir")
	}
	return nil, fmt.Errorf("lock folder %s: %w", dir, err)
}

// lockedPlane is a control plane in a folder that nobody else may use meanwhile.
type lockedPlane struct {
	plane
	lock io.Closer
}

// Close ends the plane, then lets others have its folder.
func (p lockedPlane) Close() error { return errors.Join(p.plane.Close(), p.lock.Close()) }
