package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/elares/ironcache/sim/env"
)

// What is stored may be secret: others on the machine get no access, and the
// umask may take away more.
const (
	fileMode = 0o640
	dirMode  = 0o750
)

// disk is the system's file tree. Its errors are *fs.PathError.
type disk struct{}

// NewDisk gives the system's file tree.
func NewDisk() env.Disk { return disk{} }

func (disk) Open(path string, create bool) (env.File, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(path, flags, fileMode)
	if err != nil && !create && readOnly(err) {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

func (disk) Create(path, like string) (env.File, error) {
	model, err := os.Stat(like)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	mode := fs.FileMode(fileMode)
	if model != nil {
		mode = 0 // nobody else opens it before it is like the model
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	if model != nil {
		if err := liken(f, model); err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(path))
		}
	}
	return file{f}, nil
}

// liken gives a file the owner and the permissions of another. The owner stays
// as it is where the process may not change it.
func liken(f *os.File, model fs.FileInfo) error {
	if err := giveTo(f, model); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return f.Chmod(model.Mode().Perm())
}

// mostLinks is how many symbolic links may lead from one to the next.
const mostLinks = 40

func (disk) Follow(path string) (string, error) {
	at := path
	for range mostLinks {
		target, err := os.Readlink(at)
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) {
			return at, nil // no link, or nothing
		}
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(at), target)
		}
		at = target
	}
	return "", &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
}

// readOnly tells whether a file may still be opened for reading alone.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

func (disk) Rename(from, to string) error {
	err := os.Rename(from, to)
	var link *os.LinkError
	if errors.As(err, &link) {
		return &fs.PathError{Op: "rename " + from + " to", Path: to, Err: link.Err}
	}
	return err
}

func (disk) Remove(path string) error { return os.Remove(path) }

func (disk) MakeDir(path string) error { return os.MkdirAll(path, dirMode) }

func (disk) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, nil
}

func (disk) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil // a file system whose folders are always durable says so
	}
	return errors.Join(err, d.Close())
}

type file struct{ *os.File }

func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
