package store_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
)

const dir = "/raft"

func newDisk(seed uint64) *sim.Disk { return sim.New(seed, sim.Mix{}).Machine().Disk }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, disk env.Disk, options store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(disk, dir, options)
	must(t, err)
	return s
}

// entry makes an entry whose text depends on its index and term.
func entry(index, term uint64) *raft.Log {
	return &raft.Log{
		Index: index, Term: term, Type: raft.LogType(index % 6),
		Data:       []byte(strings.Repeat(fmt.Sprintf("%d/%d ", index, term), int(index%7))),
		Extensions: []byte(strings.Repeat("x", int(term%4))),
		AppendedAt: time.Unix(int64(index), int64(term)).UTC(),
	}
}

func entries(from, to, term uint64) (logs []*raft.Log) {
	for index := from; index <= to; index++ {
		logs = append(logs, entry(index, term))
	}
	return logs
}

// same compares entries, of which no text and an empty one are equal.
func same(a, b *raft.Log) bool {
	return a.Index == b.Index && a.Term == b.Term && a.Type == b.Type && string(a.Data) == string(b.Data) &&
		string(a.Extensions) == string(b.Extensions) && a.AppendedAt.Equal(b.AppendedAt)
}

// contents reads the whole log.
func contents(log raft.LogStore) (logs []*raft.Log, err error) {
	first, _ := log.FirstIndex()
	last, _ := log.LastIndex()
	for index := first; index <= last && index > 0; index++ {
		got := new(raft.Log)
		if err := log.GetLog(index, got); err != nil {
			return nil, err
		}
		logs = append(logs, got)
	}
	return logs, nil
}

func equal(a, b []*raft.Log) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func holds(t testing.TB, log raft.LogStore, want []*raft.Log) {
	t.Helper()
	got, err := contents(log)
	if err != nil || !equal(got, want) {
		t.Fatalf("the log holds %s (%v), want %s", brief(got), err, brief(want))
	}
}

func brief(logs []*raft.Log) string {
	var b strings.Builder
	for _, log := range logs {
		fmt.Fprintf(&b, " %d/%d", log.Index, log.Term)
	}
	return "[" + strings.TrimSpace(b.String()) + "]"
}

var servers = raft.Configuration{Servers: []raft.Server{
	{Suffrage: raft.Voter, ID: "a", Address: "10.0.0.1:16379"},
	{Suffrage: raft.Nonvoter, ID: "b", Address: "10.0.0.2:16379"},
}}

func snapshot(s *store.Store, index, term uint64, text string) (id string, err error) {
	sink, err := s.Snapshots.Create(1, index, term, servers, index/2, nil)
	if err != nil {
		return "", err
	}
	for off := 0; off < len(text); off += 1000 {
		if _, err := sink.Write([]byte(text[off:min(off+1000, len(text))])); err != nil {
			return "", errors.Join(err, sink.Cancel())
		}
	}
	return sink.ID(), sink.Close()
}

// read reads a snapshot and checks what describes it.
func read(s *store.Store, id string) (string, error) {
	meta, r, err := s.Snapshots.Open(id)
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err == nil && (meta.Size != int64(len(text)) || meta.ID != id || !reflect.DeepEqual(meta.Configuration, servers) || meta.ConfigurationIndex != meta.Index/2) {
		return "", fmt.Errorf("described as %+v", meta)
	}
	return string(text), err
}

// ids lists the snapshots.
func ids(t testing.TB, s *store.Store) (ids []string) {
	t.Helper()
	metas, err := s.Snapshots.List()
	must(t, err)
	for _, meta := range metas {
		ids = append(ids, meta.ID)
	}
	return ids
}

func size(t testing.TB, disk env.Disk, name string) int64 {
	t.Helper()
	f, err := disk.Open(name, false)
	must(t, err)
	defer f.Close()
	size, err := f.Size()
	must(t, err)
	return size
}

func content(t testing.TB, disk env.Disk, name string) []byte {
	t.Helper()
	text := make([]byte, size(t, disk, name))
	f, err := disk.Open(name, false)
	must(t, err)
	defer f.Close()
	if _, err := f.ReadAt(text, 0); err != nil {
		t.Fatal(err)
	}
	return text
}

func files(t testing.TB, disk env.Disk, dir string) []string {
	t.Helper()
	names, err := disk.List(dir)
	must(t, err)
	return names
}

func damaged(err error) bool { return errors.As(err, new(*store.Corruption)) }
