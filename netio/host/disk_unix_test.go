//go:build unix

package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestCreateLike: a file has the permissions and the owner of its model, and
// never takes the place of another.
func TestCreateLike(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	model, path := filepath.Join(t.TempDir(), "model"), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(model, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(model, 0o664); err != nil {
		t.Fatal(err)
	}
	owned := os.Chown(model, 12345, 54321) == nil
	f, err := NewDisk().Create(path, model)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o664 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if owner := info.Sys().(*syscall.Stat_t); owned && (owner.Uid != 12345 || owner.Gid != 54321) {
		t.Errorf("the owner is %d:%d", owner.Uid, owner.Gid)
	}
	if _, err := NewDisk().Create(path, model); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
	if f, err := NewDisk().Create(path+"2", model+"2"); err != nil {
		t.Errorf("without a model: %v", err)
	} else {
		f.Close()
	}
}

// TestFollow: links are followed to their end, wherever that is.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(at("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"absolute": at("file"), "relative": "file", "sub/up": "../file", "chain": "sub/up", "nowhere": "gone/file", "loop": "loop",
	} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"file": "file", "missing": "missing", "absolute": "file", "relative": "file", "sub/up": "file", "chain": "file", "nowhere": "gone/file",
	} {
		if got, err := NewDisk().Follow(at(path)); err != nil || got != at(want) {
			t.Errorf("%s leads to %s, want %s; %v", path, got, at(want), err)
		}
	}
	if _, err := NewDisk().Follow(at("loop")); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a loop: %v", err)
	}
}
