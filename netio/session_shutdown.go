package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// shutdownNode ends the node. All loops stand still. There is no reply: the
// connection closes. Nothing is on disk yet, so that SAVE and NOSAVE are the
// same, and no replica could delay it.
func shutdownNode(r *Request) {
	save, noSave, abort, other := false, false, false, false
	for _, word := range r.rest(1) {
		switch strings.ToLower(string(word)) {
		case "save":
			save = true
		case "nosave":
			noSave = true
		case "now", "force":
			other = true
		case "abort":
			abort = true
		default:
			r.Reply.Error(resp.ErrSyntax)
			return
		}
	}
	switch {
	case abort && (save || noSave || other), save && noSave:
		r.Reply.Error(resp.ErrSyntax)
	case abort:
		r.Reply.Error(resp.ErrNoShutdown)
	default:
		r.Loop.node.log.Info("Stopping", "by", "SHUTDOWN", "client", r.Conn.address())
		for _, l := range r.Loop.node.loops {
			l.ended = true
		}
		r.Loop.hangUp(r.Conn)
	}
}
