package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
)

// debugRow is a subcommand of DEBUG. All loops stand still while it runs.
type debugRow struct {
	name  string
	least int // arguments, DEBUG and the name included
	most  int
	usage string // what follows the name
	help  string
	do    func(*Request)
}

// debugTable has the subcommands of DEBUG, sorted by name.
var debugTable = []debugRow{
	{"error", 3, 3, "<text>", "Replies with the text as an error.", debugError},
	{"log", 3, 3, "<message>", "Writes the message to the node's log.", debugLog},
	{"object", 3, 3, "<key>", "Shows how the value of a key is stored.", debugObject},
	{"pause-cron", 3, 3, "<0|1>", "Stops what the node does by the clock, or lets it go on.", debugPauseCron},
	{"populate", 3, 5, "<count> [<prefix> [<size>]]", "Makes keys prefix:0, prefix:1, ... with values value:0, value:1, ...", debugPopulate},
	{"protocol", 3, 3, "<type>", "Replies with a value of a type of the protocol.", debugProtocol},
	{"replybuffer", 4, 4, "<PEAK-RESET-TIME|RESIZING> <value>", "Is accepted: reply buffers need no tuning.", debugReplyBuffer},
	{"set-active-expire", 3, 3, "<0|1>", "Says whether keys that expired are removed before somebody looks.", debugSetActiveExpire},
	{"sleep", 3, 3, "<seconds>", "Lets the whole node stand still.", debugSleep},
}

// debug runs a subcommand.
func debug(r *Request) {
	name := strings.ToLower(string(r.At(1)))
	if name == "help" && r.Len() == 2 {
		debugHelp(r)
		return
	}
	for i := range debugTable {
		row := &debugTable[i]
		if row.name == name && r.Len() >= row.least && r.Len() <= row.most {
			row.do(r)
			return
		}
	}
	r.Reply.Error(resp.SubcommandSyntax("debug", r.At(1)))
}

func debugHelp(r *Request) {
	r.Reply.Array(1 + 2*len(debugTable) + 2)
	r.Reply.Simple("DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")
	for i := range debugTable {
		row := &debugTable[i]
		r.Reply.Simple(strings.ToUpper(row.name) + " " + row.usage)
		r.Reply.Simple("    " + row.help)
	}
	r.Reply.Simple("HELP")
	r.Reply.Simple("    Shows these lines.")
}

// forbids tells why the configuration keeps a command from a connection; empty
// when it may run.
func (l *Loop) forbids(c *Conn, row *command.Row) resp.Error {
	if row.Flags&command.Protected == 0 {
		return ""
	}
	switch access := l.cfg.EnableDebugCommand; {
	case access == config.AccessYes, access == config.AccessLocal && c.peer.Loopback:
		return ""
	}
	return resp.NotEnabled(strings.ToUpper(row.Name), "enable-debug-command")
}

// debugError replies with an error that counts as none.
func debugError(r *Request) {
	r.wanted = true
	r.Reply.Error(resp.Error(r.At(2)))
}

func debugLog(r *Request) {
	r.Loop.node.log.Warn("DEBUG LOG: " + string(r.At(2)))
	r.Reply.OK()
}

// debugReplyBuffer takes what redis-server takes; buffers here are returned as
// soon as they are sent.
func debugReplyBuffer(r *Request) {
	value := r.At(3)
	switch {
	case is(r.At(2), "resizing"):
	case !is(r.At(2), "peak-reset-time"):
		r.Reply.Error(resp.SubcommandSyntax("debug", r.At(1)))
		return
	case !is(value, "never") && !is(value, "reset"):
		if _, ok := resp.ParseInt(value); !ok {
			r.Reply.Error(resp.ErrNotInteger)
			return
		}
	}
	r.Reply.OK()
}
