package netio

import (
	"strconv"

	"github.com/elares/ironcache/engine/resp"
)

// longestSleep bounds DEBUG SLEEP, in seconds.
const longestSleep = 1e9

// debugSleep makes the whole node stand still. What is no number of seconds is
// none of them.
func debugSleep(r *Request) {
	if seconds, ok := resp.ParseFloat(r.At(2)); ok && seconds > 0 {
		r.holdFor(int64(min(seconds, longestSleep) * 1e9))
	}
	r.Reply.OK()
}

// debugSetActiveExpire says whether expired keys go before somebody looks.
func debugSetActiveExpire(r *Request) {
	n := r.Loop.node
	n.keepExpired = !isSet(r.At(2))
	n.publish()
	r.Reply.OK()
}

// debugPauseCron stops what loops do by the clock, or lets it go on.
func debugPauseCron(r *Request) {
	r.Loop.node.pauseCron = isSet(r.At(2))
	r.Reply.OK()
}

// isSet reads a switch as C's atoi does: what begins with no number is 0.
func isSet(arg []byte) bool {
	end := 0
	for end < len(arg) && (arg[end] >= '0' && arg[end] <= '9' || end == 0 && (arg[0] == '-' || arg[0] == '+')) {
		end++
	}
	n, _ := strconv.Atoi(string(arg[:end]))
	return n != 0
}
