package differ

import (
	"fmt"
	"testing"
)

// Random compares two servers over seeded streams until n commands are done.
// Each row that differs is shrunk and reported once.
type Random struct {
	Redis, Ours string // addresses
	Seed        uint64 // of the first stream
	Commands    int
	Counts      *Counts

	reported map[string]bool
}

// Run plays the streams, a subtest each.
func (r *Random) Run(t *testing.T) {
	r.reported = map[string]bool{}
	done := 0
	for seed := r.Seed; done < r.Commands && len(r.reported) < 20 && answers(r.Ours); seed++ {
		stream := NewStream(seed)
		t.Run(stream.Name(), func(t *testing.T) { r.play(t, stream) })
		done += len(stream.Steps)
	}
	r.Counts.Count(func(c *Counts) { c.Commands += done })
}

func (r *Random) play(t *testing.T, stream Stream) {
	p, err := NewPlayer(r.Redis, r.Ours, r.Counts)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	diff, err := p.Play(stream.Steps)
	if err != nil {
		t.Fatal(err)
	}
	if diff == nil {
		return
	}
	r.Counts.Count(func(c *Counts) { c.Differences++ })
	row := RowName(diff.Args)
	if r.reported[row] {
		t.Errorf("step %d: %s differs again: %v", diff.At, row, diff)
		return
	}
	r.reported[row] = true
	text, err := p.Reduce(stream.Steps, diff)
	if err != nil {
		t.Fatalf("step %d: %v", diff.At, err)
	}
	t.Errorf("step %d:\n%s", diff.At, text)
}

// Thin says which rows a big run did not exercise enough: each wants at least
// calls calls, some answered without an error (unless it cannot be).
func (c *Counts) Thin(calls, fine int) []string {
	var thin []string
	for _, row := range randomRows() {
		count := c.Row(row.name)
		if count.Calls < calls || !row.refused && count.Fine < fine || len(count.Errors) < row.errors {
			thin = append(thin, fmt.Sprintf("%s: %d calls, %d fine, %d kinds of error of at least %d",
				row.name, count.Calls, count.Fine, len(count.Errors), row.errors))
		}
	}
	return thin
}
