package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDocuments holds the real documents to the real claims.
func TestDocuments(t *testing.T) {
	b, err := loadBook("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range b.check() {
		t.Error(fault)
	}
}

func TestFigures(t *testing.T) {
	for _, test := range []struct {
		text string
		want []figure
	}{
		{"It is 3.1x[^a] as fast.", []figure{{1, "3.1", "x", "a"}}},
		{"It is **3.1x**[^a] as fast.", []figure{{1, "3.1", "x", "a"}}},
		{"It is 3.1x as fast.", []figure{{1, "3.1", "x", ""}}},
		{"one\ntakes 5 ms, or 7%", []figure{{2, "5", "ms", ""}, {2, "7", "%", ""}}},
		{"It is\n3\nms[^a], or 5\nms", []figure{{2, "3", "ms", "a"}, {3, "5", "ms", ""}}},
		{"It did 596,495[^a] in all.", []figure{{1, "596495", "", "a"}}},
		{"| GET | 1,234 | 5x[^a] |", []figure{{1, "5", "x", "a"}, {1, "1234", "", ""}}},
		{"Redis 7.0.15 speaks RESP3 over 16384 slots.", nil},
		{"A `16 KB` limit, [5 ms](https://x/5ms).", []figure{{1, "5", "ms", ""}}},
		{"See https://x/5%20ms.", nil},
		{"```\n5 ms\n```", nil},
		{"[^a]: took 5 ms", nil},
		{"costs 34 bytes a key", []figure{{1, "34", "bytes", ""}}},
	} {
		if got := figuresOf(test.text); !slices.Equal(got, test.want) {
			t.Errorf("figures of %q: %v, want %v", test.text, got, test.want)
		}
	}
}

const goodClaims = `
speed:
  says: GET takes a third
  value: 3.1
  unit: x
  script: go run ./research/bench --json {json}
  result: bench.json
  figure: speed/get
  tolerance: 0.2
peer:
  says: A peer published it
  value: 10
  unit: ms
  source: https://example.com
`

const goodText = "It is 3.1x[^speed] and 10 ms[^peer].\n\n" + footnotesBegin + `

[^speed]: GET takes a third. Measured by ` + "`go run ./research/bench`, in `bench.json`" + `.
[^peer]: A peer published it. Source: https://example.com

` + footnotesEnd + "\n"

// bookOf makes a book of texts; the result file holds the given JSON.
func bookOf(t *testing.T, claims, text, results string) *book {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bench.json"), []byte(results), 0o600); err != nil {
		t.Fatal(err)
	}
	parsed, err := parseClaims([]byte(claims))
	if err != nil {
		t.Fatal(err)
	}
	return &book{root: dir, claims: parsed, texts: map[string]string{"README.md": text}}
}

func TestCheck(t *testing.T) {
	const results = `{"figures": {"speed/get": 3.1415}}`
	for _, test := range []struct {
		name, claims, text, results string
		want                        string // in the only fault; empty for none
	}{
		{"all is well", goodClaims, goodText, results, ""},
		{"another number", goodClaims, strings.Replace(goodText, "3.1x", "3.2x", 1), results, "3.2 where claim speed says 3.1"},
		{"another unit", goodClaims, strings.Replace(goodText, "10 ms[", "10 us[", 1), results, `unit "us" where claim peer has "ms"`},
		{"no claim", goodClaims, "Takes 5 ms. " + goodText, results, "5ms names no claim"},
		{"unknown claim", goodClaims, "Takes 5 ms[^x]. " + goodText, results, "no claim x"},
		{"nothing measured", goodClaims, goodText, `{"figures": {}}`, `no figure "speed/get"`},
		{"measured otherwise", goodClaims, goodText, `{"figures": {"speed/get": 3.2}}`, "value 3.1 where bench.json has 3.2"},
		{"a quick run", goodClaims, goodText, `{"options": {"quick": true}, "figures": {"speed/get": 3.1}}`, "quick run"},
		{"no source", strings.Replace(goodClaims, "  source: https://example.com\n", "", 1), strings.Replace(goodText, "Source: https://example.com", "Measured by ``, in ``.", 1), results, "either a source or a script"},
		{"stale footnotes", strings.Replace(goodClaims, "GET takes", "GET took", 1), goodText, results, "footnotes are not those"},
		{"unused", goodClaims + "idle:\n  says: a\n  value: 1\n  source: b\n", goodText, results, "no document names it"},
		{"no number", goodClaims, "So it is[^speed]. " + goodText, results, "follows no number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			faults := bookOf(t, test.claims, test.text, test.results).check()
			if test.want == "" && len(faults) > 0 || test.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], test.want)) {
				t.Errorf("faults %q, want %q", faults, test.want)
			}
		})
	}
}

func TestFootnotesAreWritten(t *testing.T) {
	text, _, _ := strings.Cut(goodText, footnotesBegin)
	b := bookOf(t, goodClaims, text, "{}")
	got, changed := b.withFootnotes("README.md")
	if !changed || got != goodText {
		t.Errorf("with footnotes %q, want %q", got, goodText)
	}
}

func TestRerun(t *testing.T) {
	claims := strings.Replace(goodClaims, "go run ./research/bench --json {json}", "cp again.json {json}", 1)
	b := bookOf(t, claims, goodText, "{}")
	for again, want := range map[string]string{
		`{"figures": {"speed/get": 3.5}}`: "",
		`{"figures": {"speed/get": 4}}`:   "measured again 4x, claimed 3.1x, tolerance 20%",
		`{"figures": {}}`:                 "no figure",
	} {
		if err := os.WriteFile(filepath.Join(b.root, "again.json"), []byte(again), 0o600); err != nil {
			t.Fatal(err)
		}
		faults, err := b.rerun(nil)
		if got := strings.Join(faults, "\n"); err != nil || !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: faults %q, error %v, want %q", again, got, err, want)
		}
	}
}

func TestUnknownFieldIsAnError(t *testing.T) {
	if _, err := parseClaims([]byte("a:\n  sais: b\n")); err == nil {
		t.Error("a claim with an unknown field was read")
	}
}
