package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/elares/ironcache/chaos/play"
)

// Log is what happened in a run, as its page shows it.
type Log struct{ happened []play.Happening }

// Add adds what happened next. Nodes run ahead of each other a little, so that
// times need not rise.
func (l *Log) Add(h *play.Happening) { l.happened = append(l.happened, *h) }

// Write writes all of it, a line each, as it happened.
func (l *Log) Write(w io.Writer) error {
	for i := range l.happened {
		if _, err := fmt.Fprintln(w, &l.happened[i]); err != nil {
			return fmt.Errorf("report: log: %w", err)
		}
	}
	return nil
}

// mostLines bounds what a page shows of a log.
const mostLines = 20_000

// cut gives the lines of a page in the order of time: all of them, or those that
// are notable and those next to the moment of the failure; and says what is left
// out.
func (l *Log) cut(most int, focus int64) (lines []play.Happening, said string) {
	lines = slices.Clone(l.happened)
	slices.SortStableFunc(lines, func(a, b play.Happening) int { return cmp.Compare(a.At, b.At) })
	if len(lines) <= most {
		return lines, ""
	}
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	away := func(h *play.Happening) int64 { return max(h.At-focus, focus-h.At) }
	slices.SortStableFunc(order, func(a, b int) int {
		one, other := &lines[a], &lines[b]
		return cmp.Or(rank(one)-rank(other), cmp.Compare(away(one), away(other)))
	})
	kept := slices.Sorted(slices.Values(order[:most]))
	var list []play.Happening
	for _, i := range kept {
		list = append(list, lines[i])
	}
	return list, fmt.Sprintf(
		"%d of %d lines: those that are notable, and of the others those nearest to %.3f s, the moment that the failure names. The rest is in log.txt, beside this page.",
		len(list), len(lines), float64(focus)/1e9)
}

// rank puts what is notable before all else.
func rank(h *play.Happening) int {
	if h.Notable {
		return 0
	}
	return 1
}
