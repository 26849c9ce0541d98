package resp

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What KEYS and, for fold, CONFIG GET of redis-server 7.0.15 match.
var globs = []struct {
	pattern, text string
	fold, want    bool
}{
	{"", "", false, true}, {"", "a", false, false}, {"a", "", false, false}, {"*", "", false, false}, {"**", "", false, false},
	{"*", "abc", false, true}, {"a*", "a", false, true}, {"a**", "a", false, true}, {"*a", "bba", false, true},
	{"*a*b", "xaxxb", false, true}, {"*a*b", "xaxxbc", false, false}, {"a?c", "abc", false, true}, {"?", "", false, false},
	{"h[ae]llo", "hallo", false, true}, {"h[ae]llo", "hillo", false, false}, {"h[^e]llo", "hallo", false, true},
	{"h[^e]llo", "hello", false, false}, {"h[a-c]llo", "hbllo", false, true}, {"h[c-a]llo", "hbllo", false, true},
	{"[a-]", "a", false, true}, {"[a-]", "]", false, true}, {"[a-]x", "ax", false, false}, {"[]", "a", false, false},
	{"[]a]", "a]", false, false}, {"[^]", "a", false, true}, {"[^]", "]", false, true}, {"[", "[", false, false}, {"[^", "x", false, true},
	{"[a", "a", false, true}, {"[a", "b", false, false}, {"[ab", "b", false, true}, {`[\]]`, "]", false, true}, {`[\`, `\`, false, true},
	{`[\a-c]`, "b", false, false}, {`[\a-c]`, "-", false, true}, {`[a-\c]`, "b", false, false}, {`[a-\c]`, "]", false, true}, {`[a-\c]`, "c", false, true},
	{`\*`, "*", false, true}, {`\*`, "a", false, false}, {`a\`, `a\`, false, true}, {`\\`, `\`, false, true}, {`\a`, "a", false, true},
	{"[\x7f-\x80]", "a", false, true}, {"[\x80-\xff]", "\xc0", false, true}, {"[\x80-\xff]", "a", false, false}, {"[\xff-a]", "\x00", false, true},
	{"ABC", "abc", true, true}, {"[A]", "a", true, true}, {`[\A]`, "a", true, false}, {`\A`, "a", true, true}, {"[A-C]", "b", true, true},
	{"[Z-a]", "m", true, false}, {"[^A]", "a", true, false}, {"a", "A", false, false},
}

func TestMatch(t *testing.T) {
	for _, c := range globs {
		if Match([]byte(c.pattern), []byte(c.text), c.fold) != c.want {
			t.Errorf("%q and %q (fold %v): want %v", c.pattern, c.text, c.fold, c.want)
		}
	}
}

// The naive reading of "*": it takes any number of bytes.
func matchNaive(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '*':
		return matchNaive(pattern[1:], text) || text != "" && matchNaive(pattern, text[1:])
	case text == "":
		return false
	}
	next, ok := matchOne([]byte(pattern), 0, text[0], false)
	return ok && matchNaive(pattern[next:], text[1:])
}

func TestMatchAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*?\[\]^\\-]{0,10}`).Draw(t, "pattern")
		text := rapid.StringMatching(`[ab\]^-]{1,10}`).Draw(t, "text")
		if got, want := Match([]byte(pattern), []byte(text), false), matchNaive(pattern, text); got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// A pattern that would keep a naive matcher busy for ages.
func TestMatchIsBounded(t *testing.T) {
	pattern := []byte(strings.Repeat("a*", 50) + "b")
	text := []byte(strings.Repeat("a", 5000))
	if Match(pattern, text, false) {
		t.Error("there is no b")
	}
}

func FuzzMatch(f *testing.F) {
	for _, c := range globs {
		f.Add(c.pattern, c.text)
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 12 || len(text) > 12 || text == "" {
			t.Skip()
		}
		if got, want := Match([]byte(pattern), []byte(text), false), matchNaive(pattern, text); got != want {
			t.Errorf("%q and %q: got %v, want %v", pattern, text, got, want)
		}
	})
}
