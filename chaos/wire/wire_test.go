package wire

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elares/ironcache/engine/resp"
)

// A value is read once it is all there, and no sooner, whatever follows.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"+OK\r\n", "+OK"},
		{"+\r\n", "+"},
		{"-MOVED 1 a\r\n", "-MOVED 1 a"},
		{":-7\r\n", ":-7"},
		{"$3\r\na\r\n\r\n", "$a\r\n"},
		{"$0\r\n\r\n", "$"},
		{"$-1\r\n", "_"},
		{"*-1\r\n", "_"},
		{"_\r\n", "_"},
		{"#t\r\n", "#t"},
		{",-1.5e3\r\n", ",-1.5e3"},
		{",inf\r\n", ",inf"},
		{"(-3492890328409238509324850943850943825024385\r\n", "(-3492890328409238509324850943850943825024385"},
		{"=5\r\ntxt:a\r\n", "=txt:a"},
		{"!8\r\nERR a\r\nb\r\n", "!ERR a\r\nb"},
		{"*0\r\n", "*[]"},
		{"*2\r\n$1\r\na\r\n*1\r\n:1\r\n", "*[$a *[:1]]"},
		{"*3\r\n$-1\r\n*-1\r\n-ERR no\r\n", "*[_ _ -ERR no]"},
		{"~2\r\n+a\r\n+b\r\n", "~[+a +b]"},
		{">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n", ">[+invalidate *[$k]]"},
		{"%1\r\n+a\r\n#t\r\n", "%[+a #t]"},
		{"%1\r\n+a\r\n%1\r\n+b\r\n~0\r\n", "%[+a %[+b ~[]]]"},
		{"|1\r\n+ttl\r\n:3600\r\n:7\r\n", ":7"},
		{"*2\r\n|1\r\n+ttl\r\n:3600\r\n:7\r\n:8\r\n", "*[:7 :8]"},
		{strings.Repeat("*1\r\n", MostDeep) + ":1\r\n", strings.Repeat("*[", MostDeep) + ":1" + strings.Repeat("]", MostDeep)},
	} {
		v, size, err := Read([]byte(c.text + "+more"))
		if err != nil || size != len(c.text) || v.String() != c.want {
			t.Errorf("%q: %v of %d bytes, %v, want %s", c.text, v, size, err, c.want)
		}
		for cut := range c.text {
			if v, size, err := Read([]byte(c.text[:cut])); size != 0 || err != nil || v.Kind != 0 {
				t.Errorf("%q: %v of %d bytes, %v", c.text[:cut], v, size, err)
			}
		}
	}
}

// What cannot become a value is told as soon as that shows.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\r\n", "first byte"},
		{"?1", "first byte"},
		{"get k\r\n", "first byte"},
		{"*1\r\n?", "first byte"},
		{":x\r\n", "does not fit its kind"},
		{":9223372036854775808\r\n", "does not fit its kind"},
		{"#y\r\n", "does not fit its kind"},
		{",one\r\n", "does not fit its kind"},
		{"(1.5\r\n", "does not fit its kind"},
		{"_x\r\n", "does not fit its kind"},
		{"$x\r\n", "length is no number"},
		{"$\r\n", "length is no number"},
		{"$-2\r\n", "length is no number"},
		{"$+1\r\n", "length is no number"},
		{"*01\r\n", "length is no number"},
		{"%-1\r\n", "length is no number"},
		{"=-1\r\n", "length is no number"},
		{"$?\r\n", "length is no number"},
		{"$99999999999999999999\r\n", "length is no number"},
		{"$1\r\nabc", "does not end where it says"},
		{fmt.Sprintf("$%d\r\n", MostText+1), "more than 536870912 bytes"},
		{fmt.Sprintf("*%d\r\n", MostElements+1), "of 1048577 elements"},
		{"$9223372036854775807\r\nx", "more than 536870912 bytes"},
		{"+" + strings.Repeat("x", MostLine), "its line has more"},
		{strings.Repeat("*1\r\n", MostDeep+1), "within 32 others"},
		{strings.Repeat("|0\r\n", MostDeep+1), "within 32 others"},
	} {
		v, size, err := Read([]byte(c.text))
		if size != 0 || err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("%.40q: %v of %d bytes, %v, want %q", c.text, v, size, err, c.want)
		}
	}
}

func TestReadAll(t *testing.T) {
	for _, c := range []struct {
		text, want, rest string
		fails            bool
	}{
		{"", "[]", "", false},
		{"+OK\r\n:1\r\n$3\r\nab", "[+OK :1]", "$3\r\nab", false},
		{"+OK\r\n", "[+OK]", "", false},
		{"+OK\r\n?\r\n", "[+OK]", "?\r\n", true},
	} {
		list, rest, err := ReadAll([]byte(c.text))
		if fmt.Sprint(list) != c.want || string(rest) != c.rest || (err != nil) != c.fails {
			t.Errorf("%q: %v, %q, %v", c.text, list, rest, err)
		}
	}
}

func TestWhatValuesAre(t *testing.T) {
	for _, c := range []struct {
		text             string
		null, failed, ok bool
	}{
		{"+OK\r\n", false, false, true},
		{"$2\r\nOK\r\n", false, false, false},
		{"$-1\r\n", true, false, false},
		{"_\r\n", true, false, false},
		{"-ERR no\r\n", false, true, false},
		{"!3\r\nERR\r\n", false, true, false},
	} {
		if v, _, err := Read([]byte(c.text)); err != nil || v.Null() != c.null || v.Failed() != c.failed || v.OK() != c.ok {
			t.Errorf("%q: %+v, %v", c.text, v, err)
		}
	}
}

// A request is an array of strings, whatever its words are.
func TestRequest(t *testing.T) {
	if got := string(Request("set", "k", "")); got != "*3\r\n$3\r\nset\r\n$1\r\nk\r\n$0\r\n\r\n" {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.String()).Draw(t, "words")
		v, size, err := Read(Request(words...))
		if err != nil || size == 0 || v.Kind != '*' || len(v.List) != len(words) {
			t.Fatalf("%q: %v, %v", words, v, err)
		}
		for i, word := range words {
			if v.List[i].Kind != '$' || v.List[i].Text != word {
				t.Fatalf("word %d of %q: %v", i, words, v.List[i])
			}
		}
	})
}

// Everything that a node's reply writer can write is read, in both protocols.
func TestRepliesOfANode(t *testing.T) {
	for protocol, want := range map[int]string{
		2: "[+OK +QUEUED +a -ERR no :-3 $b $7 _ _ *[:1 :2] *[$k :0] *[:1] *[+push] $1.5 $0.5 $12 $c]",
		3: "[+OK +QUEUED +a -ERR no :-3 $b $7 _ _ *[:1 :2] %[$k #f] ~[#t] >[+push] ,1.5 ,0.5 (12 =txt:c :5]",
	} {
		w := &resp.Writer{Proto: uint8(protocol)}
		w.OK()
		w.Queued()
		w.Simple("a")
		w.Error("ERR no")
		w.Int(-3)
		w.BulkString("b")
		w.BulkInt(7)
		w.Null()
		w.NullArray()
		w.Array(2)
		w.Int(1)
		w.Int(2)
		w.Map(1)
		w.BulkString("k")
		w.Bool(false)
		w.Set(1)
		w.Bool(true)
		w.Push(1)
		w.Simple("push")
		w.Double(1.5)
		w.Double(0.5)
		w.BigNumber("12")
		w.Verbatim("txt", "c")
		if protocol == 3 {
			w.Attribute(1)
			w.Simple("key")
			w.Simple("value")
			w.Int(5)
		}
		list, rest, err := ReadAll(w.Bytes())
		if err != nil || len(rest) > 0 || fmt.Sprint(list) != want {
			t.Errorf("RESP%d: %v, %q, %v\nwant %s", protocol, list, rest, err, want)
		}
	}
}

// FuzzRead looks for text that is read in two ways: at once, and as it grows.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"+OK\r\n", "*2\r\n$1\r\na\r\n:1\r\n", "%1\r\n+a\r\n_\r\n", "|1\r\n+a\r\n+b\r\n$-1\r\n", "$3\r\nabcd"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, size, err := Read(text)
		switch {
		case size < 0 || size > len(text) || size > 0 && err != nil:
			t.Fatalf("%q: %d bytes, %v", text, size, err)
		case size > 0:
			again, same, err := Read(bytes.Clone(text[:size]))
			if err != nil || same != size || again.String() != v.String() {
				t.Fatalf("%q: %v of %d bytes, and without what follows %v of %d, %v", text, v, size, again, same, err)
			}
		}
		for cut := range min(len(text), 200) {
			_, part, fails := Read(text[:cut])
			if cut < size && (part != 0 || fails != nil) || fails != nil && err == nil {
				t.Fatalf("%q: %d bytes of %d, %v", text[:cut], part, size, fails)
			}
		}
	})
}
