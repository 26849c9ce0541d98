package differ

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplitReadsWhatJoinWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }), 1, 5).Draw(t, "args")
		back, err := Split(Join(args))
		if err != nil || !slices.Equal(args, back) {
			t.Fatalf("%q became %q, %v", args, back, err)
		}
	})
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{`set k v`, []string{"set", "k", "v"}},
		{`  set   "a b"	'c d' `, []string{"set", "a b", "c d"}},
		{`"\x00\n\"" '\'\n'`, []string{"\x00\n\"", `'\n`}},
		{`"" ''`, []string{"", ""}},
		{`<ab*3> "<a*3>"`, []string{"ababab", "<a*3>"}},
	} {
		if got, err := Split(c.line); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Split(%q) = %q, %v", c.line, got, err)
		}
	}
	for _, line := range []string{`"a`, `'a`, `"a"b`, `"a\"`} {
		if got, err := Split(line); err == nil {
			t.Errorf("Split(%q) = %q, want an error", line, got)
		}
	}
}

func TestPrint(t *testing.T) {
	wire := "*4\r\n$3\r\na\x00 \r\n%1\r\n+k\r\n_\r\n$-1\r\n*0\r\n"
	c := &Conn{in: newTee(newReader(wire), &bytes.Buffer{})}
	r, err := c.read()
	if err != nil {
		t.Fatal(err)
	}
	want := "*4\n  $3 a\\x00\\x20\n  %1\n    +k\n    _\n  $-1\n  *0\n"
	if got := r.Print(); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
	if got := r.Shape(true); got != "*\n  $\n  %\n    +\n    _\n  $-1\n  *\n" {
		t.Errorf("shape\n%s", got)
	}
}

func newReader(text string) *bufio.Reader { return bufio.NewReader(strings.NewReader(text)) }
