package proc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/elares/ironcache/chaos/differ"
	"github.com/elares/ironcache/slots"
)

// startOwners starts one node, of a static cluster, whose shards have ports of their
// own.
func startOwners(t *testing.T, shards int) (port int) {
	t.Helper()
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for try := 0; ; try++ {
		if port, err = freePorts(); err != nil {
			t.Fatal(err)
		}
		p, err := differ.StartIn(t.TempDir(), port, "ironcache", program, "server", "--cluster-mode", "static",
			"--cluster-topology", fmt.Sprintf("127.0.0.1:%d 0-16383", port), "--shards", fmt.Sprint(shards), "--shard-owners", "yes")
		if err == nil {
			t.Cleanup(p.Stop)
			return port
		}
		if try == 10 { // somebody has the port of a shard
			t.Fatal(err)
		}
	}
}

// A cluster client that is told of the node goes to the port of the shard that has
// the key, for every key.
func TestClusterClientGoesToTheShard(t *testing.T) {
	const shards = 3
	port := startOwners(t, shards)
	ctx := context.Background()
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{fmt.Sprintf("127.0.0.1:%d", port)}, MaxRedirects: 1, PoolSize: 1})
	defer client.Close()
	asked := map[string]int{} // keys by the address that they were asked for at
	err := client.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error { return node.Ping(ctx).Err() })
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		key := fmt.Sprint("key:", i)
		if err := client.Set(ctx, key, i, time.Hour).Err(); err != nil {
			t.Fatal(err)
		}
		node, err := client.MasterForKey(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := client.Get(ctx, key).Int(); err != nil || got != i {
			t.Fatalf("%s: %d, %v", key, got, err)
		}
		want := fmt.Sprintf("127.0.0.1:%d", port+1+slots.Shard(slots.Of([]byte(key)), shards))
		if at := node.Options().Addr; at != want {
			t.Fatalf("%s is asked for at %s, not at %s", key, at, want)
		}
		asked[want]++
	}
	list, err := client.ClientList(ctx).Result()
	if err != nil {
		t.Fatal(err)
	}
	for at, keys := range asked {
		if keys == 0 || !strings.Contains(list, " laddr="+at+" ") {
			t.Errorf("nobody is connected with %s: %s", at, list)
		}
	}
	if len(asked) != shards {
		t.Errorf("keys are asked for at %v", asked)
	}
}
