package netio

import (
	"fmt"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// show feeds a request to the clients that MONITOR the node: one for a shard
// before it runs, one of the session afterwards, as the database may be another
// one then.
func (l *Loop) show(c *Conn, args command.Args, row *command.Row) {
	if l.care&careWatched == 0 || row.Flags&(command.SkipMonitor|command.Admin) != 0 {
		return
	}
	l.node.feed(l, c, row, args)
}

// feed sends a line about a request to all monitors.
func (n *Node) feed(from *Loop, c *Conn, row *command.Row, args command.Args) {
	line := monitorLine(from, c, veiled(row, args))
	for _, to := range n.loops {
		from.tell(to, func(to *Loop) { to.feedMonitors(line) })
	}
}

func (l *Loop) feedMonitors(line []byte) {
	for _, c := range l.conns {
		if c != nil && c.monitor && !c.closing {
			l.emit(c, line)
		}
	}
}

// monitorLine is a request as MONITOR shows it: time, database, client, words.
func monitorLine(l *Loop, c *Conn, args command.Args) []byte {
	micros, room := l.shard.Micros(), 128
	for i := range args.Len() {
		room += len(args.At(i)) + len(` ""`)
	}
	line := fmt.Appendf(make([]byte, 0, room), "+%d.%06d [%d %s]", micros/1e6, micros%1e6, c.db, c.address())
	for i := range args.Len() {
		line = append(line, ' ')
		line = resp.AppendQuoted(line, args.At(i))
	}
	return append(line, '\r', '\n')
}

// address is the client's address as CLIENT LIST shows it.
func (c *Conn) address() string {
	if c.peer.Unix {
		return "unix:" + c.peer.Local
	}
	return c.peer.Remote
}
