package keyspace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// record is an entry as a Go program would keep it.
type record struct {
	value  string
	expiry int64
	clock  uint32
}

type database map[string]record

// model runs a Store and Go maps side by side.
type model struct {
	*bench
	dbs   []database
	walks []*modelWalk
	scans []*modelScan
	now   int64
}

// modelWalk is a walk with what it has yet to report.
type modelWalk struct {
	*Walk
	left []database
	from uint64
	end  uint64
}

// modelScan is a scan with the keys that it has yet to report.
type modelScan struct {
	db     int
	cursor uint64
	left   map[string]bool
}

const modelDBs = 3

func newModel(t *rapid.T) *model {
	opts := Options{Databases: modelDBs, ChunkBytes: 64 << 10, SlotCounts: rapid.Bool().Draw(t, "slot counts"), ExpirySlack: 1}
	// With few bits of hash many keys share a whole Place.
	opts.Hash.drop = rapid.SampledFrom([]uint64{0, math.MaxUint64 >> 20, math.MaxUint64 >> 8, math.MaxUint64}).Draw(t, "drop")
	m := &model{bench: newBench(t, opts), now: 1_000_000}
	for range modelDBs {
		m.dbs = append(m.dbs, database{})
	}
	return m
}

func (m *model) drawKey(t *rapid.T) string {
	switch n := rapid.IntRange(0, 60).Draw(t, "key"); {
	case n < 20:
		return fmt.Sprintf("{tag}%d", n)
	case n < 58:
		return fmt.Sprintf("key%d", n)
	default:
		return longKeys[n-58]
	}
}

var longKeys = []string{strings.Repeat("a", maxKey), strings.Repeat("b", maxKey+1), strings.Repeat("c", 20000)}

func (m *model) drawDB(t *rapid.T) int { return rapid.IntRange(0, modelDBs-1).Draw(t, "db") }

// drawKnown draws a key that is likely there.
func (m *model) drawKnown(t *rapid.T, db int) string {
	keys := slices.Sorted(maps.Keys(m.dbs[db]))
	if len(keys) == 0 {
		return m.drawKey(t)
	}
	return keys[rapid.IntRange(0, len(keys)-1).Draw(t, "known")]
}

func (m *model) drawExpiry(t *rapid.T) int64 {
	return rapid.SampledFrom([]int64{0, 0, m.now + 1, m.now + 50, m.now + 5000}).Draw(t, "expiry")
}

func drawValue(t *rapid.T) string {
	n := rapid.SampledFrom([]int{0, 1, 8, 44, 45, 64, 100, 500, 3000, MaxInline, MaxInline + 1, 40000}).Draw(t, "size")
	fill := rapid.SampledFrom([]string{"a", "bc", "def"}).Draw(t, "fill")
	return strings.Repeat(fill, n/len(fill)+1)[:n]
}

func (m *model) put(t *rapid.T) {
	db, key, value := m.drawDB(t), m.drawKey(t), drawValue(t)
	r := record{value, m.drawExpiry(t), rapid.Uint32Range(0, clockMask).Draw(t, "clock")}
	m.Space(db).PutString(m.key(key), []byte(value), KindRaw, r.expiry, r.clock)
	m.dbs[db][key] = r
}

func (m *model) putMany(t *rapid.T) {
	db, n := m.drawDB(t), rapid.OneOf(rapid.IntRange(1, 900), rapid.IntRange(maxWords-3, maxWords+3)).Draw(t, "n")
	form := rapid.SampledFrom([]string{"{tag}m%d", "{gat}m%d", "m%d", "{%d}"}).Draw(t, "form")
	expiry := m.drawExpiry(t)
	for i := range n {
		key := fmt.Sprintf(form, i)
		m.Space(db).PutString(m.key(key), []byte(key), KindEmbstr, expiry, 0)
		m.dbs[db][key] = record{key, expiry, 0}
	}
}

func (m *model) deleteMany(t *rapid.T) {
	db, keep := m.drawDB(t), rapid.IntRange(0, 20).Draw(t, "keep")
	for i, key := range slices.Sorted(maps.Keys(m.dbs[db])) {
		if i%20 >= keep {
			m.delete(t, db, key)
		}
	}
}

func (m *model) delete(t *rapid.T, db int, key string) {
	_, want := m.dbs[db][key]
	if got := m.Space(db).Delete(m.key(key)); got != want {
		t.Fatalf("Delete(%q) = %v", key, got)
	}
	m.gone(db, key)
}

// gone notes that a key is no more.
func (m *model) gone(db int, key string) {
	delete(m.dbs[db], key)
	for _, s := range m.scans {
		if s.db == db {
			delete(s.left, key)
		}
	}
}

func (m *model) deleteOne(t *rapid.T) {
	db := m.drawDB(t)
	m.delete(t, db, m.drawKnown(t, db))
}

func (m *model) putInt(t *rapid.T) {
	db, key, n := m.drawDB(t), m.drawKey(t), rapid.Int64().Draw(t, "n")
	r := record{fmt.Sprint(n), m.drawExpiry(t), 3}
	m.Space(db).PutInt(m.key(key), n, r.expiry, r.clock)
	m.dbs[db][key] = r
}

func (m *model) resize(t *rapid.T) {
	db := m.drawDB(t)
	name := m.drawKnown(t, db)
	k := m.key(name)
	e := m.Space(db).Find(k)
	if !e.Ok() {
		return
	}
	n := rapid.SampledFrom([]int{0, 5, 60, 64, 200, MaxInline, MaxInline + 1, 30000, 70000}).Draw(t, "n")
	want := []byte(m.dbs[db][name].value)
	want = append(want, make([]byte, n)...)[:n]
	_, value := m.Space(db).Resize(k, e, n)
	if n > 0 {
		value[n/2], want[n/2] = 'x', 'x'
	}
	r := m.dbs[db][name]
	r.value = string(want)
	m.dbs[db][name] = r
}

func (m *model) expire(t *rapid.T) {
	db := m.drawDB(t)
	name := m.drawKnown(t, db)
	e := m.Space(db).Find(m.key(name))
	if !e.Ok() {
		return
	}
	r := m.dbs[db][name]
	r.expiry = m.drawExpiry(t)
	e = m.Space(db).SetExpiry(m.key(name), e, r.expiry)
	e.SetClock(r.clock)
	m.dbs[db][name] = r
}

func (m *model) move(t *rapid.T) {
	from, to := m.drawDB(t), m.drawDB(t)
	name, name2 := m.drawKnown(t, from), m.drawKey(t)
	e := m.Space(from).Find(m.key(name))
	if !e.Ok() || from == to && name == name2 {
		return
	}
	Move(m.Space(from), m.key(name), e, m.Space(to), m.key(name2))
	r := m.dbs[from][name]
	m.gone(from, name)
	m.dbs[to][name2] = r
}

func (m *model) due(t *rapid.T) {
	m.now += rapid.Int64Range(0, 100).Draw(t, "pass")
	for db := range m.dbs {
		s := m.Space(db)
		s.Due(m.now, 1<<30, func(e Entry) bool {
			key := string(e.Key())
			if r := m.dbs[db][key]; r.expiry == 0 || r.expiry > m.now {
				t.Fatalf("%q is not due at %d: %v", key, m.now, r.expiry)
			}
			m.gone(db, key)
			return true
		})
		for key, r := range m.dbs[db] {
			if r.expiry != 0 && r.expiry < m.now-1 {
				t.Fatalf("%q was due at %d, now is %d, next %d", key, r.expiry, m.now, s.NextDue())
			}
		}
	}
}

func (m *model) clearOne(t *rapid.T) {
	db := m.drawDB(t)
	m.Space(db).Clear()
	m.dbs[db] = database{}
	for _, s := range m.scans {
		if s.db == db {
			clear(s.left)
		}
	}
}

func (m *model) swap(t *rapid.T) {
	a, b := m.drawDB(t), m.drawDB(t)
	m.SwapSpaces(a, b)
	m.dbs[a], m.dbs[b] = m.dbs[b], m.dbs[a]
	m.scans = nil
}

func (m *model) startScan(t *rapid.T) {
	s := &modelScan{db: m.drawDB(t), left: map[string]bool{}}
	for key := range m.dbs[s.db] {
		s.left[key] = true
	}
	m.scans = append(m.scans, s)
}

func (m *model) stepScan(t *rapid.T) {
	if len(m.scans) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.scans)-1).Draw(t, "scan")
	s := m.scans[i]
	next := m.Space(s.db).Scan(s.cursor, rapid.IntRange(1, 300).Draw(t, "count"), func(e Entry) {
		if _, ok := m.dbs[s.db][string(e.Key())]; !ok {
			t.Fatalf("scan reports %q, which is not there", e.Key())
		}
		delete(s.left, string(e.Key()))
	})
	if next != 0 && next <= s.cursor {
		t.Fatalf("the cursor went from %d to %d", s.cursor, next)
	}
	if s.cursor = next; next == 0 {
		if len(s.left) > 0 {
			t.Fatalf("the scan missed %v", s.left)
		}
		m.scans = slices.Delete(m.scans, i, i+1)
	}
}

func (m *model) random(t *rapid.T) {
	db := m.drawDB(t)
	e := m.Space(db).Random(m.rand)
	if e.Ok() != (len(m.dbs[db]) > 0) {
		t.Fatalf("Random finds an entry: %v", e.Ok())
	}
	m.Space(db).Sample(m.rand, 5, rapid.Bool().Draw(t, "volatile"), func(e Entry) {
		if _, ok := m.dbs[db][string(e.Key())]; !ok {
			t.Fatalf("Sample gives %q, which is not there", e.Key())
		}
	})
}

func (m *model) startWalk(t *rapid.T) {
	w := &modelWalk{end: math.MaxUint64}
	opts := WalkOptions{QueueBytes: 1000}
	if rapid.Bool().Draw(t, "part") {
		opts.First, opts.End = 4000, 12000
		w.from, w.end = 4000<<slotShift, 12000<<slotShift-1
	}
	if w.Walk = m.StartWalk(opts); w.Walk == nil {
		return
	}
	for _, db := range m.dbs {
		left := maps.Clone(db)
		maps.DeleteFunc(left, func(key string, _ record) bool {
			place := m.key(key).Place
			return place < w.from || place > w.end
		})
		w.left = append(w.left, left)
	}
	m.walks = append(m.walks, w)
}

func (m *model) stepWalk(t *rapid.T) {
	if len(m.walks) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.walks)-1).Draw(t, "walk")
	w := m.walks[i]
	if rapid.IntRange(0, 9).Draw(t, "give up") == 0 {
		w.Close()
		m.walks = slices.Delete(m.walks, i, i+1)
		return
	}
	more := w.Step(rapid.IntRange(1, 300).Draw(t, "n"), func(db int, e Entry) { w.compare(t, db, e) })
	if !more {
		for db, left := range w.left {
			if len(left) > 0 {
				t.Fatalf("the walk missed %d of database %d", len(left), db)
			}
		}
		w.Close()
		m.walks = slices.Delete(m.walks, i, i+1)
	}
}

func (w *modelWalk) compare(t *rapid.T, db int, e Entry) {
	key := string(e.Key())
	want, ok := w.left[db][key]
	if !ok {
		t.Fatalf("the walk reports %q of %d, which it should not", key, db)
	}
	if got := (record{text(e), e.Expiry(), want.clock}); got != want {
		t.Fatalf("%q was %.40v at the start, the walk reports %.40v", key, want, got)
	}
	delete(w.left[db], key)
}

// same compares everything.
func (m *model) same(t *rapid.T) {
	m.Check()
	for db, want := range m.dbs {
		s := m.Space(db)
		if s.Len() != len(want) || s.DB() != db {
			t.Fatalf("database %d holds %d keys, want %d", db, s.Len(), len(want))
		}
		expires, slotted := 0, map[uint16]int{}
		for key, r := range want {
			e := s.Find(m.key(key))
			if got := (record{text(e), e.Expiry(), e.Clock()}); got != r {
				t.Fatalf("%q holds %.40v, want %.40v", key, got, r)
			}
			if r.expiry != 0 {
				expires++
			}
			slotted[m.key(key).Slot()]++
		}
		if s.Expires() != expires {
			t.Fatalf("%d keys expire, want %d", s.Expires(), expires)
		}
		for slot, n := range slotted {
			if len(slotted) < 20 && s.SlotLen(slot) != n {
				t.Fatalf("slot %d holds %d keys, want %d", slot, s.SlotLen(slot), n)
			}
		}
	}
}

func TestModel(t *testing.T) {
	deep(t)
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		t.Repeat(map[string]func(*rapid.T){
			"put": m.put, "putInt": m.putInt, "putMany": m.putMany, "resize": m.resize,
			"expire": m.expire, "delete": m.deleteOne, "deleteMany": m.deleteMany, "move": m.move,
			"due": m.due, "clear": m.clearOne, "swap": m.swap, "random": m.random,
			"startScan": m.startScan, "stepScan": m.stepScan,
			"startWalk": m.startWalk, "stepWalk": m.stepWalk,
			"compact": func(t *rapid.T) { m.Compact(rapid.IntRange(1, 3000).Draw(t, "budget")) },
			"work":    func(t *rapid.T) { m.Work(rapid.IntRange(1, 3000).Draw(t, "budget")) },
			"":        m.same,
		})
		m.finish(t)
	})
}

// finish drops everything, and nothing is left.
func (m *model) finish(t *rapid.T) {
	for _, w := range m.walks {
		w.Close()
	}
	for db := range m.dbs {
		m.Space(db).Clear()
	}
	m.settle()
	m.Check()
	if st := m.Stats(); st.Keys != 0 || m.spanLive != 0 || st.Extents != 0 || st.Queued != 0 || m.walking != 0 {
		t.Fatalf("something is left: %+v, %d bytes of blocks, %d walks", st, m.spanLive, m.walking)
	}
	m.Close()
	if m.memory.bytes != 0 || m.ledger.Used() != 0 {
		t.Fatalf("%d bytes are still mapped, %d are used", m.memory.bytes, m.ledger.Used())
	}
}
