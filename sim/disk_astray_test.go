package sim

import "testing"

// A write that goes astray is told to be done, is not where it was meant to be, and
// is where it went, a crash later still.
func TestAstray(t *testing.T) {
	for _, c := range []struct {
		name  string
		to    string
		off   int64
		wantA string
		wantB string
	}{
		{"another offset", "a", 1, "a__aaaa", "bbbb"},
		{"another file", "b", 2, "aaaa", "bb__"},
		{"nowhere", "c", 0, "aaaa", "bbbb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newTestDisk(1)
			a, b := open(t, d, "a"), open(t, d, "b")
			a.WriteAt([]byte("aaaa"), 0)
			b.WriteAt([]byte("bbbb"), 0)
			must(t, a.Sync())
			must(t, b.Sync())
			must(t, d.SyncDir("/"))
			if c.name == "another offset" {
				a.WriteAt([]byte("aaa"), 4)
				must(t, a.Sync())
			}
			d.Astray = func(name string, off int64, size int) (string, int64) { return c.to, c.off }
			if n, err := a.WriteAt([]byte("__"), 0); n != 2 || err != nil {
				t.Errorf("wrote %d: %v", n, err)
			}
			d.Astray = nil
			must(t, a.Sync())
			d.Crash()
			gotA, _ := content(d, "a")
			gotB, _ := content(d, "b")
			if gotA != c.wantA || gotB != c.wantB {
				t.Errorf("the files hold %q and %q, want %q and %q", gotA, gotB, c.wantA, c.wantB)
			}
			if used := int64(len(gotA) + len(gotB)); d.Used() != used || d.Files() != 2 {
				t.Errorf("%d bytes in %d files, want %d in 2", d.Used(), d.Files(), used)
			}
		})
	}
}

// Undo has a crash keep none of the renames that were not made durable, once.
func TestUndo(t *testing.T) {
	kept := 0
	for seed := range uint64(20) {
		for _, undo := range []bool{true, false} {
			d := newTestDisk(seed)
			open(t, d, "a")
			must(t, d.SyncDir("/"))
			must(t, d.Rename("a", "b"))
			d.Undo = undo
			d.Crash()
			_, renamed := content(d, "b")
			if undo && (renamed || d.Undone != 1 || d.Undo) {
				t.Errorf("seed %d: renamed %v, undone %d", seed, renamed, d.Undone)
			}
			if !undo && renamed {
				kept++
			}
		}
	}
	if kept == 0 || kept == 20 {
		t.Errorf("without it %d renames of 20 were kept", kept)
	}
}
