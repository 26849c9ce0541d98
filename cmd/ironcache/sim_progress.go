package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/sys/unix"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/sweep"
)

// progress tells how far a sweep is: in place on a terminal, a line now and then
// elsewhere.
type progress struct {
	out      io.Writer
	terminal *os.File // nil: it is none

	mu     sync.Mutex
	name   string // of the sweep, if there are several
	wanted int
	began  time.Time
	told   time.Time
	before sweep.Table // what a journal had
	line   string      // that stands on the terminal
}

// How often progress is told.
const (
	onTerminal = 200 * time.Millisecond
	elsewhere  = 10 * time.Second
)

func newProgress(out io.Writer, wanted int) *progress {
	s := &progress{out: out}
	if f, ok := out.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		s.terminal = f
	}
	s.begin("", wanted)
	return s
}

// begin tells that the node of a sweep is built. The name is what its lines begin with.
func (s *progress) begin(name string, wanted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.name, s.wanted, s.before = name, wanted, sweep.Table{}
	s.began = time.Now()
	s.told = s.began
	if s.terminal != nil {
		s.draw(name + "building the node")
	}
}

// start counts the time from now on.
func (s *progress) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = time.Now()
}

// done tells how far the sweep is, if it is time to.
func (s *progress) done(o *sweep.Outcome, t *sweep.Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if o.Kept {
		s.before = sweep.Table{Ran: t.Kept, Virtual: t.Virtual}
	}
	every := elsewhere
	if s.terminal != nil {
		every = onTerminal
	}
	if o.Kept || now.Sub(s.told) < every {
		return
	}
	s.told = now
	text := s.name + s.state(t, now.Sub(s.began).Seconds())
	if s.terminal != nil {
		s.draw(bar(t.Ran, s.wanted, s.width()-len(text)-3) + text)
		return
	}
	fmt.Fprintln(s.out, text)
}

// state is how far the sweep is, after so many seconds.
func (s *progress) state(t *sweep.Table, passed float64) string {
	faults := 0
	for _, n := range t.Seen {
		faults += n
	}
	ran := float64(t.Ran - s.before.Ran)
	left := time.Duration(passed / ran * float64(s.wanted-t.Ran) * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%d/%d seeds, %d not ok, %.2f seeds/s, %.1f virtual s/s, %d faults seen, %s left",
		t.Ran, s.wanted, t.Ran-t.Classes[judge.OK], ran/passed, (t.Virtual-s.before.Virtual)/passed, faults, left)
}

// mostBar is how wide the bar is at most, in letters; below leastBar there is none.
const (
	leastBar = 5
	mostBar  = 20
)

// bar is the picture of a part of a whole, in as many letters or less.
func bar(part, whole, wide int) string {
	if wide = min(wide, mostBar); wide < leastBar {
		return ""
	}
	full := wide * part / max(1, whole)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", wide-full) + "] "
}

// width is how many letters the terminal has place for in a line; many if it does not
// say.
func (s *progress) width() int {
	size, err := unix.IoctlGetWinsize(int(s.terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return 1000
	}
	return int(size.Col) - 1
}

// draw puts a line in the place of the one before. What the terminal is too narrow
// for is left out.
func (s *progress) draw(line string) {
	s.line = line[:min(len(line), s.width())]
	fmt.Fprint(s.out, clearLine, s.line)
}

const clearLine = "\r\x1b[K"

// say prints a line above the progress.
func (s *progress) say(text string) {
	_ = s.around(func() error {
		_, err := fmt.Fprintln(s.out, text)
		return err
	})
}

// around prints something above the progress.
func (s *progress) around(print func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal == nil {
		return print()
	}
	fmt.Fprint(s.out, clearLine)
	err := print()
	fmt.Fprint(s.out, s.line)
	return err
}

// end makes room for what follows.
func (s *progress) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal != nil {
		fmt.Fprint(s.out, clearLine)
		s.line = ""
	}
}
