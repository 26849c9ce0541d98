package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"strings"

	"github.com/elares/ironcache/sim/env"
)

// castagnoli is the polynomial of CRC32C (RFC 3720, appendix B.4).
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Corruption is a place on the disk whose bytes are not those that were
// written and made durable there.
type Corruption struct {
	File   string
	Offset int64 // in bytes
	Cause  string
}

func (c *Corruption) Error() string {
	return fmt.Sprintf("store: %s at byte %d is damaged: %s", c.File, c.Offset, c.Cause)
}

// syncFailure marks errors after which nobody knows what is durable. That a file which
// nobody relies on yet could not be synced is none.
type syncFailure struct{ error }

func (s syncFailure) Unwrap() error { return s.error }

// unknown tells whether an error leaves open what is durable.
func unknown(err error) bool { return errors.As(err, new(syncFailure)) }

func syncFile(file env.File, name string) error {
	if err := file.Sync(); err != nil {
		return syncFailure{fmt.Errorf("store: sync %s: %w", name, err)}
	}
	return nil
}

func syncDir(disk env.Disk, dir string) error {
	if err := disk.SyncDir(dir); err != nil {
		return syncFailure{fmt.Errorf("store: sync folder %s: %w", dir, err)}
	}
	return nil
}

// tempSuffix ends the names of files that are not complete. They are removed
// when a store is opened.
const tempSuffix = ".tmp"

// replace puts text in the place of a file. After success it is durable; after
// a crash at any moment there is the file of before or the one of after, whole.
func replace(disk env.Disk, name string, text []byte) error {
	temp := name + tempSuffix
	err := writeAll(disk, temp, text)
	if err == nil {
		err = disk.Rename(temp, name)
	}
	if err != nil {
		disk.Remove(temp) // Open does it otherwise
		return fmt.Errorf("store: write %s: %w", name, err)
	}
	return syncDir(disk, path.Dir(name))
}

// writeAll makes a file of that text, durable but for its name.
func writeAll(disk env.Disk, name string, text []byte) error {
	file, err := disk.Open(name, true)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(0); err != nil {
		return err
	}
	if _, err := file.WriteAt(text, 0); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", name, err)
	}
	return nil
}

// readAll reads a file of at most so many bytes.
func readAll(disk env.Disk, name string, most int) ([]byte, error) {
	file, err := disk.Open(name, false)
	if err != nil {
		return nil, fmt.Errorf("store: open %s: %w", name, err)
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return nil, fmt.Errorf("store: size of %s: %w", name, err)
	}
	if size > int64(most) {
		return nil, &Corruption{name, int64(most), fmt.Sprintf("%d bytes, where at most %d are possible", size, most)}
	}
	text := make([]byte, size)
	return text, readAt(file, name, text, 0)
}

// readAt fills p from a file that must have that much.
func readAt(file env.File, name string, p []byte, off int64) error {
	n, err := file.ReadAt(p, off)
	if n == len(p) && (err == nil || err == io.EOF) {
		return nil
	}
	if err == nil || err == io.EOF {
		return &Corruption{name, off + int64(n), "the file ends too early"}
	}
	return fmt.Errorf("store: read %s at byte %d: %w", name, off, err)
}

// list names the files of a folder that end in suffix, sorted.
func list(disk env.Disk, dir, suffix string) ([]string, error) {
	names, err := disk.List(dir)
	if err != nil {
		return nil, fmt.Errorf("store: list %s: %w", dir, err)
	}
	var found []string
	for _, name := range names {
		if strings.HasSuffix(name, suffix) {
			found = append(found, name)
		}
	}
	return found, nil
}

// sweep removes the incomplete files of a folder and makes what it has durable.
func sweep(disk env.Disk, dir string) error {
	names, err := list(disk, dir, tempSuffix)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := disk.Remove(path.Join(dir, name)); err != nil {
			return fmt.Errorf("store: remove %s: %w", path.Join(dir, name), err)
		}
	}
	return syncDir(disk, dir)
}

// window reads a file through a buffer.
type window struct {
	file env.File
	name string
	size int64
	from int64
	text []byte // of the file, from there
}

// windowSize is how much is read at once, in bytes.
const windowSize = 256 << 10

// at gives n bytes of the file, which must have them. They are good until the
// next call.
func (w *window) at(off int64, n int) ([]byte, error) {
	if off < w.from || off+int64(n) > w.from+int64(len(w.text)) {
		size := min(w.size-off, int64(max(n, windowSize)))
		if int64(cap(w.text)) < size {
			w.text = make([]byte, size)
		}
		w.from, w.text = off, w.text[:size]
		if err := readAt(w.file, w.name, w.text, off); err != nil {
			w.text = w.text[:0]
			return nil, err
		}
	}
	return w.text[off-w.from:][:n], nil
}
