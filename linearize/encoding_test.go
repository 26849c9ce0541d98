package linearize

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestEncodingIsStable has every field. The lines are a format: others read them.
func TestEncodingIsStable(t *testing.T) {
	h := &History{
		Operations: []Operation{
			{Client: 3, Key: "k", Kind: Set, Value: "a<b>", If: "eq", Old: "o", Life: 7, Call: 100, Return: 250, Outcome: Replied("OK")},
			{Key: "\xff", Kind: Set, Value: "\x00é", Keep: true, Call: 0, Return: 0, Outcome: replyNull},
			{Client: 4, Key: "j", Kind: Set, Value: "b", If: "ne", Old: "c", At: 7, Line: 2, Place: 1, Call: 120, Return: 130, Outcome: replyOK},
			{Client: 4, Key: "", Kind: IncrBy, Delta: -2, Call: 120, Return: Infinite, Outcome: Outcome{Result: Lost}},
			{Client: 5, Key: "k", Kind: Get, Call: 1, Return: 2, Outcome: Outcome{Refused, "MOVED 1 x"}},
		},
		Marks: []Mark{{Kind: Wipe, Node: "n1", Text: "restart", Keys: []string{"k", ""}, From: 300, To: 400}, {Kind: ClockJump, By: -5}},
	}
	want := `{"format":"key-value-history","version":1}
{"client":3,"key":"k","kind":"set","value":"a<b>","if":"eq","old":"o","life":7,"call":100,"return":250,"outcome":"value","reply":"OK"}
{"client":0,"key":{"base64":"/w=="},"kind":"set","value":"\u0000é","keep":true,"call":0,"return":0,"outcome":"nothing"}
{"client":4,"key":"j","kind":"set","value":"b","if":"ne","old":"c","at":7,"line":2,"place":1,"call":120,"return":130,"outcome":"value","reply":"OK"}
{"client":4,"key":"","kind":"incrby","delta":-2,"call":120,"outcome":"unknown"}
{"client":5,"key":"k","kind":"get","call":1,"return":2,"outcome":"error","reply":"MOVED 1 x"}
{"mark":"wipe","node":"n1","text":"restart","keys":["k",""],"from":300,"to":400}
{"mark":"clock-jump","by":-5,"from":0,"to":0}
`
	var out bytes.Buffer
	if err := Encode(&out, h); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	back, err := Decode(strings.NewReader(want))
	if err != nil || !reflect.DeepEqual(back, h) {
		t.Errorf("%v, %+v", err, back)
	}
}

func TestBadInputNamesItsLine(t *testing.T) {
	const head = `{"format":"key-value-history","version":1}` + "\n"
	const op = `{"client":3,"key":"k","kind":"get","call":1,"return":2,"outcome":"nothing"}` + "\n"
	for name, row := range map[string]struct{ input, want string }{
		"no header":           {"", "empty"},
		"operation as header": {op, "line 1"},
		"another format":      {`{"format":"x","version":1}`, `line 1: this is "x" version 1`},
		"another version":     {`{"format":"key-value-history","version":2}`, "version 2"},
		"text after header":   {`{"format":"key-value-history","version":1} 1`, "line 1"},
		"empty line":          {head + op + "\n", "line 3"},
		"cut line":            {head + op + op[:20], "line 3"},
		"unknown field":       {head + `{"colour":1}`, "line 2"},
		"no key":              {head + strings.Replace(op, `"key":"k",`, "", 1), "line 2: an operation without a key"},
		"no call":             {head + strings.Replace(op, `"call":1,`, "", 1), "line 2: an operation without a key or a call"},
		"no return":           {head + strings.Replace(op, `"return":2,`, "", 1), "line 2: interval"},
		"return in fractions": {head + strings.Replace(op, `2,`, "2.5,", 1), "line 2"},
		"return before call":  {head + strings.Replace(op, `2,`, "0,", 1), "line 2: interval"},
		"kind of number":      {head + strings.Replace(op, `"get"`, "7", 1), "line 2"},
		"not UTF-8":           {head + op + strings.Replace(op, `"k"`, "\"\xff\"", 1), "line 3: not UTF-8"},
		"not base64":          {head + strings.Replace(op, `"k"`, `{"base64":"%"}`, 1), "line 2"},
		"other object":        {head + strings.Replace(op, `"k"`, `{"hex":"00"}`, 1), "line 2"},
		"two values":          {head + strings.Replace(op, "\n", op, 1), "line 2"},
		"mark without times":  {head + `{"mark":"wipe","from":1}`, "line 2: a mark without times"},
		"mark backwards":      {head + `{"mark":"wipe","from":1,"to":0}`, "line 2: interval"},
		"mark without kind":   {head + `{"mark":"","from":1,"to":1}`, "line 2: a mark without a kind"},
		"mark and operation":  {head + `{"mark":"wipe","from":1,"to":1,"kind":"get"}`, "line 2"},
		"an array":            {head + `[]`, "line 2"},
	} {
		h, err := Decode(strings.NewReader(row.input))
		if err == nil || !strings.Contains(err.Error(), row.want) || h != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReaderPassesErrorsOn(t *testing.T) {
	failing := io.MultiReader(strings.NewReader(`{"format":"key-value-history","version":1}`+"\n"), brokenReader{})
	if _, err := Decode(failing); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
	if _, err := NewReader(brokenReader{}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errFull }

func TestWriterRefusesWhatItCouldNotRead(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	length := out.Len()
	if w.Operation(&Operation{}) == nil || w.Mark(&Mark{}) == nil || out.Len() != length {
		t.Errorf("wrote %s", out.String()[length:])
	}
	if err := Encode(full{}, &History{}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// TestEncodingRoundTrip draws histories with any texts.
func TestEncodingRoundTrip(t *testing.T) {
	anyText := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "bytes")) })
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(slices.Collect(mixesInOrder)).Draw(t, "mix")
		h := m.execute(t, m.drawOptions(t))
		for i := range h.Operations {
			op := &h.Operations[i]
			op.Key = anyText.Draw(t, "key")
			if op.Kind != Batch { // whose values are commands
				op.Value = anyText.Draw(t, "value")
			}
			if op.Outcome.Result == Value {
				op.Outcome.Text = anyText.Draw(t, "reply")
			}
		}
		var out bytes.Buffer
		if err := Encode(&out, h); err != nil {
			t.Fatal(err)
		}
		back, err := Decode(&out)
		if err != nil || !reflect.DeepEqual(back, h) {
			t.Fatalf("%v\n%s\nread back as\n%s", err, show(h), show(back))
		}
	})
}

// FuzzDecode reads anything: an error, or a history that is written and read
// back the same and that Check takes.
func FuzzDecode(f *testing.F) {
	for _, script := range []string{pictured, registerRulings[0].history, expiryRulings[0].history, counterRulings[0].history} {
		var out bytes.Buffer
		if err := Encode(&out, parse(f, script)); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		h, err := Decode(bytes.NewReader(input))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Encode(&out, h); err != nil {
			t.Fatal(err)
		}
		back, err := Decode(&out)
		if err != nil || !reflect.DeepEqual(back, h) {
			t.Fatalf("%v: %+v, then %+v", err, h, back)
		}
		report := check(t, h, Options{Wipes: true, LostWrites: true, Limits: Limits{Operations: 20, Unknowns: 3, Steps: 2000}})
		for _, v := range report.Keys {
			if (v.Class == OK) != (v.Reason == "") {
				t.Errorf("%s: %q", v.Class, v.Reason)
			}
		}
	})
}
