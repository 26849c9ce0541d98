package differ

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Reply is one reply as it came over the wire, in either protocol.
type Reply struct {
	Kind  byte    // the type byte: + - : $ * _ # , ( ! = % ~ > ; 0 for no reply
	Null  bool    // $-1 or *-1
	Text  string  // the payload of a kind without elements
	Items []Reply // the elements; a map holds key, value, key, value ...
	Attrs []Reply // the attribute that came before the reply, as a map's elements
}

// longText is the payload length above which a printed payload is shortened to
// its ends and a checksum.
const longText = 2000

// Print gives the reply in the form of the scripts: a line an element, the
// elements of an aggregate indented by two spaces.
func (r Reply) Print() string {
	var out strings.Builder
	r.print(&out, "")
	return out.String()
}

func (r Reply) print(out *strings.Builder, indent string) {
	if len(r.Attrs) > 0 {
		Reply{Kind: '|', Items: r.Attrs}.print(out, indent)
	}
	out.WriteString(indent)
	out.WriteString(r.line())
	out.WriteByte('\n')
	for _, item := range r.Items {
		item.print(out, indent+"  ")
	}
}

// line is the reply without its elements.
func (r Reply) line() string {
	switch {
	case r.Null:
		return string(r.Kind) + "-1"
	case r.Kind == '%' || r.Kind == '|':
		return string(r.Kind) + strconv.Itoa(len(r.Items)/2)
	case r.isAggregate():
		return string(r.Kind) + strconv.Itoa(len(r.Items))
	case r.Kind == '$' || r.Kind == '=' || r.Kind == '!':
		return strings.TrimSuffix(fmt.Sprintf("%c%d %s", r.Kind, len(r.Text), shorten(r.Text)), " ")
	}
	return string(r.Kind) + escape(r.Text)
}

func (r Reply) isAggregate() bool {
	return strings.IndexByte("*%~>|", r.Kind) >= 0
}

// IsError says whether the reply is an error, simple or bulk.
func (r Reply) IsError() bool { return r.Kind == '-' || r.Kind == '!' }

func shorten(text string) string {
	if len(text) <= longText {
		return escape(text)
	}
	sum := fnv.New64a()
	sum.Write([]byte(text))
	return fmt.Sprintf("%s...%s fnv=%016x", escape(text[:32]), escape(text[len(text)-32:]), sum.Sum64())
}

const hexDigits = "0123456789abcdef"

// escape spells bytes that do not print as \xNN, \r, \n or \t, and the
// backslash as \\. A blank at the end becomes \x20 so that no editor strips it.
func escape(text string) string {
	if !needsEscape(text) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ' ' && i == len(text)-1 {
			out.WriteString(`\x20`)
			continue
		}
		escapeByte(&out, c)
	}
	return out.String()
}

func needsEscape(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c > '~' || c == '\\' {
			return true
		}
	}
	return strings.HasSuffix(text, " ")
}

func escapeByte(out *strings.Builder, c byte) {
	switch {
	case c == '\r':
		out.WriteString(`\r`)
	case c == '\n':
		out.WriteString(`\n`)
	case c == '\t':
		out.WriteString(`\t`)
	case c == '\\':
		out.WriteString(`\\`)
	case c < ' ' || c > '~':
		out.WriteString(`\x`)
		out.WriteByte(hexDigits[c>>4])
		out.WriteByte(hexDigits[c&15])
	default:
		out.WriteByte(c)
	}
}

// Sorted is the reply with the elements of its outermost aggregate in the order
// of their printed form; step is how many elements stay together (2 for the
// pairs of a map), deep sorts the aggregates inside first.
func (r Reply) Sorted(step int, deep bool) Reply {
	items := slices.Clone(r.Items)
	if deep {
		for i := range items {
			items[i] = items[i].Sorted(1, true)
		}
	}
	if r.Kind == '%' || len(items)%step != 0 {
		step = 2
	}
	groups := slices.Collect(slices.Chunk(items, step))
	slices.SortStableFunc(groups, func(a, b []Reply) int { return strings.Compare(a[0].Print(), b[0].Print()) })
	r.Items = slices.Concat(groups...)
	return r
}

// Shape is the reply with every payload left out. Errors keep their code. With
// loose, aggregates lose their length and equal neighbours in them are merged.
func (r Reply) Shape(loose bool) string {
	var out strings.Builder
	r.shape(&out, "", loose)
	return out.String()
}

func (r Reply) shape(out *strings.Builder, indent string, loose bool) {
	out.WriteString(indent + r.shapeLine(loose) + "\n")
	last := ""
	for _, item := range r.Items {
		var sub strings.Builder
		item.shape(&sub, indent+"  ", loose)
		if loose && sub.String() == last {
			continue
		}
		last = sub.String()
		out.WriteString(last)
	}
}

func (r Reply) shapeLine(loose bool) string {
	switch {
	case r.Null:
		return r.line()
	case r.IsError():
		code, _, _ := strings.Cut(r.Text, " ")
		return string(r.Kind) + code
	case r.isAggregate() && !loose:
		return r.line()
	}
	return string(r.Kind)
}
