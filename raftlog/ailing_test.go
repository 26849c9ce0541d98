package raftlog

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/sim"
)

// That the disk takes nothing is told once, with the cause, and that it takes something
// again once as well.
func TestFullDiskIsToldOnce(t *testing.T) {
	disk, s := newStore(t)
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	p := &Plane{store: s, upkeep: upkeep{log: log}}
	d := &durable{Log: s.Log, upkeep: &p.upkeep}
	for _, full := range []bool{false, true, true, false, false} {
		if disk.Fault = nil; full {
			disk.Fault = filled
		}
		last, _ := s.Log.LastIndex()
		err := d.StoreLog(&raft.Log{Index: last + 1, Term: 1})
		if (err != nil) != full || (p.Ailing() != nil) != full {
			t.Errorf("full: %v, said %v, ailing %v", full, err, p.Ailing())
		}
	}
	if said := text.String(); strings.Count(said, "\n") != 2 || strings.Count(said, "does not take") != 1 || strings.Count(said, sim.ErrFull.Error()) != 1 {
		t.Errorf("the log says %s", said)
	}
}

func filled(act sim.Act, _ string) error {
	if act == sim.Writing {
		return sim.ErrFull
	}
	return nil
}

// A term that cannot be written waits until it can be, or until the node ends.
func TestTermWaitsForTheDisk(t *testing.T) {
	for _, ends := range []bool{false, true} {
		disk, s := newStore(t)
		log := slog.New(slog.DiscardHandler)
		p := &Plane{store: s, closed: make(chan struct{}), options: Options{Election: time.Millisecond}, upkeep: upkeep{log: log}}
		tries := 0
		disk.Fault = func(act sim.Act, path string) error {
			if tries++; tries == 10 && ends {
				close(p.closed)
			}
			if tries < 10 || ends {
				return filled(act, path)
			}
			return nil
		}
		done := make(chan error, 1)
		go func() {
			defer close(done)
			done <- terms{values{s.Stable}, p}.SetUint64([]byte(termKey), 7)
		}()
		err, returned := <-done
		term, _ := s.Stable.GetUint64([]byte(termKey))
		if returned == ends || err != nil || (term == 7) == ends || (p.Ailing() != nil) != ends {
			t.Errorf("the node ends: %v; returned: %v, %v; term %d; ailing: %v", ends, returned, err, term, p.Ailing())
		}
	}
}
