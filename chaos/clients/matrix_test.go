package clients

import (
	"fmt"
	"os"
	"testing"

	"github.com/elares/ironcache/chaos/differ"
)

// envRedis, when 1, adds a redis-server to the servers, to prove the checks.
const envRedis = "IRONCACHE_CLIENTS_REDIS"

// A client is a row of the matrix: a program in one of its ways to talk.
type client struct {
	name     string
	protocol string
	run      func(t *testing.T, addr string) score
}

// A score counts checks.
type score struct{ passed, failed int }

func (s *score) add(failed bool) {
	if failed {
		s.failed++
	} else {
		s.passed++
	}
}

var matrix = []client{
	{"go-redis", "RESP2", goRedis(2)},
	{"go-redis", "RESP3", goRedis(3)},
	{"ioredis", "RESP2", node("ioredis")},
	{"node-redis", "RESP2", node("redis-resp2")},
	{"node-redis", "RESP3", node("redis-resp3")},
	{"redis-py", "RESP2", redisPy},
	{"redis-cli", "both", redisCLI},
	{"redis-benchmark", "RESP2", redisBenchmark},
}

// A server is a column of the matrix.
type server struct {
	name  string
	start func() (*differ.Process, error)
}

// servers lists ours with several numbers of shards, and redis-server if asked
// for.
func servers(t *testing.T) []server {
	binary, err := differ.BuildOurs("../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var list []server
	for _, shards := range []int{1, 2, 4} {
		list = append(list, server{fmt.Sprintf("shards=%d", shards),
			func() (*differ.Process, error) { return differ.StartOurs(binary, shards) }})
	}
	if os.Getenv(envRedis) == "1" {
		list = append(list, server{"redis-server", func() (*differ.Process, error) { return differ.StartRedis() }})
	}
	return list
}

// TestClients runs every client against every server. Each gets a process of
// its own, so that one that ends does not take other checks with it. What the
// checks wait for mostly is time, so that two servers' go side by side.
func TestClients(t *testing.T) {
	var results table
	t.Cleanup(func() { t.Logf("\n%s", results.String()) })
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range matrix {
				t.Run(c.name+"/"+c.protocol, func(t *testing.T) { results.fill(t, s, c) })
			}
		})
	}
}

// launch starts a server for the duration of a test.
func launch(t *testing.T, s server) string {
	t.Helper()
	p, err := s.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.Ended() {
			t.Error("the server ended by itself")
		}
		if t.Failed() {
			t.Logf("%s printed:\n%s", p.Name, p.Log())
		}
		p.Stop()
	})
	return p.Addr
}
