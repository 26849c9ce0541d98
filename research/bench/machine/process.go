//go:build linux

package machine

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Process is a server that this program started.
type Process struct {
	Port int
	cmd  *exec.Cmd
	said *bytes.Buffer
	done chan struct{}
}

// Launch starts a server from a command line in which {port} stands for a free
// port of 127.0.0.1, on the given CPUs and with dir as its folder, and waits
// until it answers PING. The server dies with this program.
func Launch(line, dir string, cpus []int) (*Process, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	args, err := Split(strings.ReplaceAll(line, "{port}", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	p := &Process{Port: port, cmd: exec.Command(args[0], args[1:]...), said: new(bytes.Buffer), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, p.said, p.said
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := startOn(p.cmd, cpus); err != nil {
		return nil, fmt.Errorf("machine: start %q: %w", line, err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	if err := p.awake(); err != nil {
		p.Stop()
		return nil, fmt.Errorf("machine: start %q: %w\n%s", line, err, p.said)
	}
	return p, nil
}

// startOn starts a command whose threads, from the first on, see only the
// given CPUs: a child inherits the placement of the thread that forks it. That
// thread must not end while the child lives, since the child dies with it, so
// callers run on the locked main thread.
func startOn(cmd *exec.Cmd, cpus []int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, mask(cpus)); err != nil {
		return err
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	return cmd.Start()
}

func (p *Process) awake() error {
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		select {
		case <-p.done:
			return fmt.Errorf("it ended: %v", p.cmd.ProcessState)
		default:
		}
		if p.ping() {
			return nil
		}
	}
	return fmt.Errorf("no answer to PING within 10 s")
}

func (p *Process) ping() bool {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p.Port)), time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("*1\r\n$4\r\nPING\r\n")); err != nil {
		return false
	}
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	return err == nil && strings.HasPrefix(string(answer[:n]), "+PONG")
}

// Pid is the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Resident tells how many bytes of memory the server holds.
func (p *Process) Resident() int64 { return Resident(p.Pid()) }

// Stop ends the server and waits until it is gone.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("machine: find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Split cuts a command line at spaces; 'single' and "double" quotes keep a
// part together and may be empty.
func Split(line string) ([]string, error) {
	var args []string
	var word strings.Builder
	var quote rune
	open := false // a word has begun
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && r == ' ':
			if open {
				args = append(args, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		args = append(args, word.String())
	}
	if quote != 0 || len(args) == 0 {
		return nil, fmt.Errorf("machine: command line %q is empty or has an open quote", line)
	}
	return args, nil
}
