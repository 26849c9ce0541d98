package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
)

// veil is what monitors and the slow log see in place of a secret.
const veil = "(redacted)"

// veiled gives a request without the passwords in it.
func veiled(row *command.Row, args command.Args) command.Args {
	hides := secretsOf[row.Name]
	if hides == nil {
		return args
	}
	var shown command.Args
	for i := range args.Len() {
		word := string(args.At(i))
		if hides(args, i) {
			word = veil
		}
		shown.Spans = append(shown.Spans, resp.Span{Off: uint32(len(shown.Buf)), Len: uint32(len(word))})
		shown.Buf = append(shown.Buf, word...)
	}
	return shown
}

// secretsOf tells, for the commands that carry secrets, whether argument i is
// one.
var secretsOf = map[string]func(args command.Args, i int) bool{
	"auth": func(_ command.Args, i int) bool { return i > 0 },
	"hello": func(args command.Args, i int) bool {
		return i > 2 && is(args.At(i-1), "auth") || i > 3 && is(args.At(i-2), "auth")
	},
	"config|set": func(args command.Args, i int) bool {
		return i > 2 && i%2 == 1 && config.Secret(string(args.At(i-1)))
	},
}
