package netio

import (
	"strings"
	"testing"
)

const debugOn = "enable-debug-command=yes"

func TestDebugIsKeptFromStrangers(t *testing.T) {
	refused := "-ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.\r\n"
	for _, test := range []struct {
		option, from, want string
	}{
		{"no", "127.0.0.1:4000", refused},
		{"local", "127.0.0.1:4000", "+OK\r\n"},
		{"local", "10.0.0.7:4000", refused},
		{"yes", "10.0.0.7:4000", "+OK\r\n"},
	} {
		town := newTown(t, 2, "enable-debug-command="+test.option, "protected-mode=no")
		c := town.dialFrom(test.from)
		c.check([2]string{"debug log x", test.want}, [2]string{"multi", "+OK\r\n"})
		if got := c.line("debug log x"); test.want == refused && got != refused || test.want != refused && got != "+QUEUED\r\n" {
			t.Errorf("%s from %s, in a transaction: %q", test.option, test.from, got)
		}
	}
}

func TestDebugSubcommands(t *testing.T) {
	unknown := func(name string) string {
		return "-ERR unknown subcommand or wrong number of arguments for '" + name + "'. Try DEBUG HELP.\r\n"
	}
	c := newTown(t, 2, debugOn).dial()
	c.check(
		[2]string{"debug", "-ERR wrong number of arguments for 'debug' command\r\n"},
		[2]string{"debug foo", unknown("foo")},
		[2]string{"debug Sleep", unknown("Sleep")},
		[2]string{"debug sleep 0 0", unknown("sleep")},
		[2]string{"debug help me", unknown("help")},
		[2]string{"debug log hello", "+OK\r\n"},
		[2]string{"debug error FOO bar", unknown("error")},
		[2]string{"debug error FOO", "-FOO\r\n"},
		[2]string{"debug set-active-expire 1", "+OK\r\n"},
		[2]string{"debug pause-cron 0", "+OK\r\n"},
		[2]string{"debug replybuffer peak-reset-time never", "+OK\r\n"},
		[2]string{"debug replybuffer peak-reset-time 100", "+OK\r\n"},
		[2]string{"debug replybuffer peak-reset-time x", "-ERR value is not an integer or out of range\r\n"},
		[2]string{"debug replybuffer resizing 0", "+OK\r\n"},
		[2]string{"debug replybuffer foo 1", unknown("replybuffer")},
	)
	if got := c.line("debug help"); !strings.HasPrefix(got, "*21\r\n+DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n") {
		t.Errorf("help: %q", got)
	}
	if !strings.Contains(c.town.log.String(), `msg="DEBUG LOG: hello"`) {
		t.Errorf("log: %s", c.town.log.String())
	}
}

func TestDebugProtocol(t *testing.T) {
	c := newTown(t, 1, debugOn).dial()
	for _, test := range []struct{ kind, resp2, resp3 string }{
		{"string", "$11\r\nHello World\r\n", "$11\r\nHello World\r\n"},
		{"integer", ":12345\r\n", ":12345\r\n"},
		{"double", "$5\r\n3.141\r\n", ",3.141\r\n"},
		{"null", "$-1\r\n", "_\r\n"},
		{"array", "*3\r\n:0\r\n:1\r\n:2\r\n", "*3\r\n:0\r\n:1\r\n:2\r\n"},
		{"set", "*3\r\n:0\r\n:1\r\n:2\r\n", "~3\r\n:0\r\n:1\r\n:2\r\n"},
		{"map", "*6\r\n:0\r\n:0\r\n:1\r\n:1\r\n:2\r\n:0\r\n", "%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n"},
		{"attrib", "$39\r\nSome real reply following the attribute\r\n",
			"|1\r\n$14\r\nkey-popularity\r\n*2\r\n$7\r\nkey:123\r\n:90\r\n$39\r\nSome real reply following the attribute\r\n"},
		{"verbatim", "$25\r\nThis is a verbatim\nstring\r\n", "=29\r\ntxt:This is a verbatim\nstring\r\n"},
		{"true", ":1\r\n", "#t\r\n"},
		{"false", ":0\r\n", "#f\r\n"},
		{"bignum", "$37\r\n1234567999999999999999999999999999999\r\n", "(1234567999999999999999999999999999999\r\n"},
		{"foo", wrongType, wrongType},
	} {
		c.line("hello 2")
		c.check([2]string{"debug protocol " + test.kind, test.resp2})
		c.line("hello 3")
		c.check([2]string{"debug protocol " + test.kind, test.resp3})
	}
	c.check([2]string{"debug protocol push", ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n"})
	if got := c.reply(); got != "$40\r\nSome real reply following the push reply\r\n" {
		t.Errorf("behind the push: %q", got)
	}
	c.line("hello 2")
	c.check([2]string{"debug protocol push", "-ERR RESP2 is not supported by this command\r\n"})
}

const wrongType = "-ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false\r\n"

func TestDebugObject(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards, debugOn).dial()
		for _, key := range []string{"a", "b", "c", "d"} {
			c.line("set " + key + " 12")
			got := c.line("debug object " + key)
			if !strings.HasPrefix(got, "+Value at:0x") || !strings.Contains(got, " encoding:int ") {
				t.Errorf("%s: %q", key, got)
			}
		}
		c.check([2]string{"debug object nosuch", "-ERR no such key\r\n"})
	})
}

func TestDebugPopulate(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards, debugOn).dial()
		c.line("set key:7 mine")
		c.check(
			[2]string{"debug populate 3000", "+OK\r\n"},
			[2]string{"dbsize", ":3000\r\n"},
			[2]string{"get key:7", "$4\r\nmine\r\n"},
			[2]string{"get key:2999", "$10\r\nvalue:2999\r\n"},
			[2]string{"debug populate 2 p 10", "+OK\r\n"},
			[2]string{"get p:1", "$10\r\nvalue:1\x00\x00\x00\r\n"},
			[2]string{"debug populate 1 q 3", "+OK\r\n"},
			[2]string{"get q:0", "$3\r\nval\r\n"},
			[2]string{"debug populate x", "-ERR value is out of range, must be positive\r\n"},
			[2]string{"debug populate -1", "-ERR value is out of range, must be positive\r\n"},
			[2]string{"debug populate 1 p x", "-ERR value is out of range, must be positive\r\n"},
			[2]string{"debug populate 1 p 99999999999", "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n"},
		)
	})
}

func TestDebugPopulateWithinATransaction(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards, debugOn).dial()
		for _, line := range []string{"multi", "debug populate 1000", "dbsize", "debug sleep 1", "dbsize"} {
			c.line(line)
		}
		before := c.town.world.Now()
		c.check([2]string{"exec", "*4\r\n+OK\r\n:1000\r\n+OK\r\n:1000\r\n"})
		if took := c.town.world.Now() - before; took < 1e9 || took > 1.1e9 {
			t.Errorf("took %d ns", took)
		}
	})
}
