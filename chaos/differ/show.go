package differ

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// newTee reads one byte at a time from in and copies what it reads to seen, so
// that nothing is read ahead.
func newTee(in *bufio.Reader, seen io.Writer) *bufio.Reader {
	return bufio.NewReaderSize(io.TeeReader(&stepper{in}, seen), 16)
}

// stepper gives one byte a call.
type stepper struct{ in *bufio.Reader }

func (s *stepper) Read(p []byte) (int, error) {
	b, err := s.in.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// show prints a reply as the options of the block want it.
func (b *block) show(r Reply) string {
	switch {
	case b.shape == "kind":
		return r.shapeLine(true) + "\n"
	case b.shape != "":
		return r.Shape(b.shape == "loose")
	case b.lines != nil:
		return presence(fields(r), b.lines)
	case b.values != nil:
		return chosen(fields(r), b.values)
	}
	if b.cut > 0 {
		r = r.mapItems(func(item Reply) Reply { return item.cut(b.cut) })
	}
	if b.sort != "" {
		r = r.Sorted(sortStep[b.sort], b.sort == "deep")
	}
	if b.round > 0 {
		r = r.rounded(b.round)
	}
	if b.mask {
		r = r.masked()
	}
	return r.Print()
}

// sortStep is how many neighbours stay together, by kind of sort.
var sortStep = map[string]int{"plain": 1, "deep": 1, "pairs": 2}

// fields reads named values out of a reply: of an aggregate its pairs, of a text
// its name:value lines or its name=value words.
func fields(r Reply) map[string]string {
	found := map[string]string{}
	if r.isAggregate() {
		for i := 0; i+1 < len(r.Items); i += 2 {
			found[r.Items[i].Text] = strings.TrimSuffix(r.Items[i+1].Print(), "\n")
		}
		return found
	}
	parts := strings.Split(r.Text, "\r\n")
	if len(parts) == 1 {
		parts = strings.Fields(r.Text)
	}
	for _, part := range parts {
		if at := strings.IndexAny(part, ":="); at > 0 {
			found[part[:at]] = part[at+1:]
		}
	}
	return found
}

func presence(found map[string]string, names []string) string {
	var out strings.Builder
	for _, name := range names {
		word := "missing"
		if _, ok := found[name]; ok {
			word = "present"
		}
		fmt.Fprintf(&out, "%s: %s\n", name, word)
	}
	return out.String()
}

func chosen(found map[string]string, names []string) string {
	var out strings.Builder
	for _, name := range names {
		value, ok := found[name]
		if !ok {
			value = "(missing)"
		}
		fmt.Fprintf(&out, "%s: %s\n", name, escape(value))
	}
	return out.String()
}

// rounded is the reply with its integers rounded to multiples of n.
func (r Reply) rounded(n int64) Reply {
	if v, err := strconv.ParseInt(r.Text, 10, 64); err == nil && r.Kind == ':' && v > 0 {
		r.Text = strconv.FormatInt((v+n/2)/n*n, 10)
	}
	return r.mapItems(func(item Reply) Reply { return item.rounded(n) })
}

// masks replace what no two servers share.
var masks = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`\b\d{10}\.\d{6}\b`), "<time>"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "<addr>"},
	{regexp.MustCompile(`\bid=\d+`), "id=<id>"},
}

// masked is the reply with times, addresses and ids replaced.
func (r Reply) masked() Reply {
	for _, m := range masks {
		r.Text = m.pattern.ReplaceAllString(r.Text, m.by)
	}
	return r.mapItems(Reply.masked)
}

func (r Reply) mapItems(fn func(Reply) Reply) Reply {
	items := make([]Reply, len(r.Items))
	for i, item := range r.Items {
		items[i] = fn(item)
	}
	r.Items = items
	return r
}
