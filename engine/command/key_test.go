package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/slots"
)

func TestExpire(t *testing.T) {
	w := newWorld(t, 2)
	w.check([][2]string{
		{"expire k 10", ":0"},
		{"set k v", ok},
		{"ttl k", ":-1"},
		{"ttl missing", ":-2"},
		{"expire k 10 xx", ":0"},
		{"expire k 10 gt", ":0"},
		{"expire k 10 nx", ":1"},
		{"expire k 20 nx", ":0"},
		{"expire k 5 gt", ":0"},
		{"expire k 20 lt", ":0"},
		{"expire k 20 gt xx", ":1"},
		{"expire k 10 lt", ":1"},
		{"expiretime k", ":1700000010"},
		{"pexpire k 1500", ":1"},
		{"ttl k", ":2"},
		{"pexpiretime k", ":1700000001500"},
		{"expireat k 1800000000", ":1"},
		{"pexpireat k 1800000000001", ":1"},
		{"pexpiretime k", ":1800000000001"},
		{"pexpireat k 9223372036854775807", ":1"},
		{"expiretime k", ":9223372036854776"},
		{"persist k", ":1"},
		{"persist k", ":0"},
		{"expire k 10 nx xx", "-ERR NX and XX, GT or LT options at the same time are not compatible"},
		{"expire k 10 gt lt", "-ERR GT and LT options at the same time are not compatible"},
		{"expire k 10 foo", "-ERR Unsupported option foo"},
		{"expire k x foo", "-ERR Unsupported option foo"},
		{"expire k x", notInt},
		{"expire k 9223372036854775807", "-ERR invalid expire time in 'expire' command"},
		{"pexpire k 9223372036854775807", "-ERR invalid expire time in 'pexpire' command"},
		{"expire k -9223372036854775808", "-ERR invalid expire time in 'expire' command"},
		{"expire k -1", ":1"},
		{"exists k", ":0"},
		{"set k v", ok},
		{"pexpireat k 0", ":1"},
		{"exists k", ":0"},
		{"set k v", ok},
		{"getex k pxat 1", "$1 v"},
		{"exists k", ":0"},
		{"set k v", ok},
		{"getex k ex 10", "$1 v"},
		{"ttl k", ":10"},
		{"getex k", "$1 v"},
		{"ttl k", ":10"},
		{"getex k persist", "$1 v"},
		{"ttl k", ":-1"},
		{"getex k keepttl", syntax},
		{"getex missing ex 0", nothing},
		{"getex k ex 0", "-ERR invalid expire time in 'getex' command"},
	}...)
}

func TestLazyExpiry(t *testing.T) {
	w := newWorld(t, 2)
	w.listen()
	w.check([2]string{"set k v px 100", ok})
	w.call.Now += 100
	w.check([2]string{"get k", "$1 v"})
	w.effects()
	w.events()
	w.call.Now++
	for _, mode := range []struct {
		is   ExpiryMode
		want string
	}{{SpareExpired, nothing}, {KeepExpired, "$1 v"}, {SpareExpired, nothing}} {
		w.call.Expiry = mode.is
		w.check([2]string{"get k", mode.want})
	}
	if got := w.effects(); got != "" {
		t.Errorf("hiding told %s", got)
	}
	w.call.Expiry = DeleteExpired
	w.check([2]string{"keys *", "*0"}, [2]string{"dbsize", ":1"}, [2]string{"get k", nothing}, [2]string{"dbsize", ":0"})
	if got := w.effects() + " | " + w.events(); got != "DEL k | expired k" {
		t.Errorf("deleting told %s", got)
	}
	if w.call.Expired != 1 || w.call.Hits != 2 || w.call.Misses != 3 {
		t.Errorf("%d expired, %d hits, %d misses", w.call.Expired, w.call.Hits, w.call.Misses)
	}
}

func TestRenameAndCopy(t *testing.T) {
	w := newWorld(t, 3)
	w.check([][2]string{
		{"rename a b", "-ERR no such key"},
		{"set a 1 ex 10", ok},
		{"set b 2", ok},
		{"renamenx a b", ":0"},
		{"renamenx a a", ":0"},
		{"rename a a", ok},
		{"rename a b", ok},
		{"get b", "$1 1"},
		{"ttl b", ":10"},
		{"exists a b", ":1"},
		{"renamenx b c", ":1"},
		{"copy c d", ":1"},
		{"copy c d", ":0"},
		{"copy missing d", ":0"},
		{"copy c c", "-ERR source and destination objects are the same"},
		{"copy c c db 1", ":1"},
		{"set d x", ok},
		{"copy d c db 1", ":0"},
		{"copy d c db 1 replace", ":1"},
		{"copy d c db 99", "-ERR DB index is out of range"},
		{"copy d c db x", notInt},
		{"copy d c db 99999999999", "-ERR value is out of range, value must between -2147483648 and 2147483647"},
		{"copy d c foo", syntax},
		{"move c 0", "-ERR source and destination objects are the same"},
		{"move c 1", ":0"},
		{"move c 2", ":1"},
		{"move c 2", ":0"},
		{"move c -1", "-ERR DB index is out of range"},
		{"swapdb 0 2", ok},
		{"get c", "$1 1"},
		{"swapdb 0 4", "-ERR DB index is out of range"},
		{"swapdb x 4", "-ERR invalid first DB index"},
		{"swapdb 0 x", "-ERR invalid second DB index"},
	}...)
}

func TestBigValuesMove(t *testing.T) {
	w := newWorld(t, 3)
	big := strings.Repeat("x", 100_000)
	w.doWords("set", "a", big)
	w.check([2]string{"copy a b", ":1"}, [2]string{"rename b c", ok}, [2]string{"append c y", ":100001"}, [2]string{"strlen a", ":100000"})
	if got := w.doWords("get", "c"); got != "$100001\r\n"+big+"y\r\n" {
		t.Error("the copy differs")
	}
}

func TestCounting(t *testing.T) {
	w := newWorld(t, 3)
	w.check([][2]string{
		{"mset a 1 b 2 c 3", ok},
		{"msetnx d 1 a 2", ":0"},
		{"msetnx d 1 d 2", ":1"},
		{"get d", "$1 2"},
		{"mset a", "-ERR wrong number of arguments for 'mset' command"},
		{"mset a 1 b", "-ERR wrong number of arguments for 'mset' command"},
		{"exists a b a x", ":3"},
		{"touch a b x", ":2"},
		{"dbsize", ":4"},
		{"del a x a", ":1"},
		{"unlink b c", ":2"},
		{"randomkey", "$1 d"},
		{"memory usage missing", nothing},
		{"memory usage d samples -1", syntax},
		{"memory usage d samples", syntax},
		{"flushdb foo", syntax},
		{"flushdb sync async", syntax},
		{"flushdb async", ok},
		{"randomkey", nothing},
		{"dbsize", ":0"},
		{"flushall", ok},
	}...)
}

func TestRandomKeyDeletesWhatExpired(t *testing.T) {
	w := newWorld(t, 2)
	for i := range 20 {
		w.do(fmt.Sprintf("set k%d v px 10", i))
	}
	w.do("set keep v")
	w.call.Now += 11
	w.check([2]string{"randomkey", "$4 keep"})
}

func TestScanVisitsEveryKeyOnce(t *testing.T) {
	for _, shards := range []int{1, 2, 5} {
		w := newWorld(t, shards)
		var want []string
		for i := range 500 {
			want = append(want, fmt.Sprintf("key%03d", i))
			w.do("set " + want[i] + " v")
		}
		var got []string
		for cursor, calls := "0", 0; cursor != "0" || calls == 0; calls++ {
			words := strings.Fields(w.do("scan " + cursor + " count 7"))
			cursor = words[2]
			for i := 5; i < len(words); i += 2 {
				got = append(got, words[i])
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%d shards: %d keys of %d", shards, len(got), len(want))
		}
	}
}

func TestScanOptions(t *testing.T) {
	w := newWorld(t, 1)
	w.check([][2]string{
		{"mset a 1 ab 2", ok},
		{"scan 0 match ab count 100", "*2 $1 0 *1 $2 ab"},
		{"scan 0 type string match a", "*2 $1 0 *1 $1 a"},
		{"scan 0 type list", "*2 $1 0 *0"},
		{"scan 0 type nosuch", "*2 $1 0 *0"},
		{`scan "" type list`, "*2 $1 0 *0"},
		{"scan -1 type list", "*2 $1 0 *0"},
		{"scan 18446744073709551615", "*2 $1 0 *0"},
		{"scan 18446744073709551616", "-ERR invalid cursor"},
		{"scan x", "-ERR invalid cursor"},
		{"scan 0 count 9223372036854775807", "*2 $1 0 *2 $2 ab $1 a"},
		{"scan x foo", "-ERR invalid cursor"},
		{"scan 0 foo", syntax},
		{"scan 0 count", syntax},
		{"scan 0 count 0", syntax},
		{"scan 0 count x", notInt},
		{"keys b*", "*0"},
		{"keys ?b", "*1 $2 ab"},
	}...)
}

// A request goes to the shard that its cursor points into, however it is written.
func TestCursorShard(t *testing.T) {
	third := uint64(slots.First(2, 4)) << cursorSlotShift
	for text, want := range map[string]int{
		"0": 0, "": 0, "x": 0, fmt.Sprint(third): 2, fmt.Sprintf("+%d", third): 2, fmt.Sprintf("%d\x00x", third): 2, "-1": 3,
	} {
		a := Args{Buf: []byte("scan" + text), Spans: []resp.Span{{Len: 4}, {Off: 4, Len: uint32(len(text))}}}
		if got := CursorShard(a, 4); got != want {
			t.Errorf("%q: shard %d, want %d", text, got, want)
		}
	}
}

func TestAccessClocks(t *testing.T) {
	w := newWorld(t, 2)
	w.do("set k v")
	w.call.Now += 100_000
	w.check([2]string{"object idletime k", ":100"}, [2]string{"exists k", ":1"}, [2]string{"object idletime k", ":100"},
		[2]string{"object freq k", "-ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."})
	w.call.NoTouch = true
	w.check([2]string{"get k", "$1 v"}, [2]string{"object idletime k", ":100"})
	w.check([2]string{"touch k", ":1"}, [2]string{"object idletime k", ":0"})
	w.call.NoTouch = false
	w.call.Now += 5000
	w.check([2]string{"get k", "$1 v"}, [2]string{"object idletime k", ":0"})
}

// A command that looks at a value and then refuses has used it.
func TestRefusedWritesAreUses(t *testing.T) {
	for _, line := range []string{
		"setnx k 1", "set k 1 nx", "msetnx k 1", "msetnx new 1 k 1", "incr k", "decrby k 2", "incrbyfloat k x",
		`setrange k 0 ""`, "renamenx other k", "copy other k", "move k 1", "expire k 10 xx", "persist k",
	} {
		w := newWorld(t, 2)
		w.do("mset k v other v")
		w.db = 1
		w.do("set k v")
		w.db = 0
		w.call.Now += 100_000
		w.do(line)
		w.check([2]string{"object idletime k", ":0"})
	}
}

// Changes are counted as redis-server 7.0.15 counts them for INFO.
func TestChanges(t *testing.T) {
	w := newWorld(t, 3)
	for _, c := range []struct {
		line string
		want uint64
	}{
		{"flushall", 0}, {"flushdb", 0}, {"mset a 1 b 2", 2}, {"get a", 0}, {"del a b c", 2}, {"swapdb 0 1", 1},
		{"set a 1", 1}, {"append a x", 1}, {"rename a a", 0}, {"flushdb", 1}, {"mset a 1 b 2", 2}, {"flushall", 2}, {"set a 1 px 5", 1},
	} {
		before := w.call.Changes
		if w.do(c.line); w.call.Changes-before != c.want {
			t.Errorf("%s: %d changes, want %d", c.line, w.call.Changes-before, c.want)
		}
	}
	w.call.Now += 10
	before := w.call.Changes
	if w.do("get a"); w.call.Expired != 1 || w.call.Changes != before {
		t.Error("an expired key counts as a change")
	}
}

func TestScanRemovesWhatHasExpired(t *testing.T) {
	w := newWorld(t, 1)
	w.check([2]string{"mset a 1 b 2", ok}, [2]string{"set gone v px 5", ok})
	w.call.Now += 10
	w.check([][2]string{
		{"scan 0 match a*", "*2 $1 0 *1 $1 a"},
		{"dbsize", ":3"},
		{"scan 0 type list", "*2 $1 0 *0"},
		{"dbsize", ":2"},
	}...)
	if w.call.Hits != 2 || w.call.Misses != 1 || w.call.Expired != 1 {
		t.Errorf("%d hits, %d misses, %d expired", w.call.Hits, w.call.Misses, w.call.Expired)
	}
}

func TestFrequencyClocks(t *testing.T) {
	w := newWorld(t, 2)
	w.call.Policy.LFU = true
	w.check([][2]string{
		{"set k v", ok},
		{"object freq k", ":5"},
		{"get k", "$1 v"},
		{"object freq k", ":6"},
		{"object idletime k", "-ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."},
		{"object freq missing", nothing},
	}...)
	for range 1000 {
		w.do("get k")
	}
	grown := w.number("object freq k")
	if grown < 12 || grown > 24 {
		t.Errorf("after 1000 uses the counter is %d", grown)
	}
	w.call.Now += 4 * 60_000
	w.check([2]string{"set k w", ok})
	if again := w.number("object freq k"); again != grown-4 && again != grown-3 {
		t.Errorf("after 4 minutes %d became %d", grown, again)
	}
	w.call.Now += 60 * 60_000
	w.check([2]string{"object freq k", ":0"})
}

func TestClusterForbidsOtherDatabases(t *testing.T) {
	w := newWorld(t, 1)
	w.call.Policy.Cluster = true
	w.check([][2]string{
		{"set a 1", ok},
		{"move a 1", "-ERR MOVE is not allowed in cluster mode"},
		{"copy a b db 1", "-ERR Copying to another database is not allowed in cluster mode"},
		{"copy a b db 0", ":1"},
		{"swapdb 0 1", "-ERR SWAPDB is not allowed in cluster mode"},
	}...)
}
