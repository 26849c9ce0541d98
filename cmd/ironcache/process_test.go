//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// beTheProgram is a variable that makes the test binary the program.
const beTheProgram = "TEST_BINARY_IS_IRONCACHE=1"

func TestMain(m *testing.M) {
	for _, variable := range os.Environ() {
		if variable == beTheProgram {
			main()
		}
	}
	os.Exit(m.Run())
}

// programCommand is a command line of the program as a process of its own.
func programCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = []string{beTheProgram, "HOME=" + t.TempDir()}
	return c
}

// served is a server that runs as a process.
type served struct {
	t    *testing.T
	cmd  *exec.Cmd
	addr string
}

// startServer starts a server at a free port and waits until it answers.
// Output that the test gave the command stays.
func startServer(t *testing.T, c *exec.Cmd) *served {
	t.Helper()
	s := &served{t: t, cmd: c, addr: net.JoinHostPort("127.0.0.1", freePort(t))}
	_, port, _ := net.SplitHostPort(s.addr)
	c.Args = append(c.Args, "--port", port, "--bind", "127.0.0.1", "--shards", "2")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if s.ask("PING") == "+PONG" {
			return s
		}
	}
	t.Fatal("the server does not answer")
	return nil
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// ask sends a command on a connection of its own and gives the first line of
// the reply; what went wrong where there is none.
func (s *served) ask(line string) string { return s.askWithin(line, 20*time.Second) }

func (s *served) askWithin(line string, patience time.Duration) string {
	conn, err := net.DialTimeout("tcp", s.addr, 5*time.Second)
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, line+"\r\n"); err != nil {
		return err.Error()
	}
	reply, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(reply)
}

// answers fails the test unless a command gets the reply.
func (s *served) answers(line, want string) {
	s.t.Helper()
	if got := s.ask(line); got != want {
		s.t.Errorf("%s: %q, want %q", line, got, want)
	}
}

// fails runs a command line that has to fail, and gives its output.
func fails(t *testing.T, code int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	c := programCommand(t, args...)
	c.Stdout, c.Stderr = &out, &out
	stop := time.AfterFunc(30*time.Second, func() { _ = c.Process.Kill() })
	defer stop.Stop()
	_ = c.Run()
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("%s: exit code %d, want %d; it said %s", strings.Join(args, " "), got, code, &out)
	}
	return out.String()
}

// TestListensSomewhere: a server that cannot have its addresses says so and
// does not run, whether they are optional or not.
func TestListensSomewhere(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	const foreign = "192.0.2.1" // set apart for documentation: no machine has it
	tests := []struct{ bind, want string }{
		{"-127.0.0.1", "listen tcp4 127.0.0.1:" + port + ": bind: address already in use"},
		{"127.0.0.1", "listen tcp4 127.0.0.1:" + port + ": bind: address already in use"},
		{"-" + foreign, "this machine has none of the addresses that bind names"},
		{foreign, "listen tcp4 " + foreign + ":" + port + ": bind: cannot assign requested address"},
	}
	for _, test := range tests {
		if out := fails(t, exitFailure, "server", "--port", port, "--bind="+test.bind); !strings.Contains(out, test.want) {
			t.Errorf("bind %s: no %q in %s", test.bind, test.want, out)
		}
	}
}

// TestBadPinFailsFirst: a CPU that is not there is told of in one line, before
// anything starts.
func TestBadPinFailsFirst(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("threads are pinned on Linux alone")
	}
	out := fails(t, exitFailure, "server", "--port", freePort(t), "--shards", "1", "--pin", "0,1023")
	if want := "ironcache: option pin: host: pin a thread to CPU 1023: invalid argument\n"; out != want {
		t.Errorf("it said %q, want %q", out, want)
	}
}

// TestOutlivesItsReader: a server goes on when nobody reads its log any more,
// and with signals that are no requests to stop.
func TestOutlivesItsReader(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := programCommand(t, "server", "--loglevel", "debug")
	c.Stdout, c.Stderr = writer, writer
	s := startServer(t, c)
	writer.Close()
	reader.Close()
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGUSR1} {
		if err := s.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // each is worth a line of the log
		s.answers("CONFIG SET maxmemory 1", "+OK")
		s.answers("CONFIG SET maxmemory 0", "+OK")
	}
	s.answers("PING", "+PONG")
}

// TestOutlivesAStalledReader: a server serves, and stops when it is told to,
// though nobody reads its log and the pipe is full.
func TestOutlivesAStalledReader(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	c := programCommand(t, "server")
	c.Stderr = writer
	s := startServer(t, c)
	writer.Close()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(60 * time.Second))
	const rounds = 2500 // more lines than a pipe and the queue hold
	go func() {
		_, _ = io.WriteString(conn, strings.Repeat("CONFIG SET maxmemory 1\r\nCONFIG SET maxmemory 0\r\n", rounds))
	}()
	if n, err := io.Copy(io.Discard, io.LimitReader(conn, 2*rounds*int64(len("+OK\r\n")))); err != nil {
		t.Fatalf("%d bytes of replies: %v", n, err)
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
	if code := s.cmd.ProcessState.ExitCode(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// TestLogCannotBeWritten: a full disk under the log does not stop a server.
func TestLogCannotBeWritten(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no disk that is always full")
	}
	s := startServer(t, programCommand(t, "server", "--logfile", "/dev/full"))
	s.answers("CONFIG SET maxmemory 1", "+OK")
	s.answers("PING", "+PONG")
}

// TestLogRotates: a line goes to whatever has the log's name.
func TestLogRotates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "log")
	f := &logFile{path: path}
	write := func(line string) {
		t.Helper()
		if err := func() error { _, err := f.Write([]byte(line)); return err }(); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(path, want string) {
		t.Helper()
		if text, err := os.ReadFile(path); string(text) != want {
			t.Errorf("%s holds %q, want %q (%v)", path, text, want, err)
		}
	}
	if err := f.open(); err != nil {
		t.Fatal(err)
	}
	write("one ")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	write("two ") // rotated
	write("three ")
	holds(path+".1", "one ")
	holds(path, "two three ")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write("four ") // removed
	holds(path, "four ")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	write("five ") // copied and truncated
	holds(path, "five ")
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	write("six ") // there is no place for a file of that name
	holds(filepath.Join(dir+".away", "log"), "five six ")
}

// TestMoreClientsThanFiles: as in Redis, maxclients cannot be set to more than
// the system has files for.
func TestMoreClientsThanFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the most files that a process may have are known on Linux alone")
	}
	s := startServer(t, programCommand(t, "server", "--maxclients", "10"))
	const want = "-ERR CONFIG SET failed (possibly related to argument 'maxclients') - " +
		"The operating system is not able to handle the specified number of clients, try with "
	if got := s.ask("CONFIG SET maxclients 4294967295"); !strings.HasPrefix(got, want) {
		t.Errorf("got %q", got)
	}
	s.answers("CONFIG SET maxclients 11", "+OK")
}

// TestInterruptedAgain: one SIGINT waits for what runs, as SIGTERM does; with
// another one the process ends at once.
func TestInterruptedAgain(t *testing.T) {
	for _, test := range []struct {
		signal  syscall.Signal
		seconds string // that the node sleeps
		code    int
	}{{syscall.SIGINT, "60", exitFailure}, {syscall.SIGTERM, "2", exitOK}} {
		s := startServer(t, programCommand(t, "server", "--enable-debug-command", "yes"))
		go s.ask("DEBUG SLEEP " + test.seconds)
		for s.askWithin("PING", 300*time.Millisecond) == "+PONG" { // until it sleeps
		}
		from := time.Now()
		for range 2 {
			_ = s.cmd.Process.Signal(test.signal)
			time.Sleep(50 * time.Millisecond) // two that come together are one
		}
		_ = s.cmd.Wait()
		if got := s.cmd.ProcessState.ExitCode(); got != test.code {
			t.Errorf("%v twice: exit code %d, want %d", test.signal, got, test.code)
		}
		if took := time.Since(from); took > 30*time.Second {
			t.Errorf("%v twice: it took %v", test.signal, took)
		}
	}
}
