package raftlog

import (
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// spoken is a log that any thread may write to.
type spoken struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *spoken) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *spoken) has(part string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), part)
}

// Of the descriptors that a node has for its control plane, connections that say nothing
// take a half at most; a node gets in all the same.
func TestSilentConnectionsTakeFewFiles(t *testing.T) {
	o, log := freeOptions(t), &spoken{}
	o.Files, o.Log = 16, slog.New(slog.NewTextHandler(log, nil))
	p, other := openFree(t, o), openFree(t, freeOptions(t))
	for range 20 {
		c, err := net.Dial("tcp", p.busAddress())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	eventually(t, "the oldest are closed", func() bool { return log.has("too many connections at once that have not proved themselves") })
	if err := other.call(p.busAddress(), callHello, hello{other.id}, nil, 10*time.Second); err != nil {
		t.Error(err)
	}
}
