package bus

import (
	"fmt"
	"testing"
)

// Who fills the room of its own address pushes out its own oldest connections, and only
// if all room is taken somebody else's.
func TestUnprovenOnesMakeRoom(t *testing.T) {
	for _, room := range []int{0, 1000, 64, 2} {
		t.Run(fmt.Sprint(room), func(t *testing.T) { makesRoom(t, room) })
	}
	if u := newUnproven(64); u.room != 64 || u.roomOfSource() != 32 {
		t.Errorf("room for %d, for %d of one address", u.room, u.roomOfSource())
	}
}

func makesRoom(t *testing.T, room int) {
	u := newUnproven(room)
	if room = u.room; room > MostUnproven {
		t.Fatalf("room for %d", room)
	}
	ofSource := u.roomOfSource()
	come := func(source string, i int) (c, gone *Conn) {
		c = &Conn{source: sourceOf(fmt.Sprintf(source, 1000+i))}
		return c, u.add(c)
	}
	first, _ := come("10.0.0.1:%d", 0)
	var own []*Conn
	for i := range 3 * ofSource {
		c, gone := come("10.0.0.2:%d", i)
		own = append(own, c)
		switch {
		case i < ofSource && gone != nil:
			t.Fatalf("%d: one has to go", i)
		case i >= ofSource && gone != own[i-ofSource]:
			t.Fatalf("%d: another than the oldest of its own goes", i)
		}
	}
	for i := len(u.list); i < room; i++ {
		if _, gone := come(fmt.Sprintf("10.0.%d.3:%%d", 1+i/ofSource), i); gone != nil {
			t.Fatalf("%d: one has to go", i)
		}
	}
	last, gone := come("10.0.0.9:%d", 0)
	if gone != first || len(u.list) != room || u.list[len(u.list)-1] != last {
		t.Errorf("%d are left, and the oldest is still there: %v", len(u.list), gone != first)
	}
	u.remove(last)
	u.remove(last)
	if len(u.list) != room-1 {
		t.Errorf("%d are left", len(u.list))
	}
}

// One that has proved itself takes no room and cannot be pushed out.
func TestProvenOneIsOut(t *testing.T) {
	b := &Bus{unproven: newUnproven(0)}
	c := &Conn{bus: b}
	c.moved.L = &b.mu
	b.unproven.add(c)
	if c.prove(); len(b.unproven.list) != 0 {
		t.Error("it is among those that have yet to prove themselves")
	}
}

func TestSources(t *testing.T) {
	for _, test := range []struct {
		one, other string
		same       bool
	}{
		{"10.0.0.1:1", "10.0.0.1:2", true},
		{"10.0.0.1:1", "[::ffff:10.0.0.1]:2", true},
		{"10.0.0.1:1", "10.0.0.2:1", false},
		{"[2001:db8::1]:1", "[2001:db8::2:1]:1", true},
		{"[2001:db8::1]:1", "[2001:db8:0:1::1]:1", false},
		{"[fe80::1%eth0]:1", "[fe80::2%eth0]:1", true},
		{"[::1]:1", "127.0.0.1:1", false},
		{"a pipe", "another", true},
	} {
		if same := sourceOf(test.one) == sourceOf(test.other); same != test.same {
			t.Errorf("%s and %s: %v", test.one, test.other, same)
		}
	}
}
