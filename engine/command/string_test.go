package command

import (
	"strings"
	"testing"
)

// Replies are written with a space for each line end, as world.do gives them.

const (
	ok        = "+OK"
	nothing   = "$-1"
	notInt    = "-ERR value is not an integer or out of range"
	syntax    = "-ERR syntax error"
	zeros     = "0000000000000000"
	helloHash = "9555e8555c62dcfd"
)

func TestSet(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"set k v", ok},
		{"get k", "$1 v"},
		{"set k w nx", nothing},
		{"set k w xx get", "$1 v"},
		{"set k x nx get", "$1 w"},
		{"set missing x xx get", nothing},
		{"exists missing", ":0"},
		{"set k v ex 10", ok},
		{"ttl k", ":10"},
		{"set k v keepttl", ok},
		{"pttl k", ":10000"},
		{"set k v", ok},
		{"pttl k", ":-1"},
		{"set k v px 1500", ok},
		{"ttl k", ":2"},
		{"set k v exat 1800000000", ok},
		{"pexpiretime k", ":1800000000000"},
		{"set k v pxat 1800000000001 ex 5", syntax},
		{"set k v ex 5 ex 6", ok},
		{"ttl k", ":6"},
		{"set k v nx xx", syntax},
		{"set k v ex", syntax},
		{"set k v persist", syntax},
		{"set k v ex x", notInt},
		{"set k v ex 0", "-ERR invalid expire time in 'set' command"},
		{"set k v px 9223372036854775807", "-ERR invalid expire time in 'set' command"},
		{"set k v ex 9223372036854775807", "-ERR invalid expire time in 'set' command"},
		{"setex k 0 v", "-ERR invalid expire time in 'setex' command"},
		{"psetex k 100 v", ok},
		{"pttl k", ":100"},
		{"setnx k v", ":0"},
		{"setnx n v", ":1"},
		{"getset n w", "$1 v"},
		{"getset o w", nothing},
		{"getdel n", "$1 w"},
		{"getdel n", nothing},
	}...)
}

func TestSetIf(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"set k v ifeq v", nothing},
		{"set k v ifdeq " + zeros, nothing},
		{"exists k", ":0"},
		{"set k hello ifne x", ok},
		{"set k b ifeq x", nothing},
		{"set k b ifne hello", nothing},
		{"digest k", "$16 " + helloHash},
		{"set k b ifdne " + strings.ToUpper(helloHash), nothing},
		{"set k b ifdeq " + zeros + " get", "$5 hello"},
		{"set k b ifdeq " + helloHash + " get ex 10", "$5 hello"},
		{"ttl k", ":10"},
		{"set k c ifeq b keepttl", ok},
		{"ttl k", ":10"},
		{"set k c ifdeq 123", "-ERR must be exactly 16 hexadecimal characters"},
		{"set k c ifeq c nx", syntax},
		{"set k c ifeq c ifne d", syntax},
		{"set k c ifeq", syntax},
		{"set n v ifdne " + zeros, ok},
		{"set n 12", ok},
		{"set n 13 ifeq 12", ok},
		{"get n", "$2 13"},
		{"digest missing", nothing},
	}...)
}

func TestDelIf(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"set k hello", ok},
		{"delex k ifeq x", ":0"},
		{"delex k ifne hello", ":0"},
		{"delex k ifdeq " + zeros, ":0"},
		{"delex k ifdne " + helloHash, ":0"},
		{"delex k ifdeq 12", "-ERR must be exactly 16 hexadecimal characters"},
		{"delex k foo x", "-ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE"},
		{"delex k ifeq", "-ERR wrong number of arguments for 'delex' command"},
		{"delex missing ifeq", "-ERR wrong number of arguments for 'delex' command"},
		{"delex missing ifne x", ":0"},
		{"delex missing foo x", ":0"},
		{"delex k IfEq hello", ":1"},
		{"delex k", ":0"},
		{"set k hello", ok},
		{"delex k ifdne zzzzzzzzzzzzzzzz", ":1"},
		{"set k hello", ok},
		{"delex k", ":1"},
		{"set k hello", ok},
		{"delifeq k x", ":0"},
		{"delifeq missing x", ":0"},
		{"delifeq k hello", ":1"},
		{"exists k", ":0"},
	}...)
}

func TestMSetEx(t *testing.T) {
	w := newWorld(t, 3)
	w.check([][2]string{
		{"msetex 2 a 1 b 2 ex 10", ":1"},
		{"mget a b", "*2 $1 1 $1 2"},
		{"ttl b", ":10"},
		{"msetex 2 a 3 c 4 nx", ":0"},
		{"msetex 2 a 3 c 4 xx", ":0"},
		{"mget a c", "*2 $1 1 $-1"},
		{"msetex 2 a 3 b 4 xx keepttl", ":1"},
		{"ttl a", ":10"},
		{"msetex 1 a 3", ":1"},
		{"ttl a", ":-1"},
		{"msetex x a 1", "-ERR invalid numkeys value"},
		{"msetex 0 a 1", "-ERR invalid numkeys value"},
		{"msetex 2147483648 a 1", "-ERR invalid numkeys value"},
		{"msetex 2147483647 a 1", "-ERR wrong number of key-value pairs"},
		{"msetex 2 a 1 b", "-ERR wrong number of key-value pairs"},
		{"msetex 1 a 1 foo", syntax},
		{"msetex 1 a 1 nx xx", syntax},
		{"msetex 1 a 1 ex 10 keepttl", syntax},
		{"msetex 1 a 1 px 0", "-ERR invalid expire time in 'msetex' command"},
	}...)
}

func TestStringParts(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"append k 12", ":2"},
		{"object encoding k", "$3 int"},
		{"append k 34", ":4"},
		{"object encoding k", "$3 raw"},
		{"get k", "$4 1234"},
		{"incr k", ":1235"},
		{"object encoding k", "$3 int"},
		{"setrange k 1 ab", ":4"},
		{"get k", "$4 1ab5"},
		{"setrange k 6 c", ":7"},
		{"get k", "$7 1ab5\x00\x00c"},
		{"setrange k -1 c", "-ERR offset is out of range"},
		{"setrange k 536870911 ab", "-ERR string exceeds maximum allowed size (proto-max-bulk-len)"},
		{"setrange missing 536870911 ab", "-ERR string exceeds maximum allowed size (proto-max-bulk-len)"},
		{`setrange missing 5 ""`, ":0"},
		{"exists missing", ":0"},
		{"strlen k", ":7"},
		{"strlen missing", ":0"},
		{"getrange k 1 2", "$2 ab"},
		{"getrange k -3 -1", "$3 \x00\x00c"},
		{"getrange k 5 2", "$0 "},
		{"getrange k 0 -100", "$1 1"},
		{"substr k 0 9223372036854775807", "$7 1ab5\x00\x00c"},
		{"getrange missing 0 -1", "$0 "},
		{"getrange k a 2", notInt},
	}...)
}

func TestNumbers(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"incr n", ":1"},
		{"decrby n 3", ":-2"},
		{"incrby n 9223372036854775807", ":9223372036854775805"},
		{"incrby n 3", "-ERR increment or decrement would overflow"},
		{"decrby n -9223372036854775808", "-ERR decrement would overflow"},
		{"set n -9223372036854775808", ok},
		{"decr n", "-ERR increment or decrement would overflow"},
		{"incrby n 0", ":-9223372036854775808"},
		{"set s 01", ok},
		{"incr s", notInt},
		{"incrby n 1.5", notInt},
		{"set f 10.5", ok},
		{"incrbyfloat f 0.1", "$4 10.6"},
		{"incrbyfloat f -5", "$3 5.6"},
		{"object encoding f", "$6 embstr"},
		{"incrbyfloat new 3.0e3", "$4 3000"},
		{"object encoding new", "$6 embstr"},
		{"incrbyfloat f x", "-ERR value is not a valid float"},
		{"incrbyfloat f inf", "-ERR increment would produce NaN or Infinity"},
		{"expire n 100", ":1"},
		{"incr n", ":-9223372036854775807"},
		{"ttl n", ":100"},
	}...)
}

func TestEncodings(t *testing.T) {
	w := newWorld(t, 1)
	long := strings.Repeat("a", 44)
	w.check([][2]string{
		{"set k 9223372036854775807", ok},
		{"object encoding k", "$3 int"},
		{"set k 9223372036854775808", ok},
		{"object encoding k", "$6 embstr"},
		{"set k " + long, ok},
		{"object encoding k", "$6 embstr"},
		{"set k " + long + "a", ok},
		{"object encoding k", "$3 raw"},
		{"set k " + strings.Repeat(long, 1000), ok},
		{"object encoding k", "$3 raw"},
		{"set k 9999", ok},
		{"object refcount k", ":2147483647"},
		{"set k 10000", ok},
		{"object refcount k", ":1"},
		{"object encoding missing", nothing},
		{"type k", "+string"},
		{"type missing", "+none"},
	}...)
}

func TestLCS(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"mset a ohmytext b mynewtext", ok},
		{"lcs a b", "$6 mytext"},
		{"lcs a b len", ":6"},
		{"lcs a missing", "$0 "},
		{"lcs a b idx", "*4 $7 matches *2 *2 *2 :4 :7 *2 :5 :8 *2 *2 :2 :3 *2 :0 :1 $3 len :6"},
		{"lcs a b idx minmatchlen 4 withmatchlen", "*4 $7 matches *1 *3 *2 :4 :7 *2 :5 :8 :4 $3 len :6"},
		{"lcs a b idx len", "-ERR If you want both the length and indexes, please just use IDX."},
		{"lcs a b minmatchlen", syntax},
		{"set a " + strings.Repeat("x", 12000), ok},
		{"set b " + strings.Repeat("x", 12000), ok},
		{"lcs a b", "-ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"},
	}...)
}
