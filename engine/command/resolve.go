package command

import "github.com/elares/ironcache/engine/resp"

// Args is the arguments of one request, its name included.
type Args struct {
	Buf   []byte
	Spans []resp.Span
}

// Len is the number of arguments.
func (a Args) Len() int { return len(a.Spans) }

// At is argument i.
func (a Args) At(i int) []byte { return a.Spans[i].In(a.Buf) }

// Resolve finds the row of a request, descending to the subcommand, and checks
// the number of arguments. With an error the row is nil, or what could be found
// of it (for statistics).
func Resolve(a Args) (*Row, error) {
	row := Lookup(a.At(0))
	if row == nil {
		return nil, unknownCommand(a)
	}
	if row.Subs != 0 && len(a.Spans) > 1 {
		sub := row.Sub(a.At(1))
		if sub == nil {
			return nil, unknownSubcommand(a)
		}
		row = sub
	}
	if !row.ArityFits(len(a.Spans)) {
		return row, resp.WrongArity(row.Name)
	}
	return row, nil
}

func unknownCommand(a Args) error {
	rest := make([][]byte, 0, 16)
	for i := 1; i < a.Len() && i <= 16; i++ {
		rest = append(rest, a.At(i))
	}
	return resp.UnknownCommand(a.At(0), rest)
}

func unknownSubcommand(a Args) error {
	return resp.UnknownSubcommand(string(a.At(0)), a.At(1))
}
