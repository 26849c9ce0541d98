package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// rest gives the arguments from i on.
func (r *Request) rest(i int) [][]byte {
	var list [][]byte
	for ; i < r.Len(); i++ {
		list = append(list, r.At(i))
	}
	return list
}

// tailArgs gives the arguments from i on as a request of their own.
func (r *Request) tailArgs(i int) command.Args {
	return command.Args{Buf: r.Buf, Spans: r.Spans[i:]}
}

func commandAll(r *Request) { command.WriteCommandInfo(r.Reply) }

func commandInfo(r *Request) { command.WriteCommandInfo(r.Reply, r.rest(2)...) }

func commandCount(r *Request) { r.Reply.Int(int64(command.CommandCount())) }

func commandDocs(r *Request) { command.WriteCommandDocs(r.Reply, r.rest(2)...) }

func commandList(r *Request) { r.fail(command.WriteCommandList(r.Reply, r.Args)) }

func commandGetKeys(r *Request) {
	r.fail(command.WriteCommandKeys(r.Reply, r.tailArgs(2), false))
}

func commandGetKeysAndFlags(r *Request) {
	r.fail(command.WriteCommandKeys(r.Reply, r.tailArgs(2), true))
}

// fail replies with an error if there is one.
func (r *Request) fail(err error) {
	if err != nil {
		r.Reply.Fail(err)
	}
}

// misused replies that the subcommand takes fewer arguments.
func (r *Request) misused() {
	r.Reply.Error(resp.SubcommandSyntax(command.Table[r.Row.Parent].Name, r.At(1)))
}

// help answers the HELP subcommand of a container.
func help(r *Request) {
	command.WriteHelp(r.Reply, &command.Table[r.Row.Parent])
}
