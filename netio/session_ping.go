package netio

import "github.com/elares/ironcache/engine/resp"

// ping answers PONG, or its argument.
func ping(r *Request) {
	switch r.Len() {
	case 1:
		r.Reply.Pong()
	case 2:
		r.Reply.Bulk(r.At(1))
	default:
		r.Reply.Error(resp.WrongArity("ping"))
	}
}
