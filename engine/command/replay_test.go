package command

import (
	"fmt"
	"maps"
	"testing"

	"github.com/elares/ironcache/engine/keyspace"
	"pgregory.net/rapid"
)

// TestReplayedEffectsGiveEqualData runs random commands on one keyspace and
// their effects on another that takes whatever its owner did for granted, at a
// later time.
func TestReplayedEffectsGiveEqualData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		owner, follower := newWorld(t, 3), newWorld(t, 2)
		follower.call.Now += 1_000_000_000
		follower.call.Expiry = KeepExpired
		owner.listen()
		t.Repeat(map[string]func(*rapid.T){
			"run": func(t *rapid.T) {
				words := drawRequest(t)
				owner.doWords(words...)
				for i, effect := range owner.told {
					follower.db = owner.dbs[i]
					if reply := follower.doWords(effect...); reply[0] == '-' {
						t.Fatalf("%q told %q: %s", words, effect, reply)
					}
				}
				owner.effects()
			},
			"wait":   func(t *rapid.T) { owner.call.Now += rapid.Int64Range(1, 20_000).Draw(t, "ms") },
			"select": func(t *rapid.T) { owner.db = rapid.IntRange(0, 1).Draw(t, "db") },
			"": func(t *rapid.T) {
				if a, b := owner.data(), follower.data(); !maps.Equal(a, b) {
					t.Fatalf("owner %v\nfollower %v", a, b)
				}
			},
		})
	})
}

// data is everything in the keyspace: value and expiry of every key. The
// encoding may differ: what INCRBYFLOAT leaves as text is an integer after SET.
func (w *world) data() map[string]string {
	all := map[string]string{}
	for db := range testDatabases {
		for _, store := range w.call.stores {
			space := store.Space(db)
			for cursor, first := uint64(0), true; first || cursor != 0; first = false {
				cursor = space.Scan(cursor, 100, func(e keyspace.Entry) {
					var digits [24]byte
					all[fmt.Sprintf("%d %s", db, e.Key())] = fmt.Sprintf("%s %d", e.Value(&digits), e.Expiry())
				})
			}
		}
	}
	return all
}

// writers are the commands that change something, with the words that may
// follow the name: k is a key, v a value, n a number, t a time in seconds, T one
// in milliseconds; what stands between bars is a choice, what is in brackets
// may be left out.
var writers = [][]string{
	{"set", "k", "v", "[nx|xx|ifeq v|ifne v|get]", "[ex t|px T|exat u|pxat U|keepttl]"},
	{"setnx", "k", "v"}, {"setex", "k", "t", "v"}, {"psetex", "k", "T", "v"}, {"getset", "k", "v"},
	{"getdel", "k"}, {"getex", "k", "[ex t|px T|exat u|pxat U|persist]"}, {"append", "k", "v"},
	{"setrange", "k", "o", "v"}, {"incr", "k"}, {"decr", "k"}, {"incrby", "k", "n"}, {"decrby", "k", "n"},
	{"incrbyfloat", "k", "f"}, {"mset", "k", "v", "k", "v"}, {"msetnx", "k", "v", "k", "v"},
	{"msetex", "2", "k", "v", "k", "v", "[nx|xx]", "[ex t|px T|exat u|pxat U|keepttl]"},
	{"delex", "k", "[ifeq v|ifne v]"}, {"delifeq", "k", "v"}, {"del", "k", "k"}, {"unlink", "k"},
	{"expire", "k", "t", "[nx|xx|gt|lt]"}, {"pexpire", "k", "T"}, {"expireat", "k", "u", "[nx|gt]"}, {"pexpireat", "k", "U"},
	{"persist", "k"}, {"rename", "k", "k"}, {"renamenx", "k", "k"}, {"move", "k", "1"},
	{"copy", "k", "k", "[replace]", "[db 1]"}, {"touch", "k"}, {"get", "k"}, {"flushdb"}, {"flushall"}, {"swapdb", "0", "1"},
}
