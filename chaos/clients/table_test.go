package clients

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// A table collects what each client made of each server.
type table struct {
	mu    sync.Mutex
	lines []line
}

type line struct {
	client, protocol, server string
	score                    score
	took                     time.Duration
}

// fill runs a client and adds its line, also when the client ends the test.
func (all *table) fill(t *testing.T, s server, c client) {
	addr := launch(t, s)
	started := time.Now()
	var got score
	defer func() {
		if t.Skipped() {
			return
		}
		if t.Failed() && got.failed == 0 {
			got.failed = 1
		}
		all.mu.Lock()
		defer all.mu.Unlock()
		all.lines = append(all.lines, line{c.name, c.protocol, s.name, got, time.Since(started)})
	}()
	got = c.run(t, addr)
}

func (all *table) String() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "client\tprotocol\tserver\tpassed\tfailed\tseconds")
	slices.SortStableFunc(all.lines, func(a, b line) int { return strings.Compare(a.server, b.server) })
	for _, l := range all.lines {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%.1f\n", l.client, l.protocol, l.server, l.score.passed, l.score.failed, l.took.Seconds())
	}
	w.Flush()
	return text.String()
}
