package command

import (
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// WriteHelp replies to the HELP subcommand of a command.
func WriteHelp(w *resp.Writer, row *Row) { writeHelp(w, row, row.Children()) }

func writeHelp(w *resp.Writer, row *Row, subs []Row) {
	name := strings.ToUpper(row.Name)
	w.Array(1 + 2*len(subs))
	w.Simple(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")
	for i := range subs {
		sub := &subs[i]
		words := append([]string{strings.ToUpper(sub.Name[len(name)+1:])}, synopses(sub.Doc.Args)...)
		w.Simple(strings.Join(words, " "))
		w.Simple("    " + sub.Doc.Summary + ".")
	}
}

func synopses(list []Arg) []string {
	words := make([]string, len(list))
	for i := range list {
		words[i] = list[i].synopsis()
	}
	return words
}

// synopsis shows how an argument is written: <value>, TOKEN, a | b, [optional],
// repeated ...
func (a *Arg) synopsis() string {
	text := "<" + a.Name + ">"
	switch a.Kind {
	case KindPureToken:
		return a.around(a.Token)
	case KindOneOf:
		text = strings.Join(synopses(a.Args), " | ")
	case KindBlock:
		text = strings.Join(synopses(a.Args), " ")
	}
	if a.Token != "" {
		text = a.Token + " " + text
	}
	return a.around(text)
}

func (a *Arg) around(text string) string {
	if a.Flags&Multiple != 0 {
		text += " ..."
	}
	if a.Flags&Optional != 0 {
		text = "[" + text + "]"
	}
	return text
}
