package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// doWide runs an operation that may need several shards, which stand still.
func (l *Loop) doWide(op command.Op, buf []byte, spans []resp.Span, out *resp.Writer) {
	row := &command.Table[op.Row]
	if row.Scope != command.AllShards || row.Flags&command.Write == 0 {
		l.shard.DoWide(op, buf, spans, out)
		return
	}
	for _, other := range l.node.loops {
		other.shard.BeforeWhole()
	}
	l.shard.DoWide(op, buf, spans, out)
	if l.shard.Call().Failed {
		return
	}
	changed := changedBy(row, op, command.Args{Buf: buf, Spans: spans[op.First : op.First+op.Argc]})
	for _, other := range l.node.loops {
		other.shard.AfterWhole(changed)
		other.background = true
	}
}

// changedBy tells which databases a command that changes whole ones changes.
func changedBy(row *command.Row, op command.Op, args command.Args) func(db int) bool {
	switch row.Name {
	case "flushdb":
		return func(db int) bool { return db == int(op.DB) }
	case "swapdb":
		first, _ := resp.ParseInt(args.At(1))
		second, _ := resp.ParseInt(args.At(2))
		return func(db int) bool { return first != second && (int64(db) == first || int64(db) == second) }
	}
	return func(int) bool { return true }
}
