package netio

import (
	"math"

	"github.com/elares/ironcache/engine/resp"
)

func clientID(r *Request) { r.Reply.Int(r.Conn.client) }

func clientGetName(r *Request) {
	if r.Conn.name == "" {
		r.Reply.Null()
		return
	}
	r.Reply.BulkString(r.Conn.name)
}

func clientSetName(r *Request) {
	if !validName(r.At(2)) {
		r.Reply.Error(resp.ErrClientName)
		return
	}
	r.Conn.name = string(r.At(2))
	r.Reply.OK()
}

// clientSetInfo notes the client library's name or version.
func clientSetInfo(r *Request) {
	var field *string
	switch {
	case is(r.At(2), "lib-name"):
		field = &r.Conn.libName
	case is(r.At(2), "lib-ver"):
		field = &r.Conn.libVer
	default:
		r.Reply.Error(resp.UnknownClientInfo(r.At(2)))
		return
	}
	if !validName(r.At(3)) {
		r.Reply.Error(resp.ClientInfoValue(r.At(2)))
		return
	}
	*field = string(r.At(3))
	r.Reply.OK()
}

// onOff reads an argument that is ON or OFF.
func onOff(arg []byte) (on, ok bool) {
	return is(arg, "on"), is(arg, "on") || is(arg, "off")
}

func clientNoEvict(r *Request) { setFlag(r, &r.Conn.noEvict) }

func clientNoTouch(r *Request) { setFlag(r, &r.Conn.noTouch) }

func setFlag(r *Request, flag *bool) {
	on, ok := onOff(r.At(2))
	if !ok {
		r.Reply.Error(resp.ErrSyntax)
		return
	}
	*flag = on
	r.Reply.OK()
}

// clientReply chooses which replies the connection gets. Those that turn
// replies off have none themselves.
func clientReply(r *Request) {
	c := r.Conn
	switch mode := r.At(2); {
	case is(mode, "on"):
		c.silence = silenceOff
		c.care &^= careSilent
		r.Reply.OK()
	case is(mode, "off"):
		c.silence = silenceOn
		c.care |= careSilent
	case is(mode, "skip"):
		if c.silence != silenceOn {
			c.silence = silenceNext
			c.care |= careSilent
		}
	default:
		r.Reply.Error(resp.ErrSyntax)
	}
}

// clientPause holds requests back for a number of milliseconds.
func clientPause(r *Request) {
	writesOnly := false
	if r.Len() == 4 {
		writesOnly = is(r.At(3), "write")
		if !writesOnly && !is(r.At(3), "all") {
			r.Reply.Error(resp.ErrPauseMode)
			return
		}
	} else if r.Len() > 4 {
		r.misused()
		return
	}
	ms, ok := resp.ParseInt(r.At(2))
	switch {
	case !ok:
		r.Reply.Error(resp.ErrTimeoutInt)
	case ms < 0:
		r.Reply.Error(resp.ErrTimeoutNeg)
	default:
		r.pause(ms, writesOnly)
		r.Reply.OK()
	}
}

// pause holds clients back for some milliseconds. As in Redis, a pause whose end
// lies beyond the calendar has ended already.
func (r *Request) pause(ms int64, writesOnly bool) {
	if ms > math.MaxInt64-r.Loop.clock.Wall()/1e6 {
		return
	}
	r.Loop.node.hold(r.Loop.mono, r.Loop.mono+min(ms, maxPause)*1e6, writesOnly)
}

// maxPause is the longest pause in milliseconds.
const maxPause = 1 << 40

func clientUnpause(r *Request) {
	r.Loop.node.unhold()
	r.Reply.OK()
}

// clientUnblock releases a blocked client. No command blocks yet whose client
// could be meant, so that none is found.
func clientUnblock(r *Request) {
	if r.Len() > 4 {
		r.misused()
		return
	}
	if r.Len() == 4 && !is(r.At(3), "timeout") && !is(r.At(3), "error") {
		r.Reply.Error(resp.ErrUnblockReason)
		return
	}
	if _, ok := resp.ParseInt(r.At(2)); !ok {
		r.Reply.Error(resp.ErrNotInteger)
		return
	}
	r.Reply.Int(0)
}
