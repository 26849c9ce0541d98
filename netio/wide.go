package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// doWide runs an operation that may need several shards, which stand still.
func (l *Loop) doWide(op command.Op, buf []byte, spans []resp.Span, out *resp.Writer) {
	if !l.shard.DoWide(op, buf, spans, out) {
		return
	}
	for _, other := range l.node.loops { // what was cleared is freed bit by bit
		other.background = true
	}
}
