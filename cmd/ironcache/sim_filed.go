package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/sweep"
)

// failures is the folder for what failed where no other is given.
const failures = "sim-failures"

// bundle is the folder that a seed is filed in if it fails.
func (c *simRunCommand) bundle(seed uint64) string {
	dir := c.Out
	if dir == "" {
		dir = failures
	}
	return filepath.Join(dir, fmt.Sprintf("seed-%d", seed))
}

// mostTold bounds of how many seeds is told where they are filed.
const mostTold = 5

// tellFiled tells where seeds that failed are filed, and what one may do with them.
func (c *simRunCommand) tellFiled(w io.Writer, t *sweep.Table) {
	told := 0
	for _, f := range t.Failures {
		dir := c.bundle(f.Seed)
		if _, err := os.Stat(filepath.Join(dir, "about.json")); err != nil {
			continue
		}
		if told++; told > mostTold {
			fmt.Fprintf(w, "\nothers that failed are filed beside these\n")
			return
		}
		word := sweep.ShellWord(dir)
		fmt.Fprintf(w, "\nseed %d is filed in %s\n  what happened       %s\n  to run it again     ironcache sim replay %s\n  to make it smaller  ironcache sim shrink %s\n",
			f.Seed, word, sweep.ShellWord(filepath.Join(dir, "page.html")), word, word)
	}
}

// filer has bundles written.
type filer struct {
	say    func(text string)
	folder func(seed uint64) string

	mu    sync.Mutex
	filed map[judge.Class]int
}

// mostFiled bounds how many bundles of a class a process writes: a node that is
// wrong in every run would fill the disk.
const mostFiled = 20

// file writes the bundle of a run that failed.
func (f *filer) file(o *sweep.Outcome, write func(dir string) error) {
	if !f.wanted(o.Class) {
		return
	}
	if err := write(f.folder(o.Seed)); err != nil {
		f.say("ironcache: " + explain(err))
	}
}

// wanted counts the bundles of a class.
func (f *filer) wanted(class judge.Class) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.filed == nil {
		f.filed = map[judge.Class]int{}
	}
	f.filed[class]++
	if f.filed[class] == mostFiled+1 {
		f.say(fmt.Sprintf("ironcache: %d seeds of class %s are filed; of further ones, sim --from SEED --seeds 1 files one", mostFiled, class))
	}
	return f.filed[class] <= mostFiled
}
