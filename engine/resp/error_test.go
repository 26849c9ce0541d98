package resp

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func args(words ...string) (list [][]byte) {
	for _, word := range words {
		list = append(list, []byte(word))
	}
	return list
}

// What redis-server 7.0.15 replies.
func TestErrorTexts(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct{ got, want Error }{
		{UnknownCommand([]byte("foo"), nil), "ERR unknown command 'foo', with args beginning with: "},
		{UnknownCommand([]byte("foo"), args("a", "b\r\nc", "")), "ERR unknown command 'foo', with args beginning with: 'a' 'b  c' '' "},
		{UnknownCommand([]byte("f\no\x00o"), args("a\x00b")), "ERR unknown command 'f o', with args beginning with: 'a' "},
		{UnknownCommand([]byte(long), args(long, "a")), Error("ERR unknown command '" + long[:128] + "', with args beginning with: '" + long[:128] + "' ")},
		{UnknownCommand([]byte("f"), args(long[:120], "abcdefgh", "i")), Error("ERR unknown command 'f', with args beginning with: '" + long[:120] + "' 'abcde' ")},
		{UnknownSubcommand("client", []byte("FOO")), "ERR unknown subcommand 'FOO'. Try CLIENT HELP."},
		{UnknownSubcommand("client", []byte("f\noo")), "ERR unknown subcommand 'f oo'. Try CLIENT HELP."},
		{SubcommandSyntax("memory", []byte("usage")), "ERR unknown subcommand or wrong number of arguments for 'usage'. Try MEMORY HELP."},
		{WrongArity("client|list"), "ERR wrong number of arguments for 'client|list' command"},
		{InvalidExpire("set"), "ERR invalid expire time in 'set' command"},
		{UnsupportedOption([]byte("zz")), "ERR Unsupported option zz"},
		{NotBetween(-5, 7), "ERR value is out of range, value must between -5 and 7"},
		{HelloOption([]byte("x")), "ERR Syntax error in HELLO option 'x'"},
		{UnknownClientType([]byte("x")), "ERR Unknown client type 'x'"},
		{NoSuchUser([]byte("x")), "ERR No such user 'x'"},
		{ExecAborted("ERR x"), "EXECABORT Transaction discarded because of: x"},
		{ExecAborted(ErrNoAuth), "EXECABORT Transaction discarded because of: NOAUTH Authentication required."},
		{Moved(12182, "127.0.0.1:7001"), "MOVED 12182 127.0.0.1:7001"},
		{Ask(1, "[::1]:7001"), "ASK 1 [::1]:7001"},
		{Rewriting("why"), "ERR Rewriting config file: why"},
		{(&ProtocolError{"x"}).Reply(), "ERR Protocol error: x"},
	} {
		if c.got != c.want {
			t.Errorf("got  %q\nwant %q", c.got, c.want)
		}
	}
}

func TestErrorIsAValue(t *testing.T) {
	var err error = ErrWrongType
	if err != error(ErrWrongType) || !errors.Is(fmt.Errorf("get: %w", err), ErrWrongType) {
		t.Error("an Error is not equal to itself")
	}
	if ErrWrongType.Code() != "WRONGTYPE" || Error("ERR").Code() != "ERR" {
		t.Error("the code is the first word")
	}
	if AsError(fmt.Errorf("a: %w", ErrNoAuth)) != ErrNoAuth || AsError(errors.New("\r\nx\ny\n")) != "ERR x y" {
		t.Error("AsError")
	}
	if testing.AllocsPerRun(10, func() { err = ErrSyntax }) != 0 {
		t.Error("returning an error of the list allocates")
	}
}
