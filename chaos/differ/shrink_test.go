package differ

import (
	"strings"
	"testing"
)

func TestShrinkKeepsWhatMatters(t *testing.T) {
	stream := NewStream(1).Steps
	stream[100].Args = []string{"first"}
	stream[700].Args = []string{"second"}
	fails := func(steps []Step) bool {
		first := false
		for _, s := range steps {
			first = first || s.Args[0] == "first"
			if first && s.Args[0] == "second" {
				return true
			}
		}
		return false
	}
	short := Shrink(stream, fails)
	if len(short) != 2 || !fails(short) {
		t.Errorf("shrunk to %d steps: %v", len(short), short)
	}
}

// TestDifferenceIsFoundAndShrunk plays to a server that lacks a command: the
// difference must be found and come down to a single call of it.
func TestDifferenceIsFoundAndShrunk(t *testing.T) {
	redis := redisServer(t, 0)
	lame, err := StartRedis("--rename-command", "GETDEL", "")
	if err != nil {
		t.Fatal(err)
	}
	defer lame.Stop()
	for seed := uint64(1); seed < 60; seed++ {
		if text := firstDifference(t, redis, lame.Addr, NewStream(seed)); text != "" {
			if strings.Count(text, "\ndo ") != 1 || !strings.Contains(text, "# getdel differs") {
				t.Errorf("%s", text)
			}
			return
		}
	}
	t.Error("a missing command was not noticed")
}

func firstDifference(t *testing.T, redis, other string, stream Stream) string {
	p, err := NewPlayer(redis, other, NewCounts())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	diff, err := p.Play(stream.Steps)
	if err != nil {
		t.Fatal(err)
	}
	if diff == nil || RowName(diff.Args) != "getdel" {
		return ""
	}
	text, err := p.Reduce(stream.Steps, diff)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestStreamsFollowFromTheirSeed(t *testing.T) {
	for seed := range uint64(40) {
		a, b := NewStream(seed), NewStream(seed)
		if script(a.Steps, &Difference{Args: []string{"x"}}) != script(b.Steps, &Difference{Args: []string{"x"}}) {
			t.Fatalf("%s comes out differently", a.Name())
		}
	}
}
