package differ

import (
	"fmt"
	"os"
	"testing"
)

const moduleRoot = "../.."

// shardCounts are the sizes of ours that everything is held against.
var shardCounts = []int{1, 2, 3, 4}

// oursBinary builds ours once.
func oursBinary(t *testing.T) string {
	t.Helper()
	lab.mu.Lock()
	defer lab.mu.Unlock()
	if lab.binary != "" {
		return lab.binary
	}
	dir, err := os.MkdirTemp("", "differ-build-")
	if err != nil {
		t.Fatal(err)
	}
	lab.dir = dir
	if lab.binary, err = BuildOurs(moduleRoot, dir); err != nil {
		t.Fatal(err)
	}
	return lab.binary
}

// oursServer starts ours for the duration of a test.
func oursServer(t *testing.T, shards int, flags ...string) string {
	t.Helper()
	p, err := StartOurs(oursBinary(t), shards, flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop()
		if p.Raced() {
			t.Errorf("%s: the race detector has reported something", p.Name)
		}
		if t.Failed() {
			t.Logf("%s printed:\n%s", p.Name, p.Log())
		}
	})
	return p.Addr
}

// TestOurs holds ours, at every number of shards, against the expected text of
// the scripts, against a live redis-server in RESP3, and against random streams.
func TestOurs(t *testing.T) {
	for _, shards := range shardCounts {
		if testing.Short() && shards != 2 {
			continue
		}
		commands := uint64(bigRun / 8)
		if shards == 2 {
			commands = bigRun // rare commands and forms come up often enough once
		}
		t.Run(fmt.Sprintf("shards=%d", shards), func(t *testing.T) { compareOurs(t, oursServer(t, shards), commands) })
	}
}

// TestOursPortable does the same, with fewer commands, on the runtime that needs
// no epoll.
func TestOursPortable(t *testing.T) {
	compareOurs(t, oursServer(t, 2, PortableFlag), bigRun/8)
}

func compareOurs(t *testing.T, ours string, commands uint64) {
	scripts := &Scripts{Counts: total}
	for _, path := range scriptFiles(t) {
		t.Run("resp2/"+scriptName(path), func(t *testing.T) { scripts.Expect(t, path, ours) })
		t.Run("resp3/"+scriptName(path), func(t *testing.T) { scripts.Pair(t, path, redisServer(t, 0), ours, 3) })
	}
	t.Run("random", func(t *testing.T) {
		r := &Random{Redis: redisServer(t, 0), Ours: ours, Seed: envNumber(t, EnvSeed, 1),
			Commands: int(envNumber(t, EnvCommands, short(commands))), Counts: NewCounts()}
		r.Run(t)
		wantFull(t, r)
		total.Count(func(c *Counts) {
			c.Commands += r.Counts.Commands
			c.Differences += r.Counts.Differences
		})
	})
}

// TestOursAcceptedAreUsed reports entries of the list of accepted differences
// that never came up in the runs above.
func TestOursAcceptedAreUsed(t *testing.T) {
	if total.Commands < bigRun {
		t.Skip("no big run in this test run")
	}
	for _, text := range UnusedAccepted() {
		t.Errorf("accepted difference never seen: %s", text)
	}
}

// short is the number of random commands where tests are to be quick.
func short(commands uint64) uint64 {
	if testing.Short() {
		return commands / 10
	}
	return commands
}
