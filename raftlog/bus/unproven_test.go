package bus

import (
	"fmt"
	"testing"
)

// Who fills the room of its own address pushes out its own oldest connections, and only
// if all room is taken somebody else's.
func TestUnprovenOnesMakeRoom(t *testing.T) {
	var u unproven
	come := func(source string, i int) (c, gone *Conn) {
		c = &Conn{source: sourceOf(fmt.Sprintf(source, 1000+i))}
		return c, u.add(c)
	}
	first, _ := come("10.0.0.1:%d", 0)
	var own []*Conn
	for i := range 3 * mostOfSource {
		c, gone := come("10.0.0.2:%d", i)
		own = append(own, c)
		switch {
		case i < mostOfSource && gone != nil:
			t.Fatalf("%d: one has to go", i)
		case i >= mostOfSource && gone != own[i-mostOfSource]:
			t.Fatalf("%d: another than the oldest of its own goes", i)
		}
	}
	for i := len(u); i < mostUnproven; i++ {
		if _, gone := come(fmt.Sprintf("10.0.%d.3:%%d", 1+i/mostOfSource), i); gone != nil {
			t.Fatalf("%d: one has to go", i)
		}
	}
	last, gone := come("10.0.0.9:%d", 0)
	if gone != first || len(u) != mostUnproven || u[len(u)-1] != last {
		t.Errorf("%d are left, and the oldest is still there: %v", len(u), gone != first)
	}
	u.remove(last)
	u.remove(last)
	if len(u) != mostUnproven-1 {
		t.Errorf("%d are left", len(u))
	}
}

// One that has proved itself takes no room and cannot be pushed out.
func TestProvenOneIsOut(t *testing.T) {
	b := &Bus{}
	c := &Conn{bus: b}
	c.moved.L = &b.mu
	b.unproven.add(c)
	if c.prove(); len(b.unproven) != 0 {
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
