package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// talk is what a client says in one pipeline of inline requests, separated by
// ";", and all that it is told. Each is redis-server's, save where a comment
// says why not. In the reply, "|" stands for the end of a line and "<end>" for
// the end of the connection.
type talk struct{ say, reply string }

const (
	noAuth    = "-NOAUTH Authentication required.|"
	wrongPass = "-WRONGPASS invalid username-password pair or user is disabled.|"
	helloAuth = "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> " +
		"option can be used to authenticate the client and select the RESP protocol version at the same time|"
	greeting2 = "*14|$6|server|$5|redis|$7|version|$5|" + RedisLevel + "|$5|proto|:2|$2|id|:1|$4|mode|$10|standalone|$4|role|$6|master|$7|modules|*0|"
	greeting3 = "%7|$6|server|$5|redis|$7|version|$5|" + RedisLevel + "|$5|proto|:3|$2|id|:1|$4|mode|$10|standalone|$4|role|$6|master|$7|modules|*0|"
)

// talksOpen are with a node that asks for no password.
var talksOpen = []talk{
	{"hello", greeting2},
	{"hello 2", greeting2},
	{"hello 3; get none", greeting3 + "_|"},
	{"hello 3; hello 2; get none", greeting3 + greeting2 + "$-1|"},
	{"get none; hello 3; get none; reset; get none", "$-1|" + greeting3 + "_|+RESET|$-1|"},
	{"hello 1", "-NOPROTO unsupported protocol version|"},
	{"hello 4", "-NOPROTO unsupported protocol version|"},
	{"hello x", "-ERR Protocol version is not an integer or out of range|"},
	{"hello 02", "-ERR Protocol version is not an integer or out of range|"},
	{"hello 3 auth", "-ERR Syntax error in HELLO option 'auth'|"},
	{"hello 3 auth a", "-ERR Syntax error in HELLO option 'auth'|"},
	{"hello 3 foo; get none", "-ERR Syntax error in HELLO option 'foo'|$-1|"},
	{"hello 3 auth default anything", greeting3},
	{"hello 3 auth nobody pw; get none", wrongPass + "$-1|"},
	{"hello 3 setname x auth default pw; client getname", greeting3 + "$1|x|"},
	{"hello 3 auth default pw setname x; client getname", greeting3 + "$1|x|"},
	{"hello 2 setname", "-ERR Syntax error in HELLO option 'setname'|"},
	{`hello 2 setname "a b"`, "-ERR Client names cannot contain spaces, newlines or special characters.|"},
	{"auth pw", "-ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?|"},
	{"auth default pw", "+OK|"},
	{"auth nobody pw", wrongPass},

	{"select 1; set a 1; select 0; get a; select 1; get a", "+OK|+OK|+OK|$-1|+OK|$1|1|"},
	{"select 3; set b x; set c x; set d x; dbsize; select 0; dbsize", "+OK|+OK|+OK|+OK|:3|+OK|:0|"},
	{"set b 1; select 3; mget a b c; mset a 1 b 2 c 3; select 0; mget a b c",
		"+OK|+OK|*3|$-1|$-1|$-1|+OK|+OK|*3|$-1|$1|1|$-1|"},
	{"select 16", "-ERR DB index is out of range|"},
	{"select -1", "-ERR DB index is out of range|"},
	{"select x", "-ERR value is not an integer or out of range|"},

	{"reset", "+RESET|"},
	{"select 1; set a 1; reset; get a", "+OK|+OK|+RESET|$-1|"},
	{"multi; set a b; reset; exec; get a", "+OK|+QUEUED|+RESET|-ERR EXEC without MULTI|$-1|"},
	{"client setname x; reset; client getname", "+OK|+RESET|$-1|"},
	{"client reply off; reset; ping", "+RESET|+PONG|"},

	{"client reply on", "+OK|"},
	{"client reply x", "-ERR syntax error|"},
	{"client reply off; ping; client reply on; ping", "+OK|+PONG|"},
	{"client reply off; get a; set a b; get a; mget a b c d e; client reply on; get a", "+OK|$1|b|"},
	{"client reply skip; ping; ping", "+PONG|"},
	{"client reply skip; set a 1; get a; client reply skip; get b; get a", "$1|1|$1|1|"},
	{"client reply skip; mset a 1 b 2 c 3; mget a b c", "*3|$1|1|$1|2|$1|3|"},
	{"client reply skip; client reply skip; ping; ping; ping", "+PONG|+PONG|"},
	{"client reply off; client reply skip; ping; client reply on", "+OK|"},
	{"client reply skip; client reply off; ping; client reply on", "+OK|"},
	{"client reply off; multi; ping; exec; client reply on", "+OK|"},
	{"client reply skip; multi; ping; exec", "+QUEUED|*1|+PONG|"},
	{"client reply off; nosuch; get; client reply on", "+OK|"},
	{"client reply skip; nosuch; ping", "+PONG|"},
	{"client reply skip; select 99; ping", "+PONG|"},
	{"client reply skip; client reply on; ping", "+OK|+PONG|"},
	{"client reply off; hello 3; client reply on; get a", "+OK|_|"},
	{"multi; client reply on; exec", "+OK|+QUEUED|*1|+OK|"},
	{"client reply off; quit", "<end>"}, // redis-server forgets to close

	{"quit; ping", "+OK|<end>"},
	{"ping; get a; get b; get c; quit; ping; set a b", "+PONG|$-1|$-1|$-1|+OK|<end>"},
	{"mget a b c d; quit; ping", "*4|$-1|$-1|$-1|$-1|+OK|<end>"},
	{"multi; quit; ping", "+OK|+OK|<end>"},
	{"POST / HTTP/1.1; ping", "<end>"},
	{"host: example.org; ping", "<end>"},

	{"multi; multi; exec", "+OK|-ERR MULTI calls can not be nested|*0|"},
	{"multi; watch a; exec", "+OK|-ERR WATCH inside MULTI is not allowed|*0|"},
	{"multi; exec", "+OK|*0|"},
	{"multi; get; exec; exec", "+OK|-ERR wrong number of arguments for 'get' command|" +
		"-EXECABORT Transaction discarded because of previous errors.|-ERR EXEC without MULTI|"},
	{"multi; shutdown; exec", "+OK|-ERR Command not allowed inside a transaction|" +
		"-EXECABORT Transaction discarded because of previous errors.|"},
	{"discard; exec", "-ERR DISCARD without MULTI|-ERR EXEC without MULTI|"},
	{"multi; select 3; set a 1; exec; get a; select 0; get a", "+OK|+QUEUED|+QUEUED|*2|+OK|+OK|$1|1|+OK|$-1|"},
	{"multi; hello 3; get a; exec; get a", "+OK|+QUEUED|+QUEUED|*2|" + greeting3 + "_|_|"},
	{"multi; client kill id 999; client id; exec", "+OK|+QUEUED|+QUEUED|*2|:0|:1|"},
	{"multi; incr a; incr b; mget a b; exec; dbsize", "+OK|+QUEUED|+QUEUED|+QUEUED|*3|:1|:1|*2|$1|1|$1|1|:2|"},
	{"multi; set a x; incr a; lpush; get a; exec; get a", "+OK|+QUEUED|+QUEUED|" +
		"-ERR unknown command 'lpush', with args beginning with: |+QUEUED|-EXECABORT Transaction discarded because of previous errors.|$-1|"},
	{"set a x; multi; incr a; set b 2; exec; get b", "+OK|+OK|+QUEUED|+QUEUED|*2|-ERR value is not an integer or out of range|+OK|$1|2|"},
}

// talksClosed are with a node whose password is "pw".
var talksClosed = []talk{
	{"get a; set a b; mget a b c; ping; echo x; select 1; client setname x; client reply off",
		noAuth + noAuth + noAuth + noAuth + noAuth + noAuth + noAuth + noAuth},
	{"dbsize; flushall; multi; watch a b; monitor; info", noAuth + noAuth + noAuth + noAuth + noAuth + noAuth},
	{"nosuch", "-ERR unknown command 'nosuch', with args beginning with: |"},
	{"get", "-ERR wrong number of arguments for 'get' command|"},
	{"auth x", wrongPass},
	{"auth nobody pw", wrongPass},
	{"auth a b c", "-ERR syntax error|"},
	{"auth pw; get a", "+OK|$-1|"},
	{"auth default pw; get a", "+OK|$-1|"},
	{"get a; auth pw; get a; get b; mget a b; auth bad; get a", noAuth + "+OK|$-1|$-1|*2|$-1|$-1|" + wrongPass + "$-1|"},
	{"auth pw; reset; get a; auth pw; get a", "+OK|+RESET|" + noAuth + "+OK|$-1|"},
	{"auth pw; get a; get b; get c; get d; reset; get a; get b", "+OK|$-1|$-1|$-1|$-1|+RESET|" + noAuth + noAuth},
	{"hello", helloAuth},
	{"hello 3; get a", helloAuth + noAuth},
	{"hello 3 auth default bad; get a", wrongPass + noAuth},
	{"hello 3 auth default pw; get a", greeting3 + "_|"},
	{"hello 2 auth default pw setname x; client getname", greeting2 + "$1|x|"},
	{"auth pw; multi; auth pw; reset; get a", "+OK|+OK|+QUEUED|+RESET|" + noAuth},
	{"exec", "-EXECABORT Transaction discarded because of: NOAUTH Authentication required.|"},
	{"quit; ping", "+OK|<end>"},
	{"reset; get a", "+RESET|" + noAuth},
	{"POST / x; auth pw", "<end>"},
}

// bytes are what the client sends.
func (k talk) bytes() []byte {
	var text strings.Builder
	for line := range strings.SplitSeq(k.say, ";") {
		text.WriteString(strings.TrimSpace(line) + "\r\n")
	}
	return []byte(text.String())
}

func TestConversations(t *testing.T) {
	for _, shards := range []int{1, 3} {
		for _, k := range talksOpen {
			t.Run(fmt.Sprintf("%d shards, %s", shards, k.say), func(t *testing.T) { k.test(t, shards) })
		}
		for _, k := range talksClosed {
			t.Run(fmt.Sprintf("%d shards, password, %s", shards, k.say), func(t *testing.T) { k.test(t, shards, "requirepass=pw") })
		}
	}
}

// test holds the conversation in one piece and then byte by byte.
func (k talk) test(t *testing.T, shards int, options ...string) {
	for _, split := range []bool{false, true} {
		place := newTownIn(t, sim.New(1, sim.Mix{}), shards, options...)
		c := place.dial()
		if split {
			for _, b := range k.bytes() {
				c.Send([]byte{b})
				place.pass(1)
			}
		} else {
			c.Send(k.bytes())
		}
		place.pass(50)
		c.pull()
		got := string(c.got)
		if c.Err() != nil {
			got += "<end>"
		}
		if got = strings.ReplaceAll(got, "\r\n", "|"); got != k.reply {
			t.Errorf("byte by byte: %v\n\tgot  %s\n\twant %s", split, got, k.reply)
		}
	}
}
