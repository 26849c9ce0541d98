package clients

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A toolCheck is one call of redis-cli or redis-benchmark. It has to end with
// exit status 0 and print what want matches; \A and \z make it exact.
type toolCheck struct {
	name  string
	args  []string
	input func() io.Reader
	want  string
}

func typed(text string) func() io.Reader { return func() io.Reader { return strings.NewReader(text) } }

// cliChecks run in this order: later ones use the keys of earlier ones.
var cliChecks = []toolCheck{
	{"one command", []string{"set", "cli", "a b"}, nil, `\AOK\n\z`},
	{"printed for people", []string{"--no-raw", "get", "cli"}, nil, `\A"a b"\n\z`},
	{"nil for people", []string{"--no-raw", "get", "cli:none"}, nil, `\A\(nil\)\n\z`},
	{"RESP3 map for people", []string{"-3", "--no-raw", "config", "get", "maxmemory"}, nil, `\A1# "maxmemory" => "0"\n\z`},
	{"RESP3 and HELLO", []string{"-3", "hello"}, nil, `(?s)server\s+redis.*proto\s+3`},
	{"RESP3 null", []string{"-3", "--no-raw", "get", "cli:none"}, nil, `\A\(nil\)\n\z`},
	{"JSON", []string{"--json", "mget", "cli", "cli:none"}, nil, `\A\["a b",null\]\n\z`},
	{"CSV", []string{"--csv", "mget", "cli", "cli:none"}, nil, `\A"a b",NULL\n\z`},
	{"repeated", []string{"-r", "5", "incr", "cli:count"}, nil, `\A1\n2\n3\n4\n5\n\z`},
	{"another database", []string{"-n", "11", "set", "elsewhere", "1"}, nil, `\AOK\n\z`},
	{"a conversation", nil, typed("MULTI\nINCR cli:tx\nGET cli:tx\nEXEC\n\"GET\" \"\\x63li\"\n"), `\AOK\nQUEUED\nQUEUED\n1\n1\na b\n\z`},
	{"an error is printed", nil, typed("INCR cli\nPING\n"), `\AERR value is not an integer or out of range\n+PONG\n\z`},
	{"value from its input", []string{"-x", "set", "cli:x"}, typed(strings.Repeat("0123456789", 100000)), `\AOK\n\z`},
	{"value from its input arrived", nil, typed("STRLEN cli:x\nGETRANGE cli:x 999990 -1\n"), `\A1000000\n0123456789\n\z`},
	{"argument from its input", []string{"-X", "tag", "set", "cli:X", "tag", "ex", "100"}, typed("in the middle"), `\AOK\n\z`},
	{"quoted binary", []string{"--quoted-input", "set", `"bin\x00\xff"`, `"v\r\n"`}, nil, `\AOK\n\z`},
	{"mass insertion", []string{"-n", "10", "--pipe"}, massInsertion, `errors: 0, replies: 100000\n\z`},
	{"mass insertion arrived", []string{"-n", "10"}, typed("GET mass:0\nGET mass:99999\n"), `\Avalue 0\nvalue 99999\n\z`},
	{"scan", []string{"--scan", "--pattern", "cli:[cx]*"}, nil, `\A(cli:count\ncli:x\n|cli:x\ncli:count\n)\z`},
	{"scan counts", []string{"-n", "10", "--scan", "--pattern", "mass:1234*"}, nil, `\A(mass:1234\d?\n){11}\z`},
	{"big keys", []string{"--bigkeys"}, nil, `(?s)Biggest string found.*cli:x.*has 1000000 bytes.*strings with`},
	{"keys by memory", []string{"-n", "11", "--memkeys"}, nil, `(?s)Biggest string found.*elsewhere`},
	{"latency", []string{"--latency"}, nil, `\A\d+ \d+ [\d.]+ \d+\n\z`},
	{"INFO", []string{"info", "server"}, nil, `(?s)# Server\r?\nredis_version:`},
	{"help of a command", []string{"object", "help"}, nil, `(?s)\AOBJECT <subcommand>.*ENCODING <key>`},
	{"LOLWUT", []string{"lolwut"}, nil, `\S`},
	{"done", []string{"flushall"}, nil, `\AOK\n\z`},
}

// massInsertion is a file as the documentation of --pipe describes it.
func massInsertion() io.Reader {
	var text bytes.Buffer
	for i := range 100000 {
		key, value := fmt.Sprint("mass:", i), fmt.Sprint("value ", i)
		fmt.Fprintf(&text, "*3\r\n$3\r\nSET\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n", len(key), key, len(value), value)
	}
	return &text
}

const benchmarked = `(?s)\bSET: .*GET: .*INCR: .*MSET \(10 keys\): .* requests per second`

var benchmarkChecks = []toolCheck{
	{"no pipeline", []string{"-q", "-t", "set,get,incr,mset", "-n", "3000"}, nil, benchmarked},
	{"pipelines of 16", []string{"-q", "-t", "set,get,incr,mset", "-n", "10000", "-P", "16", "-r", "100000"}, nil, benchmarked},
	{"pipelines of 64", []string{"-q", "-t", "set,get,incr,mset", "-n", "10000", "-P", "64", "-r", "100000"}, nil, benchmarked},
	{"large values", []string{"-q", "-t", "set,get", "-n", "2000", "-d", "20000", "-P", "4"}, nil, `(?s)\bSET: .*GET: .* requests per second`},
	{"RESP3", []string{"-q", "-3", "-t", "set,get", "-n", "3000", "-P", "8"}, nil, `(?s)\bSET: .*GET: .* requests per second`},
	{"threads and many connections", []string{"-q", "--threads", "2", "-c", "200", "-t", "set,get", "-n", "10000", "-P", "8"}, nil, `(?s)SET: .*GET: .* requests per second`},
	{"inline commands", []string{"-q", "-t", "ping_inline,ping_mbulk", "-n", "3000"}, nil, `(?s)PING_INLINE: .*PING_MBULK: .* requests per second`},
	{"a command of one's own", []string{"-q", "-n", "3000", "-r", "1000", "getex", "key:__rand_int__", "ex", "100"}, nil, `getex .* requests per second`},
	{"CSV", []string{"--csv", "-t", "set", "-n", "2000"}, nil, `(?s)\A"test","rps".*"SET","`},
}

// complaint is what neither program prints when all is well. A conversation may
// ask for an error.
var complaint = regexp.MustCompile(`(?i)error|warning|denied|refused|unexpected`)

func redisCLI(t *testing.T, addr string) score { return tool(t, "redis-cli", addr, cliChecks) }

func redisBenchmark(t *testing.T, addr string) score {
	return tool(t, "redis-benchmark", addr, benchmarkChecks)
}

func tool(t *testing.T, binary, addr string, checks []toolCheck) (s score) {
	wants(t, needTools)
	for _, c := range checks {
		good := t.Run(c.name, func(t *testing.T) { c.run(t, binary, addr) })
		s.add(!good)
		if !good && !answers(t, addr) {
			t.Errorf("no answer after the check %q; the others are left out", c.name)
			break
		}
	}
	return s
}

func (c toolCheck) run(t *testing.T, binary, addr string) {
	ctx, cancel := context.WithTimeout(t.Context(), checkTime)
	defer cancel()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, binary, slices.Concat([]string{"-h", host, "-p", port}, c.args)...)
	if c.input != nil {
		cmd.Stdin = c.input()
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%.2000s", err, out)
	}
	if !regexp.MustCompile(c.want).Match(out) {
		t.Errorf("printed %.2000q, which is not %s", out, c.want)
	}
	rest := strings.ReplaceAll(string(out), "errors: 0,", "")
	if found := complaint.FindString(rest); found != "" {
		t.Errorf("printed %q: %.2000q", found, out)
	}
}
