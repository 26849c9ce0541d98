package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// entry is a key of a configuration file and its value.
type entry struct {
	key      string // as written; the parts of a dotted key joined by "."
	line     int    // from 1
	kind     unstable.Kind
	elements []unstable.Kind // of an array
	text     string          // the value as set takes it
	from, to int             // bytes of the value in the file
}

// lineError is an error at a line of a configuration file.
type lineError struct {
	line int
	what string
}

func (e *lineError) Error() string { return fmt.Sprintf("%d: %s", e.line, e.what) }

// parse lists the entries of a configuration file in order. Its errors are
// *lineError.
func parse(file []byte) ([]entry, error) {
	var entries []entry
	var p unstable.Parser
	p.Reset(file)
	for p.NextExpression() {
		node := p.Expression()
		if node.Kind != unstable.KeyValue {
			return nil, &lineError{lineOf(&p, node), "an option stands by itself, not in a [table]"}
		}
		e, err := entryOf(&p, node)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	if err := p.Error(); err != nil {
		return nil, syntax(&p, err)
	}
	return entries, nil
}

func syntax(p *unstable.Parser, err error) error {
	var at *unstable.ParserError
	if !errors.As(err, &at) {
		return &lineError{1, err.Error()}
	}
	return &lineError{p.Shape(p.Range(at.Highlight)).Start.Line, at.Message}
}

// lineOf is the line of a table's name: the parser keeps no place for the table.
func lineOf(p *unstable.Parser, table *unstable.Node) int {
	keys := table.Key()
	keys.Next()
	return p.Shape(keys.Node().Raw).Start.Line
}

func entryOf(p *unstable.Parser, node *unstable.Node) (entry, error) {
	e := entry{kind: node.Value().Kind, to: int(node.Raw.Offset + node.Raw.Length)}
	var parts []string
	end := 0
	for keys := node.Key(); keys.Next(); {
		key := keys.Node()
		parts = append(parts, string(key.Data))
		end = int(key.Raw.Offset + key.Raw.Length)
	}
	e.key = strings.Join(parts, ".")
	e.line = p.Shape(node.Raw).Start.Line
	e.from = end + bytes.IndexByte(p.Data()[end:], '=') + 1
	for p.Data()[e.from] == ' ' || p.Data()[e.from] == '\t' {
		e.from++
	}
	if e.kind == unstable.Array {
		e.elements = elementsOf(node.Value())
	}
	var ok bool
	if e.text, ok = textOf(node.Value()); !ok {
		return e, &lineError{e.line, e.key + ": not a value that an option can have"}
	}
	return e, nil
}

// elementsOf lists the kinds of an array's elements.
func elementsOf(array *unstable.Node) (kinds []unstable.Kind) {
	for children := array.Children(); children.Next(); {
		if kind := children.Node().Kind; kind != unstable.Comment {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// textOf gives a TOML value in the form that CONFIG SET takes.
func textOf(node *unstable.Node) (string, bool) {
	switch node.Kind {
	case unstable.String, unstable.Float:
		return string(node.Data), true
	case unstable.Integer:
		n, err := strconv.ParseInt(string(node.Data), 0, 64)
		return strconv.FormatInt(n, 10), err == nil
	case unstable.Bool:
		if string(node.Data) == "true" {
			return "yes", true
		}
		return "no", true
	case unstable.Array:
		return textOfArray(node)
	}
	return "", false
}

func textOfArray(node *unstable.Node) (string, bool) {
	var words []string
	for children := node.Children(); children.Next(); {
		if children.Node().Kind == unstable.Comment {
			continue
		}
		word, ok := textOf(children.Node())
		if !ok {
			return "", false
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), true
}

// shape is how the values of an option look in TOML.
type shape uint8

const (
	asString  shape = iota // only a string will do: digits and yes are text here
	asWord                 // written as a string
	asInteger              // written as an integer
	asBool                 // written as true or false
	asArray                // written as an array of strings
	asList                 // written as one string of words
)

// shapes tells for each shape what TOML types stand for it, besides a string,
// which ones an array may hold, besides strings, and how a refusal of another
// type reads.
var shapes = [...]struct {
	takes, holds []unstable.Kind
	wants        string
}{
	asString:  {nil, nil, "the value must stand in quotes"},
	asWord:    {[]unstable.Kind{unstable.Integer, unstable.Bool}, nil, "the value must be a string"},
	asInteger: {[]unstable.Kind{unstable.Integer}, nil, "the value must be an integer, or a string"},
	asBool:    {[]unstable.Kind{unstable.Bool}, nil, "the value must be true or false"},
	asArray:   {[]unstable.Kind{unstable.Array}, nil, "the value must be an array of strings, or a string"},
	asList: {
		[]unstable.Kind{unstable.Array, unstable.Integer, unstable.Float},
		[]unstable.Kind{unstable.Integer, unstable.Float}, "the value must be an array of strings or numbers, or a string",
	},
}

// misshapen tells why an entry is of the wrong type; empty if it is not.
func misshapen(o *Option, e entry) string {
	form := shapes[o.kind.shape()]
	if e.kind != unstable.String && !slices.Contains(form.takes, e.kind) {
		return form.wants
	}
	for _, kind := range e.elements {
		if kind != unstable.String && !slices.Contains(form.holds, kind) {
			return form.wants
		}
	}
	return ""
}

// tomlValue is the option's value as a Go value that encodes as its shape.
func (o *Option) tomlValue(v *Values) any {
	text := o.kind.get(v)
	switch o.kind.shape() {
	case asInteger:
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	case asBool:
		return text == "yes"
	case asArray:
		return strings.Fields(text)
	}
	return text
}

// tomlLine is the option's line in a configuration file, without its end.
func (o *Option) tomlLine(v *Values) string {
	line, err := toml.Marshal(map[string]any{o.Name: o.tomlValue(v)})
	if err != nil {
		panic("config: encode " + o.Name + ": " + err.Error())
	}
	return strings.TrimSuffix(string(line), "\n")
}
