package differ

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const scriptGlob = "../../engine/command/testdata/scripts/*.txt"

// total gathers what the whole test run did, for the summary at its end.
var total = NewCounts()

// lab holds what is started once and shared by the tests.
var lab struct {
	mu        sync.Mutex
	processes []*Process
	redis     []*Process
	binary    string
	dir       string
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, p := range lab.processes {
		p.Stop()
	}
	_ = os.RemoveAll(lab.dir)
	fmt.Println("differ:", total.Summary())
	os.Exit(code)
}

// redisServer is the address of the n-th redis-server, started at first use.
func redisServer(t *testing.T, n int) string {
	t.Helper()
	lab.mu.Lock()
	defer lab.mu.Unlock()
	for len(lab.redis) <= n {
		p, err := StartRedis()
		if errors.Is(err, ErrNoRedis) && os.Getenv(EnvSkipRedis) == "1" {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		lab.redis = append(lab.redis, p)
		lab.processes = append(lab.processes, p)
	}
	return lab.redis[n].Addr
}

func scriptFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(scriptGlob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts match %s: %v", scriptGlob, err)
	}
	return files
}

func scriptName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".txt")
}

// TestScriptsOnRedis holds the expected text of the scripts against
// redis-server; with -rewrite it is regenerated.
func TestScriptsOnRedis(t *testing.T) {
	scripts := &Scripts{Counts: total}
	for _, path := range scriptFiles(t) {
		t.Run(scriptName(path), func(t *testing.T) {
			scripts.Rewrite(t, path, redisServer(t, 0))
		})
	}
}

// TestScriptsAreStable runs every script in RESP3 against two redis-servers: a
// script whose output varies would blame ours for it.
func TestScriptsAreStable(t *testing.T) {
	scripts := &Scripts{Counts: NewCounts()}
	for _, path := range scriptFiles(t) {
		t.Run(scriptName(path), func(t *testing.T) {
			scripts.Pair(t, path, redisServer(t, 0), redisServer(t, 1), 3)
		})
	}
}
