package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// RedisLevel is the version of Redis whose behaviour is offered.
const RedisLevel = "7.4.0"

// defaultUser is the one user there is.
const defaultUser = "default"

// hello chooses the protocol, and may log in and name the connection. Options
// take effect one by one: those before one that fails stay done.
func hello(r *Request) {
	proto, e := helloProto(r)
	for i := 2; i < r.Len() && e == ""; {
		i, e = helloOption(r, i)
	}
	if e == "" && r.Conn.care&careGuest != 0 {
		e = resp.ErrHelloNoAuth
	}
	if e != "" {
		r.Reply.Error(e)
		return
	}
	r.Conn.proto, r.Reply.Proto = proto, proto
	greet(r)
}

func helloProto(r *Request) (uint8, resp.Error) {
	if r.Len() == 1 {
		return r.Conn.proto, ""
	}
	version, ok := resp.ParseInt(r.At(1))
	switch {
	case !ok:
		return 0, resp.ErrProtoVersion
	case version != 2 && version != 3:
		return 0, resp.ErrNoProto
	}
	return uint8(version), ""
}

// helloOption carries out the option at argument i and gives the place of the
// next.
func helloOption(r *Request, i int) (next int, e resp.Error) {
	more := r.Len() - 1 - i
	switch {
	case is(r.At(i), "auth") && more >= 2:
		if !r.Loop.login(r.Conn, r.At(i+1), r.At(i+2)) {
			e = resp.ErrWrongPass
		}
		return i + 3, e
	case is(r.At(i), "setname") && more >= 1:
		if !validName(r.At(i + 1)) {
			return i, resp.ErrClientName
		}
		r.Conn.name = string(r.At(i + 1))
		return i + 2, ""
	}
	return i, resp.HelloOption(r.At(i))
}

// mode is what the node is, as HELLO and INFO call it.
func (n *Node) mode() string {
	if n.plane != nil {
		return "cluster"
	}
	return "standalone"
}

// greet replies with what the node is.
func greet(r *Request) {
	w := r.Reply
	w.Map(7)
	w.BulkString("server")
	w.BulkString("redis")
	w.BulkString("version")
	w.BulkString(RedisLevel)
	w.BulkString("proto")
	w.Int(int64(r.Conn.proto))
	w.BulkString("id")
	w.Int(r.Conn.client)
	w.BulkString("mode")
	w.BulkString(r.Loop.node.mode())
	w.BulkString("role")
	w.BulkString("master")
	w.BulkString("modules")
	w.Array(0)
}

// auth logs a connection in.
func auth(r *Request) {
	user, password := []byte(defaultUser), r.At(1)
	switch {
	case r.Len() > 3:
		r.Reply.Error(resp.ErrSyntax)
		return
	case r.Len() == 3:
		user, password = r.At(1), r.At(2)
	case !r.Loop.cfg.Requirepass.IsSet():
		r.Reply.Error(resp.ErrAuthUnset)
		return
	}
	if !r.Loop.login(r.Conn, user, password) {
		r.Reply.Error(resp.ErrWrongPass)
		return
	}
	r.Reply.OK()
}

// login checks a password and lets the connection in if it is right.
func (l *Loop) login(c *Conn, user, password []byte) bool {
	need := l.cfg.Requirepass
	if string(user) != defaultUser || need.IsSet() && !need.Matches(password) {
		l.stats.deniedAuth++
		return false
	}
	c.care &^= careGuest
	return true
}

// is compares an argument with a lower-case word, in any case of letters.
func is(arg []byte, word string) bool {
	return len(arg) == len(word) && strings.EqualFold(string(arg), word)
}

// validName tells whether a client may call itself that: printable characters
// without spaces.
func validName(name []byte) bool {
	for _, c := range name {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}
