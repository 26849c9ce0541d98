package linearize

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/elares/ironcache/linearize/strict"
)

// A history is written as lines of JSON. The first is the header; each further
// line is an operation, or a mark, which has the field "mark":
//
//	{"format":"key-value-history","version":1}
//	{"client":3,"key":"k","kind":"set","value":"a","call":100,"return":250,"outcome":"value","reply":"OK"}
//	{"client":4,"key":"k","kind":"get","call":120,"outcome":"unknown"}
//	{"mark":"wipe","node":"n1","from":300,"to":400}
//
// Further fields of operations are "if", "old", "delta", "life", "at", "keep", "line"
// and "place", of marks "text", "by" and "keys"; what is zero is left out. Texts that are not UTF-8 are
// written as {"base64":"..."}.
const (
	format  = "key-value-history"
	version = 1
)

// maxLine bounds a line, in bytes.
const maxLine = 64 << 20

type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

type operationLine struct {
	Client  int    `json:"client"`
	Key     *text  `json:"key"`
	Kind    Kind   `json:"kind"`
	Value   text   `json:"value,omitempty"`
	If      string `json:"if,omitempty"`
	Old     text   `json:"old,omitempty"`
	Delta   int64  `json:"delta,omitempty"`
	Life    int64  `json:"life,omitempty"`
	At      int64  `json:"at,omitempty"`
	Keep    bool   `json:"keep,omitempty"`
	Line    int    `json:"line,omitempty"`
	Place   int    `json:"place,omitempty"`
	Call    *int64 `json:"call"`
	Return  *int64 `json:"return,omitempty"`
	Outcome Result `json:"outcome"`
	Reply   text   `json:"reply,omitempty"`
}

type markLine struct {
	Kind MarkKind `json:"mark"`
	Node text     `json:"node,omitempty"`
	Text text     `json:"text,omitempty"`
	By   int64    `json:"by,omitempty"`
	Keys []text   `json:"keys,omitempty"`
	From *int64   `json:"from"`
	To   *int64   `json:"to"`
}

// A text is a string of any bytes.
type text string

type encoded struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string, or base64 if it could not be read back.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return marshal(string(t))
	}
	return marshal(encoded{[]byte(t)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *text) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var e encoded
		if err := strict.Unmarshal(data, &e); err != nil {
			return err
		}
		*t = text(e.Base64)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// A Writer writes a history, one Write a line.
type Writer struct{ out io.Writer }

// NewWriter writes the header.
func NewWriter(out io.Writer) (*Writer, error) {
	w := &Writer{out}
	return w, w.line(header{format, version})
}

// Operation writes an operation. One that contradicts itself is an error.
func (w *Writer) Operation(op *Operation) error {
	if err := op.Validate(); err != nil {
		return fmt.Errorf("linearize: write an operation: %w", err)
	}
	key := text(op.Key)
	line := operationLine{
		Client: op.Client, Key: &key, Kind: op.Kind, Value: text(op.Value), If: op.If, Old: text(op.Old),
		Delta: op.Delta, Life: op.Life, At: op.At, Keep: op.Keep, Line: op.Line, Place: op.Place, Call: &op.Call, Return: &op.Return,
		Outcome: op.Outcome.Result, Reply: text(op.Outcome.Text),
	}
	if op.lost() {
		line.Return = nil
	}
	return w.line(line)
}

// Mark writes a mark. One that contradicts itself is an error.
func (w *Writer) Mark(m *Mark) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("linearize: write a mark: %w", err)
	}
	line := markLine{Kind: m.Kind, Node: text(m.Node), Text: text(m.Text), By: m.By, From: &m.From, To: &m.To}
	for _, key := range m.Keys {
		line.Keys = append(line.Keys, text(key))
	}
	return w.line(line)
}

func (w *Writer) line(v any) error {
	data, err := marshal(v)
	if err != nil {
		return fmt.Errorf("linearize: encode a line: %w", err)
	}
	_, err = w.out.Write(append(data, '\n'))
	return err
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Encode writes a whole history.
func Encode(out io.Writer, h *History) error {
	w, err := NewWriter(out)
	for i := 0; err == nil && i < len(h.Operations); i++ {
		err = w.Operation(&h.Operations[i])
	}
	for i := 0; err == nil && i < len(h.Marks); i++ {
		err = w.Mark(&h.Marks[i])
	}
	return err
}

// A Reader reads a history line by line.
type Reader struct {
	lines  *bufio.Scanner
	number int // of the line read last, from 1
}

// NewReader reads the header and refuses any other format or version.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{lines: bufio.NewScanner(in)}
	r.lines.Buffer(nil, maxLine)
	line, err := r.line()
	if err == io.EOF {
		return nil, errors.New("linearize: read a history: it is empty")
	}
	var h header
	if err == nil {
		err = r.wrap(strict.Unmarshal(line, &h))
	}
	if err == nil && h != (header{format, version}) {
		err = r.wrap(fmt.Errorf("this is %q version %d, not %q version %d", h.Format, h.Version, format, version))
	}
	return r, err
}

// Next reads one operation or one mark; the other is nil. The end is io.EOF.
// Errors of input name the line.
func (r *Reader) Next() (*Operation, *Mark, error) {
	line, err := r.line()
	if err != nil {
		return nil, nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, nil, r.wrap(err)
	}
	if _, is := fields["mark"]; is {
		mark, err := readMark(line)
		return nil, mark, r.wrap(err)
	}
	op, err := readOperation(line)
	return op, nil, r.wrap(err)
}

// line reads the next line.
func (r *Reader) line() ([]byte, error) {
	more := r.lines.Scan()
	r.number++
	switch {
	case more && !utf8.Valid(r.lines.Bytes()):
		return nil, r.wrap(errors.New("not UTF-8"))
	case more:
		return r.lines.Bytes(), nil
	case r.lines.Err() != nil:
		return nil, r.wrap(r.lines.Err())
	}
	return nil, io.EOF
}

func (r *Reader) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("linearize: history, line %d: %w", r.number, err)
}

func readOperation(data []byte) (*Operation, error) {
	var line operationLine
	if err := strict.Unmarshal(data, &line); err != nil {
		return nil, err
	}
	if line.Key == nil || line.Call == nil {
		return nil, errors.New("an operation without a key or a call time")
	}
	op := &Operation{
		Client: line.Client, Key: string(*line.Key), Kind: line.Kind, Value: string(line.Value), If: line.If, Old: string(line.Old),
		Delta: line.Delta, Life: line.Life, At: line.At, Keep: line.Keep, Line: line.Line, Place: line.Place, Call: *line.Call, Return: Infinite,
		Outcome: Outcome{line.Outcome, string(line.Reply)},
	}
	if line.Return != nil {
		op.Return = *line.Return
	}
	return op, op.Validate()
}

func readMark(data []byte) (*Mark, error) {
	var line markLine
	if err := strict.Unmarshal(data, &line); err != nil {
		return nil, err
	}
	if line.From == nil || line.To == nil {
		return nil, errors.New("a mark without times")
	}
	mark := &Mark{Kind: line.Kind, Node: string(line.Node), Text: string(line.Text), By: line.By, From: *line.From, To: *line.To}
	for _, key := range line.Keys {
		mark.Keys = append(mark.Keys, string(key))
	}
	return mark, mark.Validate()
}

// Decode reads a whole history.
func Decode(in io.Reader) (*History, error) {
	r, err := NewReader(in)
	if err != nil {
		return nil, err
	}
	h := &History{}
	for {
		op, mark, err := r.Next()
		switch {
		case err == io.EOF:
			return h, nil
		case err != nil:
			return nil, err
		case op != nil:
			h.Operations = append(h.Operations, *op)
		default:
			h.Marks = append(h.Marks, *mark)
		}
	}
}
