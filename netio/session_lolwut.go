package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// lolwut shows a picture that is another one each time, and the version. Asked
// for anything but the picture of a version that had one, it tells the version
// only.
func lolwut(r *Request) {
	draws := r.Len() == 1
	if r.Len() > 2 && is(r.At(1), "version") {
		version, ok := resp.ParseInt(r.At(2))
		if !ok {
			r.Reply.Error(resp.ErrNotInteger)
			return
		}
		draws = version == 5 || version == 6
	}
	text := "Redis ver. " + RedisLevel + "\n"
	if draws {
		text = frost(r.Loop.shard.Call().Rand.Uint64()) + "\nFrost on iron, " + text
	}
	r.Reply.Verbatim("txt", text)
}

// frostRadius is how far a crystal may grow, in cells.
const frostRadius = 11

// frostInks show when a cell froze: the first ones are the oldest.
const frostInks = "#*+o."

// crystal is a snow crystal on a hexagonal grid: frozen[q][r] is the step in
// which a cell froze, 0 for never. The middle is at frostRadius+1 in both.
type crystal [2*frostRadius + 3][2*frostRadius + 3]int

// around are the ways to the six neighbours of a cell.
var around = [...][2]int{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}

// frost grows a crystal after Norman Packard's rule: a cell freezes when the
// number of its frozen neighbours is one of a set. That set always has one in
// it; the draw says which other numbers it has, and how long the crystal grows.
func frost(draw uint64) string {
	const middle = frostRadius + 1
	freezes := uint(1<<1 | draw&0x7c&^(1<<2|1<<6))
	steps := 7 + int(draw>>8%(frostRadius-6))
	c := &crystal{}
	c[middle][middle] = 1
	for step := 2; step <= steps; step++ {
		c.grow(step, freezes)
	}
	return c.draw()
}

// grow freezes the cells of one step.
func (c *crystal) grow(step int, freezes uint) {
	for q := 1; q < len(c)-1; q++ {
		for r := 1; r < len(c)-1; r++ {
			if c[q][r] == 0 && freezes>>c.neighbours(q, r, step)&1 == 1 {
				c[q][r] = step
			}
		}
	}
}

// neighbours counts those that were frozen before a step.
func (c *crystal) neighbours(q, r, step int) int {
	n := 0
	for _, way := range around {
		if at := c[q+way[0]][r+way[1]]; at > 0 && at < step {
			n++
		}
	}
	return n
}

// draw shows the crystal, each row shifted by half a cell.
func (c *crystal) draw() string {
	var text strings.Builder
	for r := 1; r < len(c)-1; r++ {
		line := []byte(strings.Repeat(" ", 4*len(c)))
		for q := 1; q < len(c)-1; q++ {
			if at := c[q][r]; at > 0 {
				line[2*q+r] = frostInks[min((at-1)/3, len(frostInks)-1)]
			}
		}
		if shown := strings.TrimRight(string(line), " "); shown != "" {
			text.WriteString(shown + "\n")
		}
	}
	return text.String()
}
