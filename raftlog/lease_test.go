package raftlog

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog/state"
)

// Why a node cannot announce itself is told once as long as it is the same: a node that was
// forgotten, and started anew since, tries for ever.
func TestUnannouncedIsToldOnce(t *testing.T) {
	var text bytes.Buffer
	p := &Plane{log: slog.New(slog.NewTextHandler(&text, nil))}
	for _, why := range []string{"first", "first", "second", "second", "second", "first"} {
		p.unannounced(why)
	}
	if said := text.String(); strings.Count(said, "\n") != 3 || strings.Count(said, "first") != 2 || strings.Count(said, "second") != 1 {
		t.Errorf("the log says %s", said)
	}
}

// A node whose folder was put back by one start has the incarnation of its former process. It
// asks for no lease, and says once what is to be done.
func TestFolderPutBack(t *testing.T) {
	_, others := leaderOf(t, newFamily(t, 2))
	p := others[0]
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	kept := t.TempDir() + "/kept"
	if err := os.CopyFS(kept, os.DirFS(p.options.Dir)); err != nil {
		t.Fatal(err)
	}
	p = openFree(t, p.options)
	eventually(t, "its lease was renewed a few times", func() bool {
		m := p.View().Member()
		return m != nil && p.View().Until != 0 && m.Renew.Sequence > 4
	})
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	var text texts
	o := p.options
	o.Dir, o.Log = kept, slog.New(slog.NewTextHandler(&text, nil))
	p = openFree(t, o)
	eventually(t, "it says so", func() bool { return strings.Contains(text.String(), "CLUSTER FORGET its id") })
	p.pause(4 * time.Duration(p.lease.Period()))
	if n := strings.Count(text.String(), "CLUSTER FORGET its id"); n != 1 || p.View().Until != 0 {
		t.Errorf("it says so %d times; its lease ends at %d", n, p.View().Until)
	}
}

// Requests of a later incarnation, and of this one with numbers that it has not come to, are
// of another process.
func TestRequestsOfAnother(t *testing.T) {
	p := &Plane{lease: leasing{incarnation: 3, sequence: 7}}
	for _, row := range []struct {
		has  state.Stamp
		want bool
	}{
		{state.Stamp{}, false}, {state.Stamp{Incarnation: 2, Sequence: 9}, false}, {state.Stamp{Incarnation: 3, Sequence: 7}, false},
		{state.Stamp{Incarnation: 3, Sequence: 8}, true}, {state.Stamp{Incarnation: 4}, true},
	} {
		if got := p.outrun(row.has); got != row.want {
			t.Errorf("%+v is of another: %v", row.has, got)
		}
	}
}

// texts is what was logged. Any thread may ask.
type texts struct {
	mu   sync.Mutex
	said bytes.Buffer
}

func (t *texts) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.said.Write(b)
}

func (t *texts) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.said.String()
}

// That nobody leads is said once in an error.
func TestNoLeaderIsSaidOnce(t *testing.T) {
	p := openFree(t, freeOptions(t))
	_, err := p.Propose(&state.Forget{Node: 1}, 0)
	if !errors.Is(err, ErrNoLeader) || strings.Count(err.Error(), "no leader") != 1 {
		t.Errorf("a node that knows of no leader says %v", err)
	}
}
