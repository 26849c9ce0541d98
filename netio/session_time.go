package netio

import "strconv"

// timeNow replies with the wall time: seconds and microseconds.
func timeNow(r *Request) {
	micros := r.Loop.shard.Micros()
	r.Reply.Array(2)
	r.Reply.BulkString(strconv.FormatInt(micros/1e6, 10))
	r.Reply.BulkString(strconv.FormatInt(micros%1e6, 10))
}
