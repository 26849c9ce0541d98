//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/state"
)

// valuesOf loads flags, each "name=value".
func valuesOf(t *testing.T, flags ...string) *config.Values {
	t.Helper()
	var list []config.Setting
	for _, flag := range flags {
		name, value, _ := strings.Cut(flag, "=")
		list = append(list, config.Setting{Name: name, Value: value})
	}
	store, err := config.Load(config.Inputs{Flags: list})
	if err != nil {
		t.Fatal(err)
	}
	return store.Values()
}

// What a node of a cluster cannot be started with is a fault of the
// configuration, and the message names the option.
func TestClusterOptionsThatCannotBe(t *testing.T) {
	for _, test := range []struct{ flags, want string }{
		{"cluster-mode=raft bind=0.0.0.0", `option bind: "0.0.0.0" is no address at which others could reach this node: set cluster-announce-ip`},
		{"cluster-mode=raft bind=*", `option bind: "*" is no address`},
		{"cluster-mode=raft cluster-announce-ip=somewhere", `option cluster-announce-ip: "somewhere" is no address`},
		{"cluster-mode=raft cluster-announce-hostname=a_b", "option cluster-announce-hostname: host names consist of"},
		{"cluster-mode=raft port=45536", "option port: 45536 is too high for a node of a cluster"},
		{"cluster-mode=raft port=0 cluster-announce-port=7000", "option port: a node of a cluster needs a TCP port"},
		{"cluster-mode=raft cluster-lease=60000 cluster-lease-drift=100000 cluster-lease-margin=1", "options cluster-lease, cluster-lease-drift, cluster-lease-margin: "},
		{"shard-owners=yes", "option shard-owners: "},
		{"cluster-mode=raft shard-owners=yes port=65534 cluster-announce-port=7000 cluster-port=1", "option shard-owners: the 2 shards need the ports above port, and 65534"},
		{"cluster-mode=raft shard-owners=yes port=7000 cluster-port=7002", "option cluster-port: with shard-owners the ports 7001 to 7002"},
		{"cluster-mode=static", "needs the list of all nodes with their slots, the same for each node, as in: --cluster-topology '10.0.0.1:6379 0-8191 10.0.0.2:6379 8192-16383'"},
		{"cluster-mode=static cluster-topology=127.0.0.2:6379", "this node, with its bus at 127.0.0.1:16379, is not among its nodes"},
	} {
		_, err := openPlane(valuesOf(t, strings.Fields(test.flags)...), 2, 0, host.NewWorld(host.Options{}), slog.New(slog.DiscardHandler))
		var usage usageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.flags, err, test.want)
		}
	}
	if p, err := openPlane(valuesOf(t), 2, 0, host.NewWorld(host.Options{}), nil); p != nil || err != nil {
		t.Errorf("a node that is alone: %v, %v", p, err)
	}
}

func TestClusterAddress(t *testing.T) {
	for _, test := range []struct {
		flags, host         string
		port, bus, replicas uint16
		listen              string
	}{
		{"", "127.0.0.1", 6379, 16379, 26379, "127.0.0.1:16379"},
		{"port=7000 cluster-port=9000", "127.0.0.1", 7000, 9000, 27000, "127.0.0.1:9000"},
		{"bind=-::1", "::1", 6379, 16379, 26379, "[::1]:16379"},
		{"bind=* cluster-announce-ip=10.0.0.1 cluster-announce-port=7 cluster-announce-bus-port=8", "10.0.0.1", 7, 8, 20007, "0.0.0.0:16379"},
	} {
		values := valuesOf(t, strings.Fields(test.flags)...)
		at, err := addressOf(values, 2)
		if err != nil || at.Host != test.host || at.Port != test.port || at.BusPort != test.bus || at.ReplicationPort != test.replicas {
			t.Errorf("%s: %+v, %v", test.flags, at, err)
		}
		if got := busListen(values); got != test.listen {
			t.Errorf("%s: listens at %s, want %s", test.flags, got, test.listen)
		}
	}
}

// With shard-owners each shard has a port above that of the node, as others see it.
func TestShardPorts(t *testing.T) {
	for flags, want := range map[string]string{
		"port=7000": "[]", "port=7000 shard-owners=yes": "[7001 7002 7003]", "shard-owners=yes cluster-announce-port=9000": "[9001 9002 9003]",
	} {
		at, err := addressOf(valuesOf(t, strings.Fields(flags)...), 3)
		if got := fmt.Sprint(at.ShardPorts); err != nil || got != want {
			t.Errorf("%s: %s, %v", flags, got, err)
		}
	}
	self := state.Address{Host: "10.0.0.1", BusPort: 2, ShardPorts: []uint16{8, 9}}
	all := founders([]config.Place{{Host: "10.0.0.1", Port: 1, BusPort: 2}, {Host: "10.0.0.2", Port: 1, BusPort: 2}}, &self)
	if len(all[0].Address.ShardPorts) != 2 || len(all[1].Address.ShardPorts) != 0 {
		t.Errorf("shards of a static cluster: %+v", all)
	}
}

// Without a secret the log says so, loudly, and what that means; the secret itself it never has.
func TestClusterSecretIsMissed(t *testing.T) {
	for _, test := range []struct {
		secret string
		warns  bool
	}{{"", true}, {"sesame", false}} {
		var log bytes.Buffer
		values := valuesOf(t, "cluster-mode=raft", "dir="+t.TempDir(), "cluster-port="+freePort(t), "cluster-secret="+test.secret)
		p, err := openPlane(values, 2, 0, forked(host.NewWorld(host.Options{})), slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if warns := strings.Contains(log.String(), "THE CLUSTER HAS NO SECRET: whoever reaches the bus can join it, take slots away, and end nodes or the whole cluster"); warns != test.warns || strings.Contains(log.String(), "sesame") {
			t.Errorf("secret %q: %s", test.secret, &log)
		}
	}
}

// A node whose files are damaged, missing or another's does not start, and says which file it
// is and what to do.
func TestFolderThatIsUnfit(t *testing.T) {
	values := valuesOf(t, "cluster-mode=raft", "dir="+t.TempDir(), "cluster-port="+freePort(t), "cluster-secret=s")
	dir := filepath.Join(values.Dir, "cluster")
	open := func() error {
		p, err := openPlane(values, 2, 0, forked(host.NewWorld(host.Options{})), slog.New(slog.DiscardHandler))
		if err == nil {
			err = p.Close()
		}
		return err
	}
	if err := open(); err != nil {
		t.Fatal(err)
	}
	another := []byte(strings.Repeat("7", 40) + "\n")
	for _, row := range []struct {
		file, names string
		text        []byte // nil: there is no such file
	}{
		{"node-id", "node-id", []byte("me\n")}, {"node-id", "raft/identity", another}, {"raft/identity", "raft/identity", []byte("ironcache")},
		{"raft/stable", "raft/stable", []byte{}}, {"raft/stable", "raft/stable", nil}, {"raft/log/0000000000000001.seg", "raft/log", nil},
	} {
		name := filepath.Join(dir, row.file)
		was, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if row.text == nil {
			err = os.Remove(name)
		} else {
			err = os.WriteFile(name, row.text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		err = open()
		if text := fmt.Sprint(err); !strings.Contains(text, filepath.Join(dir, row.names)) || !strings.Contains(text, "move "+dir+" away and start the node") {
			t.Errorf("%s with %q: %v", row.file, row.text, err)
		}
		if err := os.WriteFile(name, was, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := open(); err != nil {
		t.Errorf("all put back: %v", err)
	}
}

// A static cluster in which slots have no owner starts, and its log says how many.
func TestStaticTopologyWithGaps(t *testing.T) {
	for _, test := range []struct{ slots, want string }{{"0-16383", ""}, {"1-99 200-16383", "slots=101 of=16384"}} {
		var log bytes.Buffer
		values := valuesOf(t, "cluster-mode=static", "cluster-topology=127.0.0.1:6379 "+test.slots)
		p, err := openPlane(values, 2, 0, host.NewWorld(host.Options{}), slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if got := log.String(); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("slots %s: %s", test.slots, got)
		}
	}
}

// The control plane has many files where the limit allows it, and few where clients need
// them: then there are fewer clients.
func TestPlaneFiles(t *testing.T) {
	for _, test := range []struct{ limit, used, want int64 }{
		{0, 10_000, 1024}, {20_000, 10_000, 1024}, {10_500, 10_000, 500}, {10_100, 10_000, leastPlaneFiles}, {1024, 10_000, leastPlaneFiles},
	} {
		if got := planeFiles(test.limit, test.used); got != test.want {
			t.Errorf("of %d files, besides %d: %d", test.limit, test.used, got)
		}
	}
}
