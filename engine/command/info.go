package command

import (
	"bytes"

	"github.com/elares/ironcache/engine/resp"
)

// WriteCommandInfo replies to COMMAND and COMMAND INFO: the description of
// each named command, of all commands if no name is given. "object|freq" names
// a subcommand.
func WriteCommandInfo(w *resp.Writer, names ...[]byte) {
	if len(names) == 0 {
		w.Array(CommandCount())
		eachCommand(func(r *Row) { writeInfo(w, r) })
		return
	}
	w.Array(len(names))
	for _, name := range names {
		if row := Named(name); row != nil {
			writeInfo(w, row)
		} else {
			w.Null()
		}
	}
}

// Named finds a command by its name or a subcommand by "command|subcommand".
func Named(name []byte) *Row {
	parent, sub, isSub := bytes.Cut(name, []byte{'|'})
	row := Lookup(parent)
	if row == nil || !isSub {
		return row
	}
	return row.Sub(sub)
}

// CommandCount is the number of commands, subcommands not counted.
func CommandCount() int {
	n := 0
	eachCommand(func(*Row) { n++ })
	return n
}

func eachCommand(do func(*Row)) {
	for i := 0; i < len(Table); i += 1 + int(Table[i].Subs) {
		do(&Table[i])
	}
}

func writeInfo(w *resp.Writer, r *Row) {
	first, last, step := r.legacyRange()
	w.Array(10)
	w.BulkString(r.Name)
	w.Int(int64(r.Arity))
	writeBits(w, flagNames[:], uint32(r.Flags), "")
	w.Int(int64(first))
	w.Int(int64(last))
	w.Int(int64(step))
	writeBits(w, CategoryNames[:], uint32(r.Categories), "@")
	w.Set(len(r.Tips))
	for _, tip := range r.Tips {
		w.BulkString(tip)
	}
	w.Set(len(r.Keys))
	for i := range r.Keys {
		writeKeySpec(w, &r.Keys[i])
	}
	if r.Subs == 0 {
		w.Set(0) // as Redis has it: what is not empty is an array
		return
	}
	w.Array(int(r.Subs))
	for i := range r.Children() {
		writeInfo(w, &r.Children()[i])
	}
}

// writeBits replies with the set of the names whose bits are set.
func writeBits(w *resp.Writer, names []string, bits uint32, prefix string) {
	at, n := w.Mark(), 0
	for bit, name := range names {
		if bits>>bit&1 != 0 && name != "" {
			w.Simple(prefix + name)
			n++
		}
	}
	w.EndSet(at, n)
}

func writeKeySpec(w *resp.Writer, s *KeySpec) {
	parts := 3
	if s.Notes != "" {
		parts = 4
	}
	w.Map(parts)
	if s.Notes != "" {
		w.BulkString("notes")
		w.BulkString(s.Notes)
	}
	w.BulkString("flags")
	writeBits(w, keyFlagNames[:], uint32(s.Flags), "")
	w.BulkString("begin_search")
	writeBegin(w, &s.Begin)
	w.BulkString("find_keys")
	writeFind(w, &s.Find)
}

// field is a named number of a key spec.
type field struct {
	name  string
	value int
}

func writeBegin(w *resp.Writer, b *Begin) {
	switch b.Kind {
	case BeginIndex:
		writeSpec(w, "index", field{"index", b.Index})
	case BeginKeyword:
		writeSpecHead(w, "keyword", 2)
		w.BulkString("keyword")
		w.BulkString(b.Keyword)
		w.BulkString("startfrom")
		w.Int(int64(b.From))
	default:
		writeSpec(w, "unknown")
	}
}

func writeFind(w *resp.Writer, f *Find) {
	switch f.Kind {
	case FindRange:
		writeSpec(w, "range", field{"lastkey", f.Last}, field{"keystep", f.Step}, field{"limit", f.Limit})
	case FindKeyNum:
		writeSpec(w, "keynum", field{"keynumidx", f.NumAt}, field{"firstkey", f.First}, field{"keystep", f.Step})
	default:
		writeSpec(w, "unknown")
	}
}

func writeSpecHead(w *resp.Writer, kind string, fields int) {
	w.Map(2)
	w.BulkString("type")
	w.BulkString(kind)
	w.BulkString("spec")
	w.Map(fields)
}

func writeSpec(w *resp.Writer, kind string, fields ...field) {
	writeSpecHead(w, kind, len(fields))
	for _, f := range fields {
		w.BulkString(f.name)
		w.Int(int64(f.value))
	}
}

// legacyRange sums the key specs up as clients from before key specs expect:
// the first key, the last one (negative from the end) and the step between
// keys; zeros where there are none.
func (r *Row) legacyRange() (first, last, step int) {
	if len(r.Keys) == 1 && r.Keys[0].isRange() {
		spec := &r.Keys[0]
		return spec.Begin.Index, spec.lastIndex(), spec.Find.Step
	}
	for i := range r.Keys {
		spec := &r.Keys[i]
		if !spec.isRange() || spec.Find.Step != 1 || last != 0 && last != spec.Begin.Index-1 {
			continue
		}
		if first == 0 {
			first, step = spec.Begin.Index, 1
		}
		// As unsigned numbers, so that "up to the end" wins.
		last = int(int32(max(uint32(last), uint32(spec.lastIndex()))))
	}
	return first, last, step
}

func (s *KeySpec) isRange() bool {
	return s.Begin.Kind == BeginIndex && s.Find.Kind == FindRange
}

// lastIndex is the last argument of a range; negative from the end.
func (s *KeySpec) lastIndex() int {
	if s.Find.Last < 0 {
		return s.Find.Last
	}
	return s.Begin.Index + s.Find.Last
}
