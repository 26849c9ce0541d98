package command

import (
	"bytes"

	"github.com/elares/ironcache/engine/resp"
)

// WriteCommandList replies to COMMAND LIST: the names of all commands, or of
// the commands and subcommands that a filter lets through. It takes the whole
// request.
func WriteCommandList(w *resp.Writer, a Args) error {
	pick, err := listFilter(a)
	if err != nil {
		return err
	}
	at, n := w.Mark(), 0
	for i := range Table {
		if row := &Table[i]; pick(row) {
			w.BulkString(row.Name)
			n++
		}
	}
	w.EndArray(at, n)
	return nil
}

// listFilters are the kinds of FILTERBY.
var listFilters = []struct {
	name string
	pick func(r *Row, want []byte) bool
}{
	{"module", func(*Row, []byte) bool { return false }},
	{"aclcat", inCategory},
	{"pattern", nameMatches},
}

func listFilter(a Args) (func(*Row) bool, error) {
	if a.Len() == 2 {
		return func(r *Row) bool { return !r.IsSub() }, nil
	}
	if a.Len() != 5 || !fold(a.At(2), "filterby") {
		return nil, resp.ErrSyntax
	}
	for _, filter := range listFilters {
		if fold(a.At(3), filter.name) {
			want := bytes.ToLower(a.At(4))
			return func(r *Row) bool { return filter.pick(r, want) }, nil
		}
	}
	return nil, resp.ErrSyntax
}

func inCategory(r *Row, want []byte) bool {
	return r.Categories&CategoryOf(string(want)) != 0
}

func nameMatches(r *Row, want []byte) bool {
	return resp.Match(want, []byte(r.Name), true)
}

// WriteCommandKeys replies to COMMAND GETKEYS and, withFlags, to COMMAND
// GETKEYSANDFLAGS: the keys of a request, given without the words in front.
func WriteCommandKeys(w *resp.Writer, a Args, withFlags bool) error {
	row, err := Resolve(a)
	switch {
	case row == nil:
		return resp.ErrCommandName
	case len(row.Keys) == 0:
		return resp.ErrCommandKeyless
	case err != nil:
		return resp.ErrCommandArgCount
	}
	refs, ok := AppendKeys(nil, row, a)
	if !ok || len(refs) == 0 && row.Flags&NoMandatoryKeys == 0 {
		return resp.ErrCommandArgs
	}
	w.Array(len(refs))
	for _, ref := range refs {
		if withFlags {
			w.Array(2)
		}
		w.Bulk(a.At(int(ref.Arg)))
		if withFlags {
			writeBits(w, keyFlagNames[:], uint32(ref.Flags), "")
		}
	}
	return nil
}
