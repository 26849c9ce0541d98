package raftlog

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/sparing"
	"github.com/elares/ironcache/sim/env"
)

// hand is a clock whose monotonic reading stands until a test moves it.
type hand struct {
	env.Clock
	at atomic.Int64
}

func (h *hand) Monotonic() int64 { return h.at.Load() }

// What the library says over and over is written once at first, for each node of the
// cluster that it is about, and later with how often it was left out. At level debug all
// that it says at that level is written.
func TestRaftRepeatsItselfSparingly(t *testing.T) {
	clock, said := &hand{}, &spoken{}
	l := newRaftLog(slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug})), clock)
	failed := errors.New("connection refused")
	say := func() {
		l.Warn("Election timeout reached, restarting election")
		for node := range 2 {
			server := raft.Server{ID: raft.ServerID(fmt.Sprint(node)), Address: raft.ServerAddress(fmt.Sprint("address of ", node))}
			l.Error("failed to make requestVote RPC", "target", server, "error", failed, "term", clock.at.Load())
			l.Error("failed to heartbeat to", "peer", server.Address, "backoff time", time.Second, "error", failed)
		}
		l.Named("transport").Error("failed to decode incoming command", "error", fmt.Errorf("unknown rpc type %d", clock.at.Load()))
		l.Info("entering follower state")
	}
	for range 20 {
		say()
		clock.at.Add(1e6)
	}
	clock.at.Store(sparing.Least)
	say()
	for _, test := range []struct {
		text  string
		lines int
	}{
		{"Election timeout reached", 2}, {"failed to make requestVote", 4}, {"failed to heartbeat", 4}, {"failed to decode", 2}, {"follower state", 21},
		{`"more since the last such line"=19`, 6}, {"more since", 6},
	} {
		if n := said.count(test.text); n != test.lines {
			t.Errorf("%d lines with %s, not %d", n, test.text, test.lines)
		}
	}
}

// A node that waits for the others of its topology says so at once and then now and then.
func TestFormationIsLoggedSparingly(t *testing.T) {
	absent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer absent.Close()
	var asked atomic.Int64
	go func() {
		for {
			c, err := absent.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			c.Close()
		}
	}()
	o, said := freeOptions(t), &spoken{}
	o.World.Clock, o.Log = &hand{Clock: o.World.Clock}, slog.New(slog.NewTextHandler(said, nil))
	o.Topology = []Place{{Bus: o.Bus()}, {Bus: absent.Addr().String()}}
	openFree(t, o)
	eventually(t, "it asks again and again", func() bool { return asked.Load() > 4 })
	if n := said.count("the cluster is not formed yet"); n != 1 {
		t.Errorf("it says so %d times", n)
	}
}

// count is how many lines have a part.
func (s *spoken) count(part string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Count(s.text.String(), part)
}
