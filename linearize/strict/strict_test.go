package strict

import (
	"strings"
	"testing"
)

func TestUnmarshal(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a":1}`, ""},
		{" {\"a\":1}\n ", ""},
		{`{"a":1,"b":2}`, `unknown field "b"`},
		{`{"a":1} {}`, "something follows"},
		{`{"a":1}}`, "something follows"},
		{`{"a":1}]`, "something follows"},
		{`{"a":"x"}`, "cannot unmarshal"},
		{`{"a":`, "unexpected EOF"},
		{``, "EOF"},
	} {
		var into struct {
			A int `json:"a"`
		}
		err := Unmarshal([]byte(c.text), &into)
		if c.want == "" && (err != nil || into.A != 1) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
