package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// shutdownNode ends the node. All loops stand still. There is no reply: the
// connection closes. Nothing can be saved in this version, so that SAVE fails as
// in Redis on a full disk, unless FORCE says that this is no reason to go on. No
// replica could delay the end.
func shutdownNode(r *Request) {
	save, noSave, abort, now, force := false, false, false, false, false
	for _, word := range r.rest(1) {
		switch strings.ToLower(string(word)) {
		case "save":
			save = true
		case "nosave":
			noSave = true
		case "now":
			now = true
		case "force":
			force = true
		case "abort":
			abort = true
		default:
			r.Reply.Error(resp.ErrSyntax)
			return
		}
	}
	switch {
	case abort && (save || noSave || now || force), save && noSave:
		r.Reply.Error(resp.ErrSyntax)
	case abort:
		r.Reply.Error(resp.ErrNoShutdown)
	case save && !force:
		r.Loop.node.log.Warn("SHUTDOWN SAVE refused: nothing can be saved in this version", "client", r.Conn.address())
		r.Reply.Error(resp.ErrShutdown)
	default:
		r.Loop.node.log.Info("Stopping", "by", "SHUTDOWN", "client", r.Conn.address())
		for _, l := range r.Loop.node.loops {
			l.ended = true
		}
		r.Loop.hangUp(r.Conn)
	}
}
