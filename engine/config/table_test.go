package config

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(table, func(a, b Option) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the table is not sorted by name")
	}
	seen := make(map[string]bool)
	for i := range table {
		o := &table[i]
		for _, name := range o.names() {
			if seen[name] || name != strings.ToLower(name) {
				t.Errorf("%s: a name that is taken or not in lower case", name)
			}
			seen[name] = true
		}
		if !slices.Contains(groups, o.Group) || !strings.HasSuffix(o.Help, ".") || o.Describe() == "" {
			t.Errorf("%s: group, help or description is missing", o.Name)
		}
	}
}

// TestDefaultsAreCanonical checks that each default survives being shown and
// read again, and that every option has a field of its own.
func TestDefaultsAreCanonical(t *testing.T) {
	s := New()
	for i := range table {
		o := &table[i]
		v := *s.values
		if err := o.kind.set(&v, o.kind.get(s.values)); err != nil {
			t.Errorf("%s: its own default is refused: %v", o.Name, err)
		}
		if o.kind.get(&v) != o.kind.get(s.values) {
			t.Errorf("%s: %q became %q", o.Name, o.kind.get(s.values), o.kind.get(&v))
		}
	}
}

// candidates are texts that some kind accepts.
var candidates = []string{
	"", "0", "1", "7", "10", "64", "100", "501", "700", "-1", "1mb", "2GB", "1k", "12kb", "5%", "100%", "yes", "NO", "local",
	"allkeys-lfu", "VOLATILE-TTL", "debug", "Warning", "strict", "relaxed", "0-3,8", "127.0.0.1 ::1", "50 99.99", "0.001",
	"normal 1mb 2mb 3", "replica 1 2 3 pubsub 4 5 6", "sesame", "#", "9223372036854775807", "99999999999999999999",
}

func anyText(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+" from the list") {
		return rapid.SampledFrom(candidates).Draw(t, label)
	}
	return rapid.StringMatching(`[ -~]{0,12}`).Draw(t, label)
}

// TestSetGetRoundTrip checks against the simplest of models: a value that was
// accepted, shown and set again is shown the same, and what was refused changed
// nothing.
func TestSetGetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New()
		for range rapid.IntRange(1, 20).Draw(t, "sets") {
			name := table[rapid.IntRange(0, len(table)-1).Draw(t, "option")].Name
			before, _ := s.Get(name)
			err := s.Set([]Setting{{name, anyText(t, "value")}})
			shown, _ := s.Get(name)
			if err != nil {
				if shown != before {
					t.Fatalf("%s: refused with %v but changed from %q to %q", name, err, before, shown)
				}
				continue
			}
			if err := s.Set([]Setting{{name, shown}}); err != nil {
				t.Fatalf("%s: shows %q and refuses it: %v", name, shown, err)
			}
			if again, _ := s.Get(name); again != shown {
				t.Fatalf("%s: %q became %q", name, shown, again)
			}
		}
	})
}

// TestLayersRoundTrip loads random values for options of every kind from a
// file written by TOML lines, the environment and flags, and expects what
// setting them directly gives.
func TestLayersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(table)-1).Draw(t, "option")
		o := &table[i]
		values := *New().values
		if o.kind.set(&values, anyText(t, "value")) != nil {
			t.Skip("refused")
		}
		want := o.kind.get(&values)
		for _, in := range []Inputs{
			{File: "f", Text: []byte(o.tomlLine(&values))},
			{Environ: []string{o.Variable() + "=" + want}},
			{Flags: []Setting{{o.Name, want}}},
		} {
			s, err := Load(in)
			if err != nil {
				t.Fatalf("%s = %q: %v", o.Name, want, err)
			}
			if got, _ := s.Get(o.Name); got != want {
				t.Fatalf("%s: got %q, want %q", o.Name, got, want)
			}
		}
	})
}

func TestAmounts(t *testing.T) {
	tests := []struct {
		text string
		want int64 // -1: refused
	}{
		{"0", 0}, {"100", 100}, {"1b", 1}, {"1k", 1000}, {"1kb", 1024}, {"1M", 1e6}, {"1Mb", 1 << 20},
		{"2g", 2e9}, {"2gB", 2 << 30}, {"9223372036854775807", 9223372036854775807},
		{"9223372036854775808", -1}, {"9007199254740992kb", -1}, {"", 0}, {"kb", 0}, {"7\x00x", 7}, {"-1", -1}, {"+1", -1},
		{"1.5mb", -1}, {"1 mb", -1}, {"1tb", -1}, {"1kbb", -1}, {"1bk", -1}, {"0x10", -1},
	}
	for _, test := range tests {
		got, ok := amount(test.text)
		if !ok {
			got = -1
		}
		if got != test.want {
			t.Errorf("%q: got %d, want %d", test.text, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	tests := []struct{ word, want string }{
		{"maxmemry", "maxmemory"}, {"max_memory", "maxmemory"}, {"MaxMemory-Polcy", "maxmemory-policy"},
		{"prot", "port"}, {"bnid", "bind"}, {"requirepas", "requirepass"}, {"shard", "shards"},
		{"maxmemory.policy", "maxmemory-policy"}, {"datadir", "data-dir"}, {"rdbcompression", ""}, {"x", ""}, {"", ""},
	}
	known := optionNames(func(name string) string { return name })
	for _, test := range tests {
		if got := Nearest(test.word, known); got != test.want {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}

func TestShare(t *testing.T) {
	if got := (Share{Percent: 5}).Of(1000); got != 50 {
		t.Errorf("5%% of 1000 is %d", got)
	}
	if got := (Share{Bytes: 7}).Of(1000); got != 7 {
		t.Errorf("7 bytes of 1000 are %d", got)
	}
}
