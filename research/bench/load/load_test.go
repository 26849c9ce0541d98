//go:build linux

package load

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// fake serves every connection with a function from a command to its reply.
func fake(t *testing.T, reply func(command []string) string) (port int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serveFake(conn, reply)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

func serveFake(conn net.Conn, reply func([]string) string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		var argc, size int
		if _, err := fmt.Fscanf(in, "*%d\r\n", &argc); err != nil {
			return
		}
		command := make([]string, argc)
		for i := range command {
			fmt.Fscanf(in, "$%d\r\n", &size)
			fmt.Fscanf(in, "%s\r\n", &command[i])
		}
		if _, err := conn.Write([]byte(reply(command))); err != nil {
			return
		}
	}
}

var echo = Shape{
	Name:    "echo",
	Request: func(dst []byte, key int) []byte { return Command(dst, "ECHO", Key(key)) },
	Reply:   func(dst []byte, key int) []byte { return AppendBulk(dst, Key(key)) },
}

func answerEcho(command []string) string { return string(AppendBulk(nil, command[1])) }

func dial(t *testing.T, port, n int) *Client {
	c, err := Dial(port, n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestClosedSendsEveryRequestOnce(t *testing.T) {
	seen := make(chan string, 1000)
	port := fake(t, func(command []string) string {
		seen <- command[1]
		return answerEcho(command)
	})
	got, err := dial(t, port, 3).Closed(Closed{Requests: InOrder(echo, 0, 500), Pipeline: 7, Once: true})
	if err != nil || got.Commands != 500 || got.Latency.Count() != 72 {
		t.Errorf("commands %d, batches %d, error %v; want 500 in 72", got.Commands, got.Latency.Count(), err)
	}
	keys := map[string]bool{}
	for range 500 {
		keys[<-seen] = true
	}
	if len(keys) != 500 {
		t.Errorf("%d keys came, want 500", len(keys))
	}
}

func TestClosedEndsInTime(t *testing.T) {
	port := fake(t, answerEcho)
	got, err := dial(t, port, 2).Closed(Closed{Requests: Random(echo, 10, 10, 1), Pipeline: 4, For: 50 * time.Millisecond})
	if err != nil || got.Commands == 0 || got.Elapsed < 40*time.Millisecond || got.Elapsed > 5*time.Second {
		t.Errorf("commands %d in %v, error %v", got.Commands, got.Elapsed, err)
	}
}

// A server that stands still for a while must be seen to, by all requests that
// were due meanwhile and not only by the one that hit it.
func TestOpenCountsFromTheScheduledMoment(t *testing.T) {
	const away = 100 * time.Millisecond
	n := 0
	port := fake(t, func(command []string) string {
		if n++; n == 50 {
			time.Sleep(away)
		}
		return answerEcho(command)
	})
	got, err := dial(t, port, 1).Open(Open{Requests: InOrder(echo, 0, 10), Every: time.Millisecond, For: 200 * time.Millisecond})
	if err != nil || got.Commands != 200 {
		t.Fatalf("commands %d, error %v; want 200", got.Commands, err)
	}
	// Of 200 requests at least 75 were due in the first three quarters of the pause.
	if p := got.Latency.Percentile(70); p < away/5 {
		t.Errorf("the 70th percentile is %v: waiting requests were not counted", p)
	}
	if got.Latency.Max() < away {
		t.Errorf("the maximum is %v, under the pause of %v", got.Latency.Max(), away)
	}
}

func TestProbeSeesTheLoad(t *testing.T) {
	port := fake(t, answerEcho)
	plan := Closed{Requests: InOrder(echo, 0, 20000), Pipeline: 16, Once: true}
	load, seen, err := dial(t, port, 3).Probed(plan, Open{Requests: InOrder(echo, 0, 1), Every: time.Millisecond})
	if err != nil || load.Commands != 20000 || seen.Commands == 0 {
		t.Errorf("load %d, probe %d, error %v", load.Commands, seen.Commands, err)
	}
}

func TestScanFollowsTheCursor(t *testing.T) {
	cursors := map[string]string{"0": "17", "17": "4", "4": "0"}
	port := fake(t, func(command []string) string {
		if command[0] == "ECHO" {
			return answerEcho(command)
		}
		return "*2\r\n" + string(AppendBulk(nil, cursors[command[1]])) + "*2\r\n$1\r\na\r\n$2\r\nbb\r\n"
	})
	walk, _, err := dial(t, port, 2).ProbedScan("10", Open{Requests: InOrder(echo, 0, 1), Every: time.Millisecond})
	if err != nil || walk.Commands != 3 {
		t.Errorf("%d calls, error %v; want 3", walk.Commands, err)
	}
}

func TestWrongRepliesAreErrors(t *testing.T) {
	lines := Shape{Name: "line", Request: echo.Request, Lines: 1}
	for _, test := range []struct {
		name, reply, want string
		shape             Shape
	}{
		{"error reply, bytes", "-ERR broken\r\n", "error reply", echo},
		{"error reply, lines", "-ERR broken\r\n", "error reply", lines},
		{"too much", "$17\r\nkey:0000000000000\r\n", "more replies than requests", echo},
		{"too many lines", ":1\r\n:2\r\n", "more replies than requests", lines},
	} {
		t.Run(test.name, func(t *testing.T) {
			port := fake(t, func([]string) string { return test.reply })
			_, err := dial(t, port, 1).Closed(Closed{Requests: InOrder(test.shape, 0, 1), Pipeline: 1, Once: true})
			if err == nil {
				// The surplus came behind the last reply awaited.
				_, err = dial(t, port, 1).Closed(Closed{Requests: InOrder(test.shape, 0, 50), Pipeline: 1, Once: true})
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestCheckComparesReplies(t *testing.T) {
	for _, test := range []struct {
		name     string
		reply    func([]string) string
		constant bool
		want     string
	}{
		{"right", answerEcho, false, ""},
		{"another key's", func([]string) string { return string(AppendBulk(nil, Key(99))) }, false, "is right"},
		{"a constant", func([]string) string { return string(AppendBulk(nil, Key(99))) }, true, ""},
		{"another length", func([]string) string { return string(AppendBulk(nil, strings.Repeat("x", 40))) }, true, "is right"},
		{"an error", func([]string) string { return "-ERR no\r\n" }, true, "error reply"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := NewSession(fake(t, test.reply))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			err = s.Check(InOrder(echo, 0, 5), 5, test.constant)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestSessionReadsWholeReplies(t *testing.T) {
	const nested = "*3\r\n:1\r\n%1\r\n+a\r\n$2\r\nbc\r\n*-1\r\n"
	s, err := NewSession(fake(t, func([]string) string { return nested }))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 2 {
		if got, err := s.Do("ANY", "thing"); got != nested || err != nil {
			t.Errorf("reply %q, error %v", got, err)
		}
	}
}

// replyGen draws a reply of any kind.
func replyGen(depth int) *rapid.Generator[string] {
	line := rapid.SampledFrom([]string{"+OK\r\n", ":12\r\n", "$-1\r\n", "*-1\r\n", "_\r\n", "*0\r\n", ",1.5\r\n", "#t\r\n", "-ERR x\r\n"})
	bulk := rapid.Map(rapid.StringN(0, 20, -1), func(s string) string { return string(AppendBulk(nil, s)) })
	if depth == 0 {
		return rapid.OneOf(line, bulk)
	}
	many := rapid.Map(rapid.SliceOfN(replyGen(depth-1), 0, 4), func(all []string) string {
		return fmt.Sprintf("*%d\r\n%s", len(all), strings.Join(all, ""))
	})
	pairs := rapid.Map(rapid.SliceOfN(replyGen(0), 2, 2), func(all []string) string { return "%1\r\n" + all[0] + all[1] })
	return rapid.OneOf(line, bulk, many, pairs)
}

// TestWholeFindsTheEnd: however a stream is cut into pieces, the awaited
// replies take their own bytes and no others.
func TestWholeFindsTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		replies := rapid.SliceOfN(replyGen(2), 1, 5).Draw(t, "replies")
		own := strings.Join(replies, "")
		stream := []byte(own + "+next\r\n")
		w := whole{left: len(replies)}
		used := 0
		for at := 0; at < len(stream) && !w.done(); {
			n := rapid.IntRange(1, len(stream)-at).Draw(t, "piece")
			took := w.take(stream[at : at+n])
			used += took
			at += n
		}
		if !w.done() || used != len(own) {
			t.Fatalf("took %d bytes, done %v; want %d", used, w.done(), len(own))
		}
	})
}
