package netio

import (
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

func TestLolwut(t *testing.T) {
	c := newTown(t, 1).dial()
	c.check(
		[2]string{"lolwut version 1", "$17\r\nRedis ver. 7.4.0\n\r\n"},
		[2]string{"lolwut version 7 1 2 3", "$17\r\nRedis ver. 7.4.0\n\r\n"},
		[2]string{"lolwut version", "$17\r\nRedis ver. 7.4.0\n\r\n"},
		[2]string{"lolwut version x", "-ERR value is not an integer or out of range\r\n"},
	)
	for _, line := range []string{"lolwut", "lolwut version 5 1 1", "lolwut version 6"} {
		if got := c.line(line); !strings.HasSuffix(got, "Redis ver. 7.4.0\n\r\n") || strings.Count(got, "\n") < 10 {
			t.Errorf("%s: %q", line, got)
		}
	}
	c.line("hello 3")
	c.check([2]string{"lolwut version 1", "=21\r\ntxt:Redis ver. 7.4.0\n\r\n"})
}

// A crystal is the same upside down and mirrored, fits a terminal, and not all
// are the same.
func TestFrost(t *testing.T) {
	seen := map[string]bool{}
	draws := sim.NewRand(1)
	for range 100 {
		text := frost(draws.Uint64())
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, line := range lines {
			if line != lines[len(lines)-1-i] || len(line) > 78 {
				t.Fatalf("not a crystal:\n%s", text)
			}
		}
		seen[text] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d different crystals", len(seen))
	}
}
