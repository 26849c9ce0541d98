package differ

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Environment variables that choose what the tests run against.
const (
	// EnvRedis names the redis-server binary; without it PATH is searched.
	EnvRedis = "IRONCACHE_REDIS_SERVER"
	// EnvSkipRedis, when 1, lets the tests skip where there is no redis-server.
	EnvSkipRedis = "IRONCACHE_SKIP_REDIS"
	// EnvOurs names a built ironcache binary; without it one is built.
	EnvOurs = "IRONCACHE_SERVER"
	// EnvRace, when 1, builds ours with the race detector.
	EnvRace = "IRONCACHE_RACE"
	// EnvFlags holds further flags for ours, separated by blanks.
	EnvFlags = "IRONCACHE_SERVER_FLAGS"
	// EnvSeed replaces the base seed of the random streams.
	EnvSeed = "IRONCACHE_DIFFER_SEED"
	// EnvCommands replaces the number of random commands of a run.
	EnvCommands = "IRONCACHE_DIFFER_COMMANDS"
)

// PortableFlag chooses the runtime of ours that needs no epoll.
const PortableFlag = "--portable"

// ErrNoRedis says that there is no redis-server and what to do about it.
var ErrNoRedis = errors.New("differ: no redis-server found: install it (apt-get install redis-server), " +
	"name it in " + EnvRedis + ", or set " + EnvSkipRedis + "=1 to skip what needs it")

// Process is a server started by Start, listening on the loopback interface.
type Process struct {
	Addr string
	Name string

	cmd  *exec.Cmd
	dir  string
	kept bool // the folder is the caller's
	log  *tail
	done chan struct{} // closed when the process has ended
}

const (
	startWait = 30 * time.Second
	stopWait  = 5 * time.Second
)

// Start runs a server and waits until it answers PING. The flags that every
// server understands (--port, --bind) are added to args.
func Start(name, binary string, args ...string) (*Process, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "differ-")
	if err != nil {
		return nil, fmt.Errorf("differ: directory for %s: %w", name, err)
	}
	return start(&Process{Name: name, dir: dir}, port, binary, args...)
}

// StartIn is Start at a port and in a folder of the caller's, which Stop leaves
// as it is.
func StartIn(dir string, port int, name, binary string, args ...string) (*Process, error) {
	return start(&Process{Name: name, dir: dir, kept: true}, port, binary, args...)
}

func start(p *Process, port int, binary string, args ...string) (*Process, error) {
	p.Addr, p.log, p.done = net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), &tail{}, make(chan struct{})
	p.cmd = exec.Command(binary, append(args, "--port", strconv.Itoa(port), "--bind", "127.0.0.1")...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = p.dir, p.log, p.log
	p.cmd.Env, p.cmd.SysProcAttr = serverEnv(), diesWithUs()
	if err := p.launch(); err != nil {
		return nil, errors.Join(fmt.Errorf("differ: start %s: %w", binary, err), p.clean())
	}
	if err := p.await(); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

// serverEnv is the environment without the variables of the tests: ours takes
// each IRONCACHE_ variable for an option and refuses those that it does not know.
func serverEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "IRONCACHE_") })
}

// launch starts the process from a thread that lives as long as it does.
func (p *Process) launch() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait()
		}
		close(p.done)
	}()
	return <-started
}

// await polls until the server answers, it ends, or startWait is over.
func (p *Process) await() error {
	for deadline := time.Now().Add(startWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if p.Ended() {
			return fmt.Errorf("differ: %s ended at start:\n%s", p.Name, p.Log())
		}
		if answers(p.Addr) {
			return nil
		}
	}
	return fmt.Errorf("differ: %s does not answer on %s after %v:\n%s", p.Name, p.Addr, startWait, p.Log())
}

func answers(addr string) bool {
	c, err := Dial(addr)
	if err != nil {
		return false
	}
	defer c.Close()
	c.Patience = time.Second
	r, err := c.Do("PING")
	return err == nil && r.Text == "PONG"
}

// Ended says whether the process is gone.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Log is the end of what the process printed.
func (p *Process) Log() string { return p.log.String() }

// Raced says whether a build with the race detector has reported a race.
func (p *Process) Raced() bool {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return p.log.raced
}

// Stop ends the process, by force if it does not end by itself, and removes its
// directory.
func (p *Process) Stop() {
	if p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
		case <-time.After(stopWait):
			_ = p.cmd.Process.Kill()
			<-p.done
		}
	}
	_ = p.clean()
}

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends the process a signal.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill ends the process at once and waits until it is gone. Its folder stays.
func (p *Process) Kill() error {
	err := p.cmd.Process.Kill()
	<-p.done
	return err
}

// clean removes the folder of the process.
func (p *Process) clean() error {
	if p.kept {
		return nil
	}
	return os.RemoveAll(p.dir)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("differ: free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// RedisBinary finds redis-server; as root on a system with apt-get it installs
// the distribution's package.
func RedisBinary() (string, error) {
	if path := os.Getenv(EnvRedis); path != "" {
		return path, nil
	}
	if path, err := exec.LookPath("redis-server"); err == nil {
		return path, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 || os.Getenv(EnvSkipRedis) == "1" {
		return "", ErrNoRedis
	}
	if err := installRedis(); err != nil {
		return "", fmt.Errorf("%w (apt-get: %w)", ErrNoRedis, err)
	}
	return exec.LookPath("redis-server")
}

func installRedis() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends", "redis-server"}} {
		cmd := exec.CommandContext(ctx, "apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out))
		}
	}
	return nil
}

// StartRedis runs a redis-server that keeps nothing on disk.
func StartRedis(extra ...string) (*Process, error) {
	binary, err := RedisBinary()
	if err != nil {
		return nil, err
	}
	args := []string{"--save", "", "--appendonly", "no", "--daemonize", "no", "--enable-debug-command", "yes"}
	return Start("redis-server", binary, append(args, extra...)...)
}

// StartOurs runs `ironcache server` with the given number of shards.
func StartOurs(binary string, shards int, extra ...string) (*Process, error) {
	args := []string{"server", "--shards", strconv.Itoa(shards), "--enable-debug-command", "yes"}
	args = append(args, strings.Fields(os.Getenv(EnvFlags))...)
	return Start(fmt.Sprintf("ironcache with %d shards", shards), binary, append(args, extra...)...)
}

// BuildOurs compiles cmd/ironcache of the module at root into dir.
func BuildOurs(root, dir string) (string, error) {
	if path := os.Getenv(EnvOurs); path != "" {
		return path, nil
	}
	binary := dir + "/ironcache"
	args := []string{"build", "-o", binary}
	cgo := "CGO_ENABLED=0"
	if os.Getenv(EnvRace) == "1" {
		args, cgo = append(args, "-race"), "CGO_ENABLED=1"
	}
	cmd := exec.Command("go", append(args, "./cmd/ironcache")...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("differ: build cmd/ironcache: %w\n%s", err, out)
	}
	return binary, nil
}

// tail keeps the last bytes written to it.
type tail struct {
	mu    sync.Mutex
	text  []byte
	raced bool // the race detector has reported something
}

const tailSize = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.raced = t.raced || bytes.Contains(p, []byte("DATA RACE"))
	t.text = append(t.text, p...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
