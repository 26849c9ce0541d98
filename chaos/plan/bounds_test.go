package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
)

// fieldsOf gives the fields of a type as files name them, those of a struct in it behind
// its name.
func fieldsOf(of reflect.Type) map[string]reflect.Kind {
	fields := map[string]reflect.Kind{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			name = field.Name
		}
		if name == "-" || field.Anonymous {
			continue
		}
		fields[name] = field.Type.Kind()
		if field.Type.Kind() == reflect.Struct {
			for inner, kind := range fieldsOf(field.Type) {
				fields[name+"."+inner] = kind
			}
		}
	}
	return fields
}

// with is a good plan with a number in a field of it.
func with(t *testing.T, field string, value int64) string {
	t.Helper()
	whole := map[string]any{}
	if err := json.Unmarshal([]byte(good), &whole); err != nil {
		t.Fatal(err)
	}
	whole["network"] = map[string]any{"MinDelay": 1000, "MaxDelay": 2000}
	into, name := whole, field
	if outer, inner, nested := strings.Cut(field, "."); nested {
		into, name = whole[outer].(map[string]any), inner
	}
	into[name] = value
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every number of a plan but seed and salt has bounds. One beyond them is told with its
// field, what it is, and what it may be.
func TestEveryNumberIsBounded(t *testing.T) {
	p, err := Read(strings.NewReader(with(t, "version", 1)))
	if err != nil {
		t.Fatal(err)
	}
	bounded := map[string]bool{}
	for _, b := range p.bounds() {
		bounded[b.field] = true
		for _, value := range []int64{b.least - 1, b.most + 1} {
			want := fmt.Sprintf("plan: line 1: %d %s: it must be %d to %d", value, b.field, b.least, b.most)
			if _, err := Read(strings.NewReader(with(t, b.field, value))); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	for field, kind := range fieldsOf(reflect.TypeFor[Plan]()) {
		if number := kind == reflect.Int || kind == reflect.Int64; number != bounded[field] {
			t.Errorf("%s is such a number: %v, and has bounds: %v", field, number, bounded[field])
		}
	}
}

// The document names every field of a plan, and says what each number may be.
func TestDocumentOfPlans(t *testing.T) {
	text, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Plans\n")
	section, _, _ = strings.Cut(section, "\n## ")
	row := func(field string) string {
		for line := range strings.Lines(section) {
			if cells := strings.Split(line, "|"); len(cells) > 2 && strings.Contains(cells[1], "`"+field+"`") {
				return cells[2]
			}
		}
		t.Errorf("the document does not name the field %s", field)
		return ""
	}
	for _, of := range []reflect.Type{reflect.TypeFor[head](), reflect.TypeFor[Plan](), reflect.TypeFor[fault.Event]()} {
		for field := range fieldsOf(of) {
			row(field)
		}
	}
	says := map[string]string{"heal": "0 to end", "network.MaxDelay": "MinDelay to 60000000000"}
	for _, b := range (&Plan{}).bounds() {
		want := fmt.Sprintf("%d to %d", b.least, b.most)
		if said, special := says[b.field]; special {
			want = said
		} else if b.most == 0 {
			want = "0"
		}
		if got := strings.Trim(row(b.field), " `"); got != want {
			t.Errorf("%s: the document says %s, it is %s", b.field, got, want)
		}
	}
	_, amounts, _ := strings.Cut(section, "\nAn amount is ")
	amounts, _, _ = strings.Cut(amounts, "\n\n")
	for _, f := range fault.Table {
		if f.Most != 0 && !(strings.Contains(amounts, "`"+f.Name+"`") && strings.Contains(amounts, fmt.Sprint(f.Most))) {
			t.Errorf("the document does not say what the amount of %s may be", f.Name)
		}
	}
}
