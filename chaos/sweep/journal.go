package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/elares/ironcache/chaos/plan"
)

// A journal is files in a folder, one for each process that ran seeds of the sweep:
//
//	journal-0001.jsonl   a line with what the sweep is of, then a line a seed
//
// A process writes to a file of its own and reads those of all others, so several
// can work on one sweep. A line that is not whole, as a crash leaves it, ends a file;
// the seeds that are lost with it are run again.

// Sweep says what a sweep is of. Outcomes of equal sweeps can be added up.
type Sweep struct {
	Format  string       `json:"format"`
	Version int          `json:"version"`
	Module  string       `json:"module"`  // SHA-256 of the node's bytes
	Program string       `json:"program"` // what runs and judges it: a commit, or a hash of the program
	Options plan.Options `json:"options"`
}

const (
	journalFormat  = "ironcache-sweep"
	journalVersion = 1
)

// SweepOf says what a sweep is of.
func SweepOf(module, program string, o plan.Options) Sweep {
	slices.Sort(o.Faults)
	return Sweep{journalFormat, journalVersion, module, program, o}
}

// OtherError says that a folder holds another sweep, and what to do.
type OtherError struct{ text string }

func (e *OtherError) Error() string { return e.text }

func other(format string, args ...any) error { return &OtherError{fmt.Sprintf(format, args...)} }

// differs tells why outcomes of another sweep, in a folder, cannot be added to those
// of this one, and what to do.
func (s *Sweep) differs(of *Sweep, dir string) error {
	const or = "give another folder with --out, or"
	switch {
	case of.Format != s.Format || of.Version != s.Version:
		return other("%s holds a journal of format %q, version %d, and this program writes %q, version %d: give another folder with --out",
			dir, of.Format, of.Version, s.Format, s.Version)
	case of.Options.Flags() != s.Options.Flags():
		return other("%s holds a sweep with %s, and this one has %s: %s the same options", dir, said(of.Options), said(s.Options), or)
	case of.Program != s.Program:
		return other("%s holds a sweep by %s, and this is %s: %s go on with the former", dir, of.Program, s.Program, or)
	case of.Module != s.Module:
		return other("%s holds a sweep of a node with the hash %s, and this one has %s: %s go on with what made it, %s",
			dir, of.Module, s.Module, or, of.Program)
	}
	return nil
}

func said(o plan.Options) string {
	if flags := o.Flags(); flags != "" {
		return flags
	}
	return "no options"
}

// Journal keeps outcomes in a folder.
type Journal struct {
	// Torn lists the files that end in a line that is not whole and is not the last.
	Torn []string

	dir  string
	of   Sweep
	read []string // the files of other processes

	mu     sync.Mutex
	file   *os.File
	lines  int
	synced time.Time
}

// OpenJournal makes the folder if need be, and begins a file in it. It is an error if
// what the folder holds is of another sweep.
func OpenJournal(dir string, of Sweep) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("sweep: journal: %w", err)
	}
	j := &Journal{dir: dir, of: of}
	var err error
	if j.read, err = filesOf(dir); err != nil {
		return nil, err
	}
	for _, name := range j.read {
		if err := j.accepts(name); err != nil {
			return nil, err
		}
	}
	if err := j.create(); err != nil {
		return nil, fmt.Errorf("sweep: journal: %w", err)
	}
	return j, nil
}

// filesOf lists the files of the journal in a folder.
func filesOf(dir string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "journal-*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("sweep: journal: %w", err)
	}
	slices.Sort(names)
	return names, nil
}

// create begins the file of this process.
func (j *Journal) create() error {
	for number := len(j.read) + 1; ; number++ {
		name := filepath.Join(j.dir, fmt.Sprintf("journal-%04d.jsonl", number))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		j.file, j.synced = f, time.Now()
		if err := j.line(j.of); err != nil {
			return errors.Join(err, f.Close(), os.Remove(name))
		}
		return nil
	}
}

// syncEvery is how often a journal is synced.
const syncEvery = 5 * time.Second

// Add keeps an outcome. It may be called from several goroutines.
func (j *Journal) Add(o *Outcome) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.line(o); err != nil {
		return fmt.Errorf("sweep: journal: %w", err)
	}
	j.lines++
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	j.synced = time.Now()
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("sweep: journal: %w", err)
	}
	return nil
}

// line writes a value as one line, with one call: other processes read meanwhile.
func (j *Journal) line(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(text, '\n'))
	return err
}

// Close syncs the file of this process, or removes it if it holds no outcome.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lines == 0 {
		return errors.Join(j.file.Close(), os.Remove(j.file.Name()))
	}
	if err := errors.Join(j.file.Sync(), j.file.Close()); err != nil {
		return fmt.Errorf("sweep: journal: %w", err)
	}
	return nil
}
