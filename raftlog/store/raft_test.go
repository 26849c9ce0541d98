//go:build !wasip1

package store_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/store"
)

// lines is a state machine: the commands that were applied, a line each.
type lines struct {
	mu   sync.Mutex
	text string
}

func (l *lines) Apply(log *raft.Log) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text += string(log.Data) + "\n"
	return nil
}

func (l *lines) now() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

func (l *lines) Snapshot() (raft.FSMSnapshot, error) { return frozen(l.now()), nil }

func (l *lines) Restore(r io.ReadCloser) error {
	text, err := io.ReadAll(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = string(text)
	return err
}

type frozen string

func (f frozen) Persist(sink raft.SnapshotSink) error {
	if _, err := io.WriteString(sink, string(f)); err != nil {
		return sink.Cancel()
	}
	return sink.Close()
}

func (frozen) Release() {}

// node is a cluster of one over a folder.
type node struct {
	*raft.Raft
	fsm   *lines
	store *store.Store
	logs  *strings.Builder
}

func startNode(t *testing.T, folder string) *node {
	t.Helper()
	s, err := store.Open(host.NewDisk(), folder, store.Options{Node: "a", SegmentSize: 4000})
	must(t, err)
	config := raft.DefaultConfig()
	config.LocalID = "a"
	config.HeartbeatTimeout, config.ElectionTimeout, config.LeaderLeaseTimeout = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
	config.SnapshotThreshold, config.TrailingLogs = 1<<40, 10
	n := &node{fsm: &lines{}, store: s, logs: new(strings.Builder)}
	config.Logger = hclog.New(&hclog.LoggerOptions{Output: n.logs, Level: hclog.Warn})
	_, transport := raft.NewInmemTransport("a")
	known, err := raft.HasExistingState(s.Log, s.Stable, s.Snapshots)
	must(t, err)
	n.Raft, err = raft.NewRaft(config, n.fsm, s.Log, s.Stable, s.Snapshots, transport)
	must(t, err)
	if !known {
		must(t, n.BootstrapCluster(raft.Configuration{Servers: []raft.Server{{ID: "a", Address: "a"}}}).Error())
	}
	for deadline := time.Now().Add(30 * time.Second); n.State() != raft.Leader; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no leader: %s", n.logs)
		}
	}
	must(t, n.Barrier(30*time.Second).Error())
	return n
}

func (n *node) stop(t *testing.T) {
	t.Helper()
	must(t, n.Shutdown().Error())
	must(t, n.store.Close())
}

func (n *node) apply(t *testing.T, from, to int) {
	t.Helper()
	var futures []raft.ApplyFuture
	for i := from; i <= to; i++ {
		futures = append(futures, n.Apply(fmt.Appendf(nil, "command %d", i), 30*time.Second))
	}
	for _, f := range futures {
		must(t, f.Error())
	}
}

func commands(to int) string {
	var b strings.Builder
	for i := 1; i <= to; i++ {
		fmt.Fprintf(&b, "command %d\n", i)
	}
	return b.String()
}

// The library itself runs on the store: it finds again what it was told, out of
// the log alone, out of a snapshot and the log behind it, and after the state
// was replaced by one from outside.
func TestRaft(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "raft")
	n := startNode(t, folder)
	n.apply(t, 1, 200)
	n.stop(t)

	n = startNode(t, folder)
	if got := n.fsm.now(); got != commands(200) {
		t.Fatalf("after a restart: %q", got)
	}
	for round := range 4 {
		n.apply(t, 201+round*100, 300+round*100)
		must(t, n.Snapshot().Error())
	}
	n.apply(t, 601, 620)
	if first, _ := n.store.Log.FirstIndex(); first < 500 {
		t.Errorf("the log still begins at %d", first)
	}
	term := n.CurrentTerm()
	n.stop(t)

	n = startNode(t, folder)
	if got := n.fsm.now(); got != commands(620) {
		t.Fatalf("after snapshots and a restart: %q", got)
	}
	if n.CurrentTerm() <= term {
		t.Errorf("term %d after %d", n.CurrentTerm(), term)
	}
	if got := len(ids(t, n.store)); got != 2 {
		t.Errorf("%d snapshots", got)
	}
	meta, _, err := n.store.Snapshots.Open(ids(t, n.store)[0])
	must(t, err)
	meta.Size = int64(len("from outside\n"))
	must(t, n.Restore(meta, strings.NewReader("from outside\n"), 30*time.Second))
	n.apply(t, 1, 3)
	n.stop(t)

	n = startNode(t, folder)
	if got := n.fsm.now(); got != "from outside\n"+commands(3) {
		t.Fatalf("after a restore and a restart: %q", got)
	}
	n.stop(t)
	if strings.Contains(n.logs.String(), "[ERROR]") {
		t.Error(n.logs)
	}
}
