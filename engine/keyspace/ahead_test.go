package keyspace

import "testing"

// What AskEntry told of a key never leads Find to another entry, whatever
// happens in between.
func TestNearIsNeverWrong(t *testing.T) {
	for what, change := range map[string]func(b *bench, k Key){
		"nothing": func(*bench, Key) {},
		"delete":  func(b *bench, k Key) { b.Space(0).Delete(k) },
		"replace": func(b *bench, k Key) { b.Space(0).PutString(k, make([]byte, 500), KindRaw, 0, 0) },
		"again": func(b *bench, k Key) {
			b.Space(0).Delete(k)
			b.Space(1).Delete(k)
			b.Space(1).PutInt(k, 5, 0, 0)
			b.Space(0).PutInt(k, 6, 0, 0)
		},
		"move":  func(b *bench, k Key) { Move(b.Space(0), k, b.Space(0).Find(k), b.Space(2), k) },
		"swap":  func(b *bench, _ Key) { b.SwapSpaces(0, 1) },
		"clear": func(b *bench, _ Key) { b.Space(0).Clear() },
		"clear and free": func(b *bench, _ Key) {
			b.Space(0).Clear()
			b.settle()
		},
		"compact": func(b *bench, _ Key) {
			for i := range 3000 {
				b.Space(0).Delete(b.keyf("%d", i))
			}
			b.compactAll()
		},
	} {
		t.Run(what, func(t *testing.T) {
			b := newBench(t, Options{})
			for i := range 3000 {
				b.Space(0).PutInt(b.keyf("%d", i), 1, 0, 0)
			}
			k := b.key("key")
			b.Space(0).PutInt(k, 1, 0, 0)
			b.Space(1).PutInt(k, 2, 0, 0)
			b.Space(0).AskTable(k.Place)
			near := k
			near.Near = b.Space(0).AskEntry(k.Place)
			if near.Near == 0 {
				t.Fatal("nothing is near")
			}
			change(b, k)
			for db := range 3 {
				if got, want := b.Space(db).Find(near), b.Space(db).Find(k); got != want {
					t.Errorf("database %d: found %v, want %v", db, got, want)
				}
			}
		})
	}
}
