package command

import "strings"

// KeyRef is one key of a request: the argument it stands in and what the
// command does with it.
type KeyRef struct {
	Arg   uint32
	Flags KeyFlag
}

// AppendKeys appends the keys of a request of that row, in the order of its
// key specs. It reports false when a spec does not fit the arguments.
func AppendKeys(dst []KeyRef, row *Row, a Args) ([]KeyRef, bool) {
	for i := range row.Keys {
		spec := &row.Keys[i]
		if spec.Flags&NotKey != 0 {
			continue
		}
		begin, found := spec.Begin.in(a)
		if !found {
			continue
		}
		first, last, step := spec.Find.from(begin, a)
		if first < 1 || last >= a.Len() || step < 1 {
			return dst, false
		}
		flags := spec.Flags
		if flags&VariableFlags != 0 && row.Variable != nil {
			flags = row.Variable(a)
		}
		for arg := first; arg <= last; arg += step {
			dst = append(dst, KeyRef{uint32(arg), flags})
		}
	}
	return dst, true
}

// in finds the argument to begin at.
func (b *Begin) in(a Args) (int, bool) {
	switch b.Kind {
	case BeginIndex:
		return b.Index, true
	case BeginKeyword:
		return b.after(a)
	}
	return 0, false
}

// after finds the argument that follows the keyword.
func (b *Begin) after(a Args) (int, bool) {
	at, way := b.From, 1
	if b.From < 0 {
		at, way = a.Len()+b.From, -1
	}
	for ; at > 0 && at < a.Len(); at += way {
		if strings.EqualFold(string(a.At(at)), b.Keyword) {
			return at + 1, at+1 < a.Len()
		}
	}
	return 0, false
}

// from gives the first and last argument of a group that begins at begin, and
// the distance between neighbours. A group that does not fit has last beyond
// the arguments.
func (f *Find) from(begin int, a Args) (first, last, step int) {
	switch f.Kind {
	case FindRange:
		return begin, f.lastOf(begin, a), f.Step
	case FindKeyNum:
		return f.counted(begin, a)
	}
	return 0, 0, 0
}

func (f *Find) lastOf(begin int, a Args) int {
	switch {
	case f.Last >= 0:
		return begin + f.Last
	case f.Limit <= 1:
		return a.Len() + f.Last
	}
	return begin + (a.Len()-begin)/f.Limit + f.Last
}

func (f *Find) counted(begin int, a Args) (first, last, step int) {
	at := begin + f.NumAt
	if at >= a.Len() {
		return 0, 0, 0
	}
	n, ok := smallCount(a.At(at))
	if !ok || n < 0 || n > a.Len() {
		return 0, 0, 0
	}
	first = begin + f.First
	return first, first + (n-1)*f.Step, f.Step
}
