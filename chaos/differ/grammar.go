package differ

import (
	"fmt"
	"strings"
)

// A form is a way to call a command, in a small grammar: words stand for
// themselves, $name for a drawn argument (see draws), $setting for an option and its value, (a|b) for one of several,
// ?x for x or nothing, x+ for one to four times x.
//
//	set $key $val ?(nx|xx) ?get ?(ex $sec|px $ms|keepttl)

// maker appends the arguments of one drawing of a form.
type maker func(d *draw, out []string) []string

// compile turns a form into its maker; a form that does not parse is a bug in
// the tables.
func compile(form string) maker {
	spaced := form
	for _, sign := range []string{"(", ")", "|", "?", "+"} {
		spaced = strings.ReplaceAll(spaced, sign, " "+sign+" ")
	}
	p := &formParser{words: strings.Fields(spaced), form: form}
	made := p.alternatives()
	if p.peek() != "" {
		panic(fmt.Sprintf("differ: form %q: unexpected %q", form, p.peek()))
	}
	return made
}

type formParser struct {
	words []string
	form  string
}

func (p *formParser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *formParser) next() string {
	word := p.peek()
	if word == "" {
		panic(fmt.Sprintf("differ: form %q ends early", p.form))
	}
	p.words = p.words[1:]
	return word
}

func (p *formParser) alternatives() maker {
	options := []maker{p.sequence()}
	for p.peek() == "|" {
		p.next()
		options = append(options, p.sequence())
	}
	if len(options) == 1 {
		return options[0]
	}
	return func(d *draw, out []string) []string { return options[d.IntN(len(options))](d, out) }
}

func (p *formParser) sequence() maker {
	var parts []maker
	for word := p.peek(); word != "" && word != "|" && word != ")"; word = p.peek() {
		parts = append(parts, p.item())
	}
	return func(d *draw, out []string) []string {
		for _, part := range parts {
			out = part(d, out)
		}
		return out
	}
}

func (p *formParser) item() maker {
	if p.peek() == "?" {
		p.next()
		inner := p.atom()
		return func(d *draw, out []string) []string {
			if d.IntN(2) == 0 {
				return out
			}
			return inner(d, out)
		}
	}
	inner := p.atom()
	if p.peek() != "+" {
		return inner
	}
	p.next()
	return func(d *draw, out []string) []string {
		for range 1 + d.IntN(4) {
			out = inner(d, out)
		}
		return out
	}
}

func (p *formParser) atom() maker {
	word := p.next()
	if word == "(" {
		inner := p.alternatives()
		if p.next() != ")" {
			panic(fmt.Sprintf("differ: form %q: unbalanced", p.form))
		}
		return inner
	}
	if word == "$setting" {
		return func(d *draw, out []string) []string { return append(out, d.setting()...) }
	}
	if name, ok := strings.CutPrefix(word, "$"); ok {
		value := draws[name]
		if value == nil {
			panic(fmt.Sprintf("differ: form %q: unknown $%s", p.form, name))
		}
		return func(d *draw, out []string) []string { return append(out, value(d)) }
	}
	return func(_ *draw, out []string) []string { return append(out, word) }
}
