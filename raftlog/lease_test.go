package raftlog

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

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

// That nobody leads is said once in an error.
func TestNoLeaderIsSaidOnce(t *testing.T) {
	p := openFree(t, freeOptions(t))
	_, err := p.Propose(&state.Forget{Node: 1}, 0)
	if !errors.Is(err, ErrNoLeader) || strings.Count(err.Error(), "no leader") != 1 {
		t.Errorf("a node that knows of no leader says %v", err)
	}
}
