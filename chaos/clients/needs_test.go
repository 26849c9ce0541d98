package clients

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// envSkip, when 1, skips everything that needs programs beside Go.
const envSkip = "IRONCACHE_SKIP_CLIENTS"

// python is the interpreter that distributions install modules for.
const python = "/usr/bin/python3"

// A need is a program that a client is run by.
type need struct {
	probe    []string // exits with 0 where the program is there
	packages []string // what Debian and Ubuntu call it
}

var (
	needNode   = need{[]string{"npm", "--version"}, []string{"nodejs", "npm"}}
	needPython = need{[]string{python, "-c", "import redis"}, []string{"python3-redis"}}
	needTools  = need{[]string{"redis-benchmark", "--version"}, []string{"redis-tools"}}
)

func (n need) met() bool { return exec.Command(n.probe[0], n.probe[1:]...).Run() == nil }

var installing sync.Mutex

// wants installs what is missing, or fails with what to install.
func wants(t *testing.T, n need) {
	t.Helper()
	if os.Getenv(envSkip) == "1" {
		t.Skip(envSkip + "=1")
	}
	installing.Lock()
	defer installing.Unlock()
	if n.met() {
		return
	}
	if err := install(n.packages); err != nil {
		t.Fatalf("please install %s, or set %s=1: %v", strings.Join(n.packages, " "), envSkip, err)
	}
}

func install(packages []string) error {
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return errors.New("no apt-get, or not root")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	steps := [][]string{{"-qq", "update"}, append([]string{"-qq", "install", "-y", "--no-install-recommends"}, packages...)}
	for _, args := range steps {
		cmd := exec.CommandContext(ctx, "apt-get", args...)
		// RUNLEVEL keeps packages from starting their services.
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}
