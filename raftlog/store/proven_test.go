package store_test

import (
	"fmt"
	"testing"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

// torn makes a store whose log a crash left with any part of its last batch.
func torn(t testing.TB, seed uint64) (disk *sim.Disk, name string) {
	disk = newDisk(seed)
	s := open(t, disk, store.Options{})
	must(t, s.Log.StoreLogs(entries(1, 6, 1)))
	must(t, s.Log.DeleteRange(5, 6))
	must(t, s.Log.StoreLogs(entries(5, 9, 2)))
	tear(t, disk, s, entries(10, 20, 2))
	return disk, dir + "/log/" + files(t, disk, dir+"/log")[0]
}

// What is proven of a log that a crash has torn is never taken for a part of that:
// damage to any byte of it is refused. What was acknowledged before the last batch is
// proven, and the entries are found that have something in them.
func TestProvenDamageIsRefused(t *testing.T) {
	lost := 0
	for seed := range uint64(20) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			disk, name := torn(t, seed)
			upTo, parts := store.Proven(name[len(dir+"/log/"):], disk.TextOf(name))
			for at := seed % 11; at < uint64(upTo); at += 11 {
				disk, name := torn(t, seed)
				disk.Flip(name, int64(at*8+at%8))
				if _, err := store.Open(disk, dir, store.Options{}); !damaged(err) {
					t.Errorf("byte %d of %d that are proven: %v", at, upTo, err)
				}
			}
			var texts []string
			for _, part := range parts {
				texts = append(texts, string(disk.TextOf(name)[part.From:part.To]))
			}
			want := []string{}
			for _, log := range append(entries(1, 6, 1), entries(5, 9, 2)...) {
				if text := string(log.Data) + string(log.Extensions); text != "" {
					want = append(want, text)
				}
			}
			if sure := len(entries(1, 6, 1)); len(texts) < sure || len(texts) > len(want) || fmt.Sprint(texts) != fmt.Sprint(want[:len(texts)]) {
				t.Errorf("entries that are proven: %q, want %q", texts, want)
			} else if len(texts) < len(want) {
				lost++
			}
		})
	}
	if lost == 0 || lost == 20 {
		t.Errorf("of 20 crashes %d left the last batch that was acknowledged without a proof", lost)
	}
}

// Of what is no segment nothing is proven.
func TestProvenOfNoSegment(t *testing.T) {
	disk, name := torn(t, 1)
	for _, c := range []struct {
		name string
		text []byte
	}{{"stable", disk.TextOf(name)}, {"0000000000000002.seg", disk.TextOf(name)}, {"0000000000000001.seg", []byte("short")}} {
		if upTo, parts := store.Proven(c.name, c.text); upTo != 0 || len(parts) > 0 {
			t.Errorf("%s: %d, %v", c.name, upTo, parts)
		}
	}
}
