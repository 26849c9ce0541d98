package command

import (
	"math"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// lcsOptions are the options of LCS.
type lcsOptions struct {
	length, index, withLen bool
	minLen                 int64 // of the matches that IDX lists
}

// lcs finds the longest common subsequence of two strings.
func lcs(c *Call) error {
	a, errA := c.readString(1)
	b, errB := c.readString(2)
	if errA != nil || errB != nil {
		return resp.ErrLCSStrings
	}
	o, err := c.lcsOptions()
	if err != nil {
		return err
	}
	var digitsA, digitsB [24]byte
	var textA, textB []byte
	if a.Ok() {
		textA = a.Value(&digitsA)
	}
	if b.Ok() {
		textB = b.Value(&digitsB)
	}
	grid, err := c.lcsGrid(textA, textB)
	if err != nil {
		return err
	}
	defer grid.scratch.Close()
	c.replyLCS(grid, o)
	return nil
}

func (c *Call) lcsOptions() (o lcsOptions, err error) {
	for i := 3; i < c.Argc(); i++ {
		word := c.Arg(i)
		switch {
		case fold(word, "idx"):
			o.index = true
		case fold(word, "len"):
			o.length = true
		case fold(word, "withmatchlen"):
			o.withLen = true
		case fold(word, "minmatchlen") && i+1 < c.Argc():
			i++
			if o.minLen, err = c.int(i); err != nil {
				return o, err
			}
		default:
			return o, resp.ErrSyntax
		}
	}
	if o.index && o.length {
		return o, resp.ErrLCSBoth
	}
	return o, nil
}

// lcsGrid holds, for every pair of prefixes of two strings, the length of their
// longest common subsequence.
type lcsGrid struct {
	a, b  []byte
	cells []uint32 // (len(a)+1) rows of len(b)+1

	scratch keyspace.Scratch // that the cells lie in
}

// lcsGrid fills a grid, which may take as much memory as the longest string.
func (c *Call) lcsGrid(a, b []byte) (*lcsGrid, error) {
	if len(a) >= math.MaxUint32-1 || len(b) >= math.MaxUint32-1 {
		return nil, resp.ErrLCSTooLong
	}
	size := (uint64(len(a)) + 1) * (uint64(len(b)) + 1)
	if size*4 > uint64(c.Policy.MaxBulk) {
		return nil, resp.ErrLCSMemory
	}
	cells, scratch, err := c.own.Scratch(int(size))
	if err != nil {
		return nil, resp.ErrLCSMemory
	}
	g := &lcsGrid{a, b, cells, scratch}
	for i := range a {
		g.fillRow(i)
	}
	return g, nil
}

// fillRow fills the row of the first i+1 bytes of a.
func (g *lcsGrid) fillRow(i int) {
	width := len(g.b) + 1
	above, row := g.cells[i*width:(i+1)*width], g.cells[(i+1)*width:(i+2)*width]
	for j, char := range g.b {
		if g.a[i] == char {
			row[j+1] = above[j] + 1
		} else {
			row[j+1] = max(above[j+1], row[j])
		}
	}
}

// at is the length for the first i bytes of a and the first j of b.
func (g *lcsGrid) at(i, j int) uint32 { return g.cells[i*(len(g.b)+1)+j] }

func (g *lcsGrid) length() uint32 { return g.at(len(g.a), len(g.b)) }

// lcsMatch is a run of common bytes: a[a:a+n] and b[b:b+n].
type lcsMatch struct{ a, b, n int }

// matches calls fn for every run of common bytes, from the end to the start.
func (g *lcsGrid) matches(fn func(lcsMatch)) {
	run := lcsMatch{}
	for i, j := len(g.a), len(g.b); i > 0 && j > 0; {
		if g.a[i-1] == g.b[j-1] {
			i, j = i-1, j-1
			run = lcsMatch{i, j, run.n + 1}
			continue
		}
		if run.n > 0 {
			fn(run)
			run.n = 0
		}
		if g.at(i-1, j) > g.at(i, j-1) {
			i--
		} else {
			j--
		}
	}
	if run.n > 0 {
		fn(run)
	}
}

func (c *Call) replyLCS(g *lcsGrid, o lcsOptions) {
	switch {
	case o.index:
		c.replyMatches(g, o)
	case o.length:
		c.Reply.Int(int64(g.length()))
	default:
		c.Reply.Bulk(g.subsequence())
	}
}

func (g *lcsGrid) subsequence() []byte {
	text := make([]byte, g.length())
	end := len(text)
	g.matches(func(m lcsMatch) {
		end -= m.n
		copy(text[end:], g.a[m.a:m.a+m.n])
	})
	return text
}

func (c *Call) replyMatches(g *lcsGrid, o lcsOptions) {
	c.Reply.Map(2)
	c.Reply.BulkString("matches")
	at, n := c.Reply.Mark(), 0
	g.matches(func(m lcsMatch) {
		if int64(m.n) >= o.minLen {
			c.replyMatch(m, o.withLen)
			n++
		}
	})
	c.Reply.EndArray(at, n)
	c.Reply.BulkString("len")
	c.Reply.Int(int64(g.length()))
}

func (c *Call) replyMatch(m lcsMatch, withLen bool) {
	parts := 2
	if withLen {
		parts = 3
	}
	c.Reply.Array(parts)
	for _, start := range [...]int{m.a, m.b} {
		c.Reply.Array(2)
		c.Reply.Int(int64(start))
		c.Reply.Int(int64(start + m.n - 1))
	}
	if withLen {
		c.Reply.Int(int64(m.n))
	}
}
