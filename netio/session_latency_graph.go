package netio

import "strings"

// point is a value in a graph and what is written under it.
type point struct {
	value int64
	label string
}

// The graph of LATENCY GRAPH, in characters.
const (
	graphColumns = 80
	graphRows    = 4
	// graphInks fill a character more and more; above it, graphFull goes on.
	graphInks = "_o#"
	graphFull = '|'
)

// graph draws points between two values as columns, oldest first, with the
// labels written downwards below them.
func graph(points []point, low, high int64) string {
	var text strings.Builder
	text.WriteString(strings.Repeat("-", graphColumns) + "\n")
	for len(points) > 0 {
		n := min(len(points), graphColumns)
		drawColumns(&text, points[:n], low, high)
		if points = points[n:]; len(points) > 0 {
			text.WriteString("\n")
		}
	}
	return text.String()
}

func drawColumns(text *strings.Builder, points []point, low, high int64) {
	for row := graphRows - 1; row >= 0; row-- {
		for _, p := range points {
			text.WriteByte(ink(height(p.value, low, high) - row*len(graphInks)))
		}
		text.WriteString("\n")
	}
	text.WriteString(strings.Repeat(" ", len(points)) + "\n")
	for at := 0; ; at++ {
		line, any := labelLine(points, at)
		if !any {
			return
		}
		text.WriteString(line + "\n")
	}
}

// height is how high a value reaches, from 0 to one below the number of steps.
func height(value, low, high int64) int {
	steps := int64(graphRows * len(graphInks))
	return int(min(steps-1, (value-low)*steps/max(1, high-low)))
}

// ink is the character of a column whose top lies so many steps above the foot
// of the row.
func ink(above int) byte {
	switch {
	case above < 0:
		return ' '
	case above >= len(graphInks):
		return graphFull
	}
	return graphInks[above]
}

// labelLine is character at of all labels, and whether there is any.
func labelLine(points []point, at int) (line string, any bool) {
	chars := make([]byte, len(points))
	for i, p := range points {
		chars[i] = ' '
		if at < len(p.label) {
			chars[i], any = p.label[at], true
		}
	}
	return string(chars), any
}
