package store_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/raft"
)

// model is what a store was told and answered with success, and what else a
// call that failed or never returned may have left.
type model struct {
	first, term uint64 // where an empty log goes on; the term of the last entry
	log         []*raft.Log
	maybeLogs   [][]*raft.Log

	stable      map[string]string
	maybeStable map[string][]string

	snapshots, maybeSnapshots map[string]string
}

func (m *model) maybe(log []*raft.Log) { m.maybeLogs = append(m.maybeLogs, log) }

func (m *model) is(log []*raft.Log) {
	if m.log, m.maybeLogs = log, nil; len(log) > 0 {
		m.first = log[0].Index
	} else {
		m.first++
	}
}

// settle learns from an opened store what became of the calls that did not
// succeed. It must be one of the possible outcomes, and is settled from then on.
func (r *run) settle() {
	r.settleSnapshots()
	r.settleLog()
	for key, values := range r.model.maybeStable {
		got, err := r.store.Stable.Get([]byte(key))
		if old, known := r.model.stable[key]; err != nil || !slices.Contains(values, string(got)) && (string(got) != old || !known && got != nil) {
			r.t.Fatalf("%s is %q (%v), want %q or %q", key, got, err, old, values)
		}
		if got != nil {
			r.model.stable[key] = string(got)
		}
	}
	clear(r.model.maybeStable)
}

func (r *run) settleLog() {
	got := r.shown()
	names := slices.Collect(maps.Keys(r.model.snapshots))
	newest := uint64(0)
	if len(names) > 0 {
		newest = index(slices.Max(names))
	}
	for i, possible := range append([][]*raft.Log{r.model.log}, r.model.maybeLogs...) {
		covered := len(possible) > 0 && possible[len(possible)-1].Index < newest
		if covered {
			possible = nil // the log goes on behind the snapshot
		}
		if !equal(got, possible) {
			continue
		}
		if covered {
			r.seen["log emptied at open"]++
		}
		if i > 0 {
			r.seen["unknown won"]++
		} else if len(r.model.maybeLogs) > 0 {
			r.seen["unknown lost"]++
		}
		if r.model.is(got); len(got) == 0 {
			r.model.first = max(r.model.first, newest+1)
		}
		if names, err := r.disk.List(dir + "/log"); err == nil && len(names) > 1 {
			r.seen["new segments"]++
		}
		return
	}
	r.t.Fatalf("the log holds %s, want %s or one of %d others", brief(got), brief(r.model.log), len(r.model.maybeLogs))
}

func (r *run) listed() (ids []string) {
	r.t.Helper()
	metas := retry(r, r.store.Snapshots.List)
	for _, meta := range metas {
		if meta.Version != 1 || index(meta.ID) != meta.Index || meta.ConfigurationIndex != meta.Index/2 {
			r.t.Fatalf("listed: %+v", meta)
		}
		ids = append(ids, meta.ID)
	}
	return ids
}

func (r *run) settleSnapshots() {
	listed := r.listed()
	for id, text := range r.model.maybeSnapshots {
		if slices.Contains(listed, id) {
			r.model.snapshots[id] = text
		}
	}
	clear(r.model.maybeSnapshots)
	r.compareSnapshots()
	for id := range r.model.snapshots {
		if !slices.Contains(listed, id) {
			delete(r.model.snapshots, id)
		}
	}
}

// compareSnapshots checks that the newest snapshots are listed, and perhaps
// older ones that could not be removed, all of them whole.
func (r *run) compareSnapshots() {
	r.t.Helper()
	listed := r.listed()
	want := slices.SortedFunc(maps.Keys(r.model.snapshots), func(a, b string) int { return strings.Compare(b, a) })
	if want = want[:min(len(want), r.options.Keep)]; len(listed) < len(want) || !slices.Equal(listed[:len(want)], want) {
		r.t.Fatalf("listed are %q, want %q", listed, want)
	}
	for _, id := range listed {
		text, known := r.model.snapshots[id]
		if got := retry(r, func() (string, error) { return read(r.store, id) }); !known || got != text {
			r.t.Fatalf("snapshot %s: %d bytes, want %d", id, len(got), len(text))
		}
	}
}
