package command

import "github.com/elares/ironcache/engine/resp"

// WriteCommandDocs replies to COMMAND DOCS: the documentation of each named
// command, of all commands if no name is given. Unknown names are left out.
func WriteCommandDocs(w *resp.Writer, names ...[]byte) {
	if len(names) == 0 {
		w.Map(CommandCount())
		eachCommand(func(r *Row) { writeNamedDoc(w, r) })
		return
	}
	at, n := w.Mark(), 0
	for _, name := range names {
		if row := Named(name); row != nil {
			writeNamedDoc(w, row)
			n++
		}
	}
	w.EndMap(at, n)
}

func writeNamedDoc(w *resp.Writer, r *Row) {
	w.BulkString(r.Name)
	writeDoc(w, r)
}

func writeDoc(w *resp.Writer, r *Row) {
	m := mapWriter{w: w, at: w.Mark()}
	m.text("summary", r.Doc.Summary)
	m.text("since", r.Doc.Since)
	m.text("group", r.Group)
	m.text("complexity", r.Doc.Complexity)
	m.flags(&r.Doc)
	m.text("deprecated_since", r.Doc.DeprecatedSince)
	m.text("replaced_by", r.Doc.ReplacedBy)
	if changes := changesOf(r); len(changes) > 0 {
		m.key("history")
		writeHistory(w, changes)
	}
	if len(r.Doc.Args) != 0 {
		m.key("arguments")
		writeArgs(w, r.Doc.Args)
	}
	if r.Subs != 0 {
		m.key("subcommands")
		w.Map(int(r.Subs))
		for i := range r.Children() {
			writeNamedDoc(w, &r.Children()[i])
		}
	}
	m.end()
}

func writeArgs(w *resp.Writer, list []Arg) {
	w.Array(len(list))
	for i := range list {
		writeArg(w, &list[i])
	}
}

func writeArg(w *resp.Writer, a *Arg) {
	m := mapWriter{w: w, at: w.Mark()}
	m.text("name", a.Name)
	m.text("type", argKindNames[a.Kind])
	if a.Kind == KindKey {
		m.key("key_spec_index")
		w.Int(int64(a.Key))
	}
	m.text("token", a.Token)
	m.text("since", a.Since)
	m.text("deprecated_since", a.DeprecatedSince)
	if a.Flags != 0 {
		m.key("flags")
		writeBits(w, argFlagNames[:], uint32(a.Flags), "")
	}
	if len(a.Args) != 0 {
		m.key("arguments")
		writeArgs(w, a.Args)
	}
	m.end()
}

// mapWriter counts the keys of a map while it is written.
type mapWriter struct {
	w  *resp.Writer
	at resp.Mark
	n  int
}

func (m *mapWriter) key(name string) {
	m.w.BulkString(name)
	m.n++
}

// text adds a pair unless the value is empty.
func (m *mapWriter) text(name, value string) {
	if value != "" {
		m.key(name)
		m.w.BulkString(value)
	}
}

// flags adds what kind of command it is, unless it is an ordinary one.
func (m *mapWriter) flags(d *Doc) {
	switch {
	case d.DeprecatedSince != "":
		m.flag("deprecated")
	case d.System:
		m.flag("syscmd")
	}
}

func (m *mapWriter) flag(name string) {
	m.key("doc_flags")
	m.w.Set(1)
	m.w.Simple(name)
}

func (m *mapWriter) end() { m.w.EndMap(m.at, m.n) }
