package config

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRedisReplies runs CONFIG SET and GET against replies recorded from
// redis-server 7.0.15. A line of the recording is "set NAME VALUE... => REPLY"
// or "get NAME => VALUE", fields parted by tabs. Lines that start with "ours"
// hold a reply that differs on purpose.
func TestRedisReplies(t *testing.T) {
	file, err := os.Open("testdata/replies.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	store := New()
	ran := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		request, want, _ := strings.Cut(strings.TrimPrefix(line, "ours\t"), "\t=>\t")
		ran++
		if got := reply(store, strings.Split(request, "\t")); got != want {
			t.Errorf("%q\n got %q\nwant %q", request, got, want)
		}
	}
	if ran < 80 {
		t.Fatalf("only %d replies compared", ran)
	}
}

// reply answers "get NAME" with the value, "set NAME VALUE..." as Redis does.
func reply(store *Store, words []string) string {
	if words[0] == "get" {
		value, _ := store.Get(words[1])
		return value
	}
	var settings []Setting
	for pair := range slices.Chunk(words[1:], 2) {
		settings = append(settings, Setting{pair[0], pair[1]})
	}
	if err := store.Set(settings); err != nil {
		return "ERR " + err.Error()
	}
	return "OK"
}

func TestSetAllOrNothing(t *testing.T) {
	s := New()
	before := s.Values()
	err := s.Set([]Setting{{"hz", "20"}, {"maxmemory", "lots"}})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Name != "maxmemory" {
		t.Fatalf("got %v, want a refusal of maxmemory", err)
	}
	if s.Values() != before || s.Values().Hz != 10 {
		t.Error("a refused change was published")
	}
	if from, _ := s.Source("hz"); from.Layer != LayerDefault {
		t.Errorf("source of hz is %v, want default", from)
	}
}

func TestSetPublishesAnotherValues(t *testing.T) {
	s := New()
	before := s.Values()
	if err := s.Set([]Setting{{"hz", "20"}, {"maxmemory", "1mb"}}); err != nil {
		t.Fatal(err)
	}
	if before.Hz != 10 || before.Maxmemory != 0 {
		t.Error("published values changed")
	}
	if s.Values().Hz != 20 || s.Values().Maxmemory != 1<<20 {
		t.Errorf("hz %d, maxmemory %d", s.Values().Hz, s.Values().Maxmemory)
	}
	if from, _ := s.Source("hz"); from.Layer != LayerSet {
		t.Errorf("source of hz is %v, want CONFIG SET", from)
	}
}

func TestWatch(t *testing.T) {
	s := New()
	var heard []string
	tell := func(who string) Hook {
		return func(before, after *Values) error {
			heard = append(heard, who)
			return nil
		}
	}
	s.Watch(tell("hz"), "hz")
	s.Watch(tell("memory"), "maxmemory", "maxmemory-policy")
	s.Watch(tell("any"))
	if err := s.Set([]Setting{{"maxmemory", "1mb"}}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"memory", "any"}; !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
}

func TestWatchRefuses(t *testing.T) {
	s := New()
	var seen []int64
	s.Watch(func(before, after *Values) error {
		seen = append(seen, after.Maxclients)
		return nil
	}, "maxclients")
	s.Watch(func(before, after *Values) error {
		return errors.New("The operating system is not able to handle the specified number of clients, try with 100")
	}, "maxclients")
	err := s.Set([]Setting{{"hz", "20"}, {"maxclients", "5000"}})
	want := "CONFIG SET failed (possibly related to argument 'maxclients') - The operating system is not able to handle the specified number of clients, try with 100"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if !slices.Equal(seen, []int64{5000, 10000}) {
		t.Errorf("the first hook saw %v, want the change and its reverse", seen)
	}
	if s.Values().Hz != 10 || s.Values().Maxclients != 10000 {
		t.Error("a refused change was published")
	}
}

func TestMatch(t *testing.T) {
	s := New()
	tests := []struct {
		patterns []string
		want     []string
	}{
		{[]string{"maxmemory"}, []string{"maxmemory"}},
		{[]string{"MAXMEMORY"}, []string{"MAXMEMORY"}},
		{[]string{"no-such-option"}, nil},
		{[]string{"maxmemory-p*", "maxmemory-policy"}, []string{"maxmemory-policy"}},
		{[]string{"MAXMEMORY-[ps]*"}, []string{"maxmemory-policy", "maxmemory-samples"}},
		{[]string{"d?r", "data-dir"}, []string{"dir", "data-dir"}},
	}
	for _, test := range tests {
		var got []string
		for _, setting := range s.Match(test.patterns...) {
			got = append(got, setting.Name)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.patterns, got, test.want)
		}
	}
	if n := len(s.Match("*")); n < len(table) {
		t.Errorf("* gave %d names, want all %d", n, len(table))
	}
}

func TestPassword(t *testing.T) {
	s := New()
	if s.Values().Requirepass.IsSet() || s.Values().Requirepass.Matches(nil) {
		t.Error("a password without one set")
	}
	if err := s.Set([]Setting{{"requirepass", "sesame"}}); err != nil {
		t.Fatal(err)
	}
	shown, _ := s.Get("requirepass")
	if strings.Contains(shown, "sesame") || len(shown) != 65 {
		t.Errorf("CONFIG GET shows %q", shown)
	}
	if err := s.Set([]Setting{{"requirepass", shown}}); err != nil {
		t.Fatal(err)
	}
	p := s.Values().Requirepass
	if !p.Matches([]byte("sesame")) || p.Matches([]byte("Sesame")) || p.Matches([]byte(shown)) {
		t.Error("the password that was set must match, and no other")
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	s := New()
	password := []byte("sesame")
	var sum int64
	allocs := testing.AllocsPerRun(100, func() {
		v := s.Values()
		if v.PipelineOrder == Relaxed || v.Requirepass.Matches(password) {
			sum++
		}
		sum += v.Maxmemory + v.MaxmemoryClients.Of(v.Maxmemory)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
