package clients

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// programTime bounds one client program; it takes seconds.
const programTime = 60 * time.Second

var verdict = regexp.MustCompile(`(?m)^(\d+) passed, (\d+) failed$`)

// program runs one that prints its failed checks and, as its last line, the
// verdict.
func program(t *testing.T, dir string, args ...string) score {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	found := verdict.FindSubmatch(out)
	if found == nil {
		t.Fatalf("%v ended without a verdict: %v", args, err)
	}
	var s score
	s.passed, _ = strconv.Atoi(string(found[1]))
	s.failed, _ = strconv.Atoi(string(found[2]))
	if s.failed != 0 || s.passed == 0 || err != nil {
		t.Errorf("%v: %d checks failed (%v)", args[0], s.failed, err)
	}
	return s
}

func redisPy(t *testing.T, addr string) score {
	wants(t, needPython)
	return program(t, "python", python, "smoke.py", addr)
}

// node runs one of the clients that node/main.mjs knows.
func node(client string) func(*testing.T, string) score {
	return func(t *testing.T, addr string) score {
		wants(t, needNode)
		dir, err := nodeDir()
		if err != nil {
			t.Fatal(err)
		}
		return program(t, dir, "node", "main.mjs", addr, client)
	}
}

// nodeDir is a copy of the folder node, beside which npm has put the libraries
// of the lock file. npm keeps what it has downloaded, so that another run needs
// no network.
var nodeDir = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "node")
	if err := os.CopyFS(dir, os.DirFS("node")); err != nil {
		return "", fmt.Errorf("clients: copy node: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--prefer-offline", "--ignore-scripts")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("clients: npm ci: %w: %s", err, out)
	}
	return dir, nil
})

// scratch is a folder for this run of the tests.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "clients-"); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(status)
}
