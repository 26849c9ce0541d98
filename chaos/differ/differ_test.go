package differ

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/datadriven"
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

// bigRun is how many random commands make a run that every row must be well
// represented in.
const bigRun = 400_000

// TestRandomOnRedis plays random streams to two redis-servers: whatever differs
// there is a fault of the comparison.
func TestRandomOnRedis(t *testing.T) {
	counts := NewCounts()
	random := &Random{Redis: redisServer(t, 0), Ours: redisServer(t, 1), Seed: envNumber(t, EnvSeed, 1),
		Commands: int(envNumber(t, EnvCommands, 60_000)), Counts: counts}
	random.Run(t)
	t.Logf("%s\n%s", counts.Summary(), counts.Table())
	wantFull(t, random)
}

// wantFull fails a big run in which a row was hardly called. Streams end at
// their first difference, so that a run with differences says nothing of it.
func wantFull(t *testing.T, r *Random) {
	t.Helper()
	if r.Commands < bigRun || r.Counts.Differences > 0 {
		return
	}
	for _, text := range r.Counts.Thin(1000, 100) {
		t.Error(text)
	}
}

// TestEveryRowHasAConversation reads the scripts without running them.
func TestEveryRowHasAConversation(t *testing.T) {
	called := map[string]int{}
	for _, path := range scriptFiles(t) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			b, err := newBlock(d)
			if err != nil {
				t.Fatal(err)
			}
			if d.Cmd == "do" || d.Cmd == "send" {
				countCalls(t, b, called)
			}
			return d.Expected
		})
	}
	for _, r := range rows {
		if called[r.name] == 0 {
			t.Errorf("no script calls %s", r.name)
		}
	}
}

// fewestConversations is what the scripts may not shrink below.
const fewestConversations = 450

func TestConversationsAreNamed(t *testing.T) {
	count := 0
	for _, path := range scriptFiles(t) {
		names, err := conversationNames(path)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, name := range names {
			if seen[name] {
				t.Errorf("%s: two conversations are called %q", path, name)
			}
			seen[name] = true
		}
		count += len(names)
	}
	if count < fewestConversations {
		t.Errorf("%d conversations, at least %d", count, fewestConversations)
	}
}

func countCalls(t *testing.T, b *block, called map[string]int) {
	commands, err := b.commands()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range commands {
		called[RowName(args)]++
	}
}

func TestAcceptedListIsWellFormed(t *testing.T) {
	for _, text := range checkAccepted() {
		t.Error(text)
	}
}

func envNumber(t *testing.T, name string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}
