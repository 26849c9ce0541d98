package env

// Disk is a directory tree on stable storage. Paths are as the operating
// system writes them. Errors satisfy errors.Is with those of io/fs where they
// mean the same (fs.ErrNotExist, fs.ErrExist, fs.ErrPermission).
type Disk interface {
	// Open opens a file. With create, a missing file is made empty.
	Open(path string, create bool) (File, error)
	// Create makes an empty file where nothing is (else fs.ErrExist), with the
	// permissions and, as far as the system allows, the owner that the file like
	// has, if there is one.
	Create(path, like string) (File, error)
	// Follow gives the path that a symbolic link stands for, whether something
	// is there or not; of anything else the path itself.
	Follow(path string) (string, error)
	// Rename moves a file over another, atomically as seen by later opens. It
	// is durable only after SyncDir on the folder.
	Rename(from, to string) error
	// Remove deletes a file.
	Remove(path string) error
	// MakeDir makes a folder and its parents; an existing one is no error.
	MakeDir(path string) error
	// List names the entries of a folder, sorted.
	List(dir string) ([]string, error)
	// SyncDir makes creations, renames and removals in the folder durable.
	SyncDir(dir string) error
}

// File is an open file. Offsets and sizes are in bytes.
type File interface {
	// ReadAt reads len(p) bytes at off; fewer come with io.EOF.
	ReadAt(p []byte, off int64) (int, error)
	// WriteAt writes all of p at off, growing the file if need be.
	WriteAt(p []byte, off int64) (int, error)
	// Truncate sets the size.
	Truncate(size int64) error
	// Size tells the current size.
	Size() (int64, error)
	// Sync makes everything written durable. After an error nothing written
	// since the last success may be relied on.
	Sync() error
	Close() error
}
