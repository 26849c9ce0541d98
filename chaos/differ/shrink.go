package differ

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// shrinkTime bounds the search for a shorter stream.
const shrinkTime = 20 * time.Second

// shrinkPatience bounds the wait for a reply while shrinking, where a server
// that hangs is asked again and again.
const shrinkPatience = 500 * time.Millisecond

// Shrink drops steps from a stream as long as fails stays true, and stops when
// no single step can go or the time is over.
func Shrink(steps []Step, fails func([]Step) bool) []Step {
	deadline := time.Now().Add(shrinkTime)
	for size := len(steps) / 2; size > 0 && time.Now().Before(deadline); {
		shorter, ok := dropOne(steps, size, deadline, fails)
		steps = shorter
		if !ok || size > len(steps) {
			size /= 2
		}
	}
	return steps
}

// dropOne tries to leave out each run of size steps once, the last first, and
// says whether any went.
func dropOne(steps []Step, size int, deadline time.Time, fails func([]Step) bool) ([]Step, bool) {
	dropped := false
	for at := len(steps) - size; at >= 0 && time.Now().Before(deadline); at -= size {
		rest := slices.Concat(steps[:at], steps[at+size:])
		if len(rest) > 0 && fails(rest) {
			steps, dropped = rest, true
		}
	}
	return steps, dropped
}

// unpipelined is the same stream without pipelines.
func unpipelined(steps []Step) []Step {
	single := slices.Clone(steps)
	for i := range single {
		single[i].Cut = true
	}
	return single
}

// Reduce shrinks a stream that found a difference, keeping the command that
// was answered differently, and tells it as a script.
func (p *Player) Reduce(steps []Step, diff *Difference) (string, error) {
	quiet := &Player{sides: p.sides, counts: NewCounts(), patience: shrinkPatience}
	row := RowName(diff.Args)
	fails := func(candidate []Step) bool {
		d, err := quiet.Play(candidate)
		return err == nil && d != nil && RowName(d.Args) == row
	}
	steps = steps[:diff.At+1]
	if single := unpipelined(steps); fails(single) {
		steps = single
	}
	if !fails(steps) {
		return "", fmt.Errorf("differ: the difference does not come back: %v", diff)
	}
	steps = Shrink(steps, fails)
	last, err := quiet.Play(steps)
	if err != nil || last == nil {
		return "", fmt.Errorf("differ: the shrunk stream does not differ (%v): %v", err, diff)
	}
	return script(steps, last), nil
}

// script writes steps as a script whose last block shows the difference.
func script(steps []Step, diff *Difference) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s differs\nreset\n----\n", strings.ReplaceAll(RowName(diff.Args), "|", " "))
	for at := 0; at < len(steps); {
		end := batchEnd(steps, at)
		if steps[at].Pause > 0 {
			fmt.Fprintf(&out, "\nsleep ms=%d\n----\n", steps[at].Pause.Milliseconds())
		}
		fmt.Fprintf(&out, "\ndo conn=c%d\n", steps[at].Conn)
		for _, step := range steps[at:end] {
			fmt.Fprintln(&out, strings.Replace(Join(step.Args), sweepWord, "scan 0", 1))
		}
		out.WriteString("----\n")
		at = end
	}
	fmt.Fprintf(&out, "# %s", strings.ReplaceAll(strings.TrimSpace(diff.String()), "\n", "\n# "))
	return out.String() + "\n"
}
