package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// RedisLevel is the version of Redis whose behaviour is offered.
const RedisLevel = "7.4.0"

// defaultUser is the one user there is.
const defaultUser = "default"

// helloWish is what a HELLO asks for.
type helloWish struct {
	proto          uint8
	user, password []byte
	login, rename  bool
	name           []byte
}

// hello chooses the protocol, and may log in and name the connection.
func hello(r *Request) {
	c := r.Conn
	wish, e := readHello(r)
	if e == "" && wish.login && !r.Loop.login(c, wish.user, wish.password) {
		e = resp.ErrWrongPass
	}
	if e == "" && c.care&careGuest != 0 {
		e = resp.ErrHelloNoAuth
	}
	if e != "" {
		r.Reply.Error(e)
		return
	}
	if wish.rename {
		c.name = string(wish.name)
	}
	c.proto, r.Reply.Proto = wish.proto, wish.proto
	greet(r)
}

func readHello(r *Request) (helloWish, resp.Error) {
	wish := helloWish{proto: r.Conn.proto}
	if r.Len() > 1 {
		version, ok := resp.ParseInt(r.At(1))
		switch {
		case !ok:
			return wish, resp.ErrProtoVersion
		case version != 2 && version != 3:
			return wish, resp.ErrNoProto
		}
		wish.proto = uint8(version)
	}
	for i := 2; i < r.Len(); {
		more := r.Len() - 1 - i
		switch {
		case is(r.At(i), "auth") && more >= 2:
			wish.login, wish.user, wish.password = true, r.At(i+1), r.At(i+2)
			i += 3
		case is(r.At(i), "setname") && more >= 1:
			if !validName(r.At(i + 1)) {
				return wish, resp.ErrClientName
			}
			wish.rename, wish.name = true, r.At(i+1)
			i += 2
		default:
			return wish, resp.HelloOption(r.At(i))
		}
	}
	return wish, ""
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
	w.BulkString("standalone")
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
