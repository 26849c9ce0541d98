package sweep

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// accepts tells what keeps a file's outcomes from being added to the journal's.
func (j *Journal) accepts(name string) error {
	var err error
	_, readErr := readFile(name, func(of *Sweep) bool {
		err = j.of.differs(of, j.dir)
		return false
	}, nil)
	if readErr != nil {
		return readErr
	}
	return err
}

// Each tells of every outcome that the files of other processes hold. A seed comes
// more than once if several of them have run it.
func (j *Journal) Each(tell func(o *Outcome)) error {
	for _, name := range j.read {
		torn, err := readFile(name, nil, tell)
		if err != nil {
			return err
		}
		if torn {
			j.Torn = append(j.Torn, filepath.Base(name))
		}
	}
	return nil
}

// ReadJournal tells what the sweep in a folder is of, and of each outcome.
func ReadJournal(dir string, tell func(o *Outcome)) (*Sweep, error) {
	names, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	var first *Sweep
	for _, name := range names {
		var differs error
		_, err := readFile(name, func(of *Sweep) bool {
			if first == nil {
				first = of
			}
			differs = first.differs(of, dir)
			return differs == nil
		}, tell)
		if err == nil {
			err = differs
		}
		if err != nil {
			return nil, err
		}
	}
	if first == nil {
		return nil, fmt.Errorf("sweep: %s holds no journal of a sweep: one is written where --out is given", dir)
	}
	return first, nil
}

// readFile reads a file of a journal up to its end or to a line that is not whole, and
// tells whether something follows that. It stops after the head if that is not
// wanted.
func readFile(name string, head func(of *Sweep) bool, tell func(o *Outcome)) (torn bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return false, fmt.Errorf("sweep: journal: %w", err)
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return false, nil // what stands there is not whole
		}
		if err != nil {
			return false, fmt.Errorf("sweep: journal: %w", err)
		}
		if number == 1 {
			var of Sweep
			if json.Unmarshal(text, &of) != nil {
				return true, nil
			}
			if head != nil && !head(&of) {
				return false, nil
			}
			continue
		}
		var o Outcome
		if json.Unmarshal(text, &o) != nil || o.Class == "" {
			return true, nil
		}
		o.Kept = true
		tell(&o)
	}
}
