package differ

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Scripts replays script files and keeps the blocks that came out differently.
type Scripts struct {
	Counts *Counts
	wrong  []string
}

// Rewrite runs a script against redis-server in RESP2 under datadriven's own
// comparison, whose -rewrite flag regenerates the expected text.
func (s *Scripts) Rewrite(t *testing.T, path, redis string) {
	session := s.open(t, redis, 2, true)
	defer session.Close()
	s.begin(t, path)
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		out, ran, err := session.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		if !ran {
			return d.Expected
		}
		return out
	})
}

// Expect runs a script against ours in RESP2 and compares with the expected text.
func (s *Scripts) Expect(t *testing.T, path, ours string) {
	session := s.open(t, ours, 2, false)
	defer session.Close()
	s.begin(t, path)
	s.each(t, path, func(t *testing.T, d *datadriven.TestData) {
		out, _, err := session.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		s.compare(d, d.Expected, out)
	})
}

// Pair runs a script against both servers in the given protocol and compares
// what they answer.
func (s *Scripts) Pair(t *testing.T, path, redis, ours string, proto int) {
	left, right := s.open(t, redis, proto, true), s.open(t, ours, proto, true)
	defer left.Close()
	defer right.Close()
	s.begin(t, path)
	s.each(t, path, func(t *testing.T, d *datadriven.TestData) {
		want, _, err := left.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := right.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		s.compare(d, want, got)
	})
}

// each calls fn for every block of a script, and fails the test at the end if
// there were differences, so that one does not hide the next.
func (s *Scripts) each(t *testing.T, path string, fn func(*testing.T, *datadriven.TestData)) {
	s.wrong = nil
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		fn(t, d)
		return d.Expected
	})
	for _, text := range s.wrong {
		t.Error(text)
	}
	s.Counts.Count(func(c *Counts) { c.Differences += len(s.wrong) })
}

func (s *Scripts) open(t *testing.T, addr string, proto int, lacks bool) *Session {
	session, err := NewSession(addr, proto, lacks, s.Counts)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// begin counts a script with its conversations and blocks.
func (s *Scripts) begin(t *testing.T, path string) {
	names, err := conversationNames(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Counts.Count(func(c *Counts) {
		c.Scripts++
		c.Conversations += len(names)
	})
}

func (s *Scripts) compare(d *datadriven.TestData, want, got string) {
	s.Counts.Count(func(c *Counts) { c.Steps++ })
	if want == got || allAccepted(d, want, got) {
		return
	}
	s.wrong = append(s.wrong, fmt.Sprintf("%s: %s\n%s\nexpected:\n%sgot:\n%s", d.Pos, d.Cmd, d.Input, want, got))
}

// allAccepted says whether every difference between two outputs of a block is
// on the list of accepted ones.
func allAccepted(d *datadriven.TestData, want, got string) bool {
	left, right := elements(want), elements(got)
	lines := strings.Split(d.Input, "\n")
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if left[i] == right[i] {
			continue
		}
		args, err := Split(lines[min(i, len(lines)-1)])
		if err != nil || acceptedBy(args, left[i], right[i]) == nil {
			return false
		}
	}
	return true
}

// elements cuts a block's output into its replies: a line and the indented
// lines after it.
func elements(text string) []string {
	var all []string
	for _, line := range strings.SplitAfter(text, "\n") {
		switch {
		case line == "":
		case strings.HasPrefix(line, "  ") && len(all) > 0:
			all[len(all)-1] += line
		default:
			all = append(all, line)
		}
	}
	return all
}
