package raftlog

import (
	"cmp"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/store"
)

// Behind a snapshot the log tells what the snapshot ends with, and of what is further back
// nothing. Nobody sends what it tells.
func TestSnapshotStandsInForAnEntry(t *testing.T) {
	_, s := newStore(t)
	log := &durable{Log: s.Log}
	sink, err := s.Snapshots.Create(1, 36, 2, raft.Configuration{}, 1, nil)
	if err == nil {
		err = sink.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var l raft.Log
	if err := log.GetLog(36, &l); err != raft.ErrLogNotFound {
		t.Errorf("an empty log: %v; the library knows that it ends with the snapshot", err)
	}
	for index := uint64(37); index < 43; index++ {
		if err := log.StoreLog(&raft.Log{Index: index, Term: 3}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.GetLog(36, &l); err != nil || l.Index != 36 || l.Term != 2 || l.Type != standIn {
		t.Errorf("%+v, %v", l, err)
	}
	if err := log.GetLog(35, new(raft.Log)); err != raft.ErrLogNotFound {
		t.Error(err)
	}
	ask := &raft.AppendEntriesRequest{Entries: []*raft.Log{&l}}
	if err := (sender{}).AppendEntries("", "", ask, nil); !errors.Is(err, errStandIn) {
		t.Error(err)
	}
	if _, err := (pipeline{}).AppendEntries(ask, nil); !errors.Is(err, errStandIn) {
		t.Error(err)
	}
}

// A heartbeat comes to the library in line with all else that is asked of it.
func TestHeartbeatsComeInLine(t *testing.T) {
	var ends [2]*raft.NetworkTransport
	for i := range ends {
		var err error
		if ends[i], err = raft.NewTCPTransport("127.0.0.1:0", nil, 1, time.Second, io.Discard); err != nil {
			t.Fatal(err)
		}
		defer ends[i].Close()
	}
	sender{ends[0]}.SetHeartbeatHandler(func(raft.RPC) { t.Error("a heartbeat was handled apart") })
	go func() {
		ask := <-ends[0].Consumer()
		ask.Respond(&raft.AppendEntriesResponse{Term: 7}, nil)
	}()
	ask := &raft.AppendEntriesRequest{RPCHeader: raft.RPCHeader{ProtocolVersion: 3, Addr: []byte("a")}, Term: 7, Leader: []byte("a")}
	var answer raft.AppendEntriesResponse
	if err := ends[1].AppendEntries("b", ends[0].LocalAddr(), ask, &answer); err != nil || answer.Term != 7 {
		t.Errorf("%+v, %v", answer, err)
	}
}

// A follower whose log begins behind a snapshot, with entries that were never decided, follows
// a leader whose log ends with that snapshot.
func TestFollowerWithALogBehindASnapshotFollows(t *testing.T) {
	names := []string{"a", "b", "c"}
	var group raft.Configuration
	for _, name := range names {
		group.Servers = append(group.Servers, raft.Server{ID: raft.ServerID(name), Address: raft.ServerAddress(name)})
	}
	logs := map[string]*durable{}
	transports := map[string]*raft.InmemTransport{}
	for _, name := range names {
		_, transports[name] = raft.NewInmemTransport(raft.ServerAddress(name))
		for other, t := range transports {
			t.Connect(raft.ServerAddress(name), transports[name])
			transports[name].Connect(raft.ServerAddress(other), t)
		}
	}
	for _, name := range names {
		s, err := store.Open(host.NewWorld(host.Options{}).Disk, t.TempDir(), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sink, err := s.Snapshots.Create(1, 36, 2, group, 1, nil)
		if err == nil {
			err = sink.Close()
		}
		if err = cmp.Or(err, s.Stable.SetUint64([]byte(termKey), 3)); err != nil {
			t.Fatal(err)
		}
		c := raft.DefaultConfig()
		c.LocalID, c.LogOutput = raft.ServerID(name), io.Discard
		c.HeartbeatTimeout, c.ElectionTimeout, c.LeaderLeaseTimeout, c.CommitTimeout = 100*time.Millisecond, 100*time.Millisecond, 50*time.Millisecond, 10*time.Millisecond
		logs[name] = &durable{Log: s.Log}
		if name == "b" {
			c.HeartbeatTimeout, c.ElectionTimeout = time.Minute, time.Minute // it does not ask for votes
			for index := uint64(37); index < 43; index++ {
				if err := logs[name].StoreLog(&raft.Log{Index: index, Term: 3}); err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err := raft.NewRaft(c, stateless{}, logs[name], s.Stable, s.Snapshots, transports[name])
		if err != nil {
			t.Fatal(err)
		}
		defer func() { r.Shutdown().Error() }()
		logs[name].raft.Store(r)
	}
	for ends := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var l raft.Log
		if logs["b"].GetLog(37, &l) == nil && l.Term > 3 {
			return
		}
		if time.Now().After(ends) {
			t.Fatalf("the follower still has %+v", l)
		}
	}
}

// stateless is a state machine without a state.
type stateless struct{}

func (stateless) Apply(*raft.Log) any                 { return nil }
func (stateless) Snapshot() (raft.FSMSnapshot, error) { return nil, errors.New("none is asked for") }
func (stateless) Restore(r io.ReadCloser) error       { return r.Close() }
