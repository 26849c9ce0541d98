package fault

import (
	"reflect"
	"testing"
)

// A reply is read once it is all there, and no sooner.
func TestReadAnswer(t *testing.T) {
	for _, c := range []struct {
		text string
		want answer
	}{
		{"+OK\r\n", answer{kind: '+', text: "OK"}},
		{"-ERR no\r\n", answer{kind: '-', text: "ERR no"}},
		{":12\r\n", answer{kind: ':', text: "12"}},
		{"$3\r\na\r\n\r\n", answer{kind: '$', text: "a\r\n"}},
		{"$-1\r\n", answer{kind: '$', text: "-1", null: true}},
		{"*-1\r\n", answer{kind: '*', text: "-1", null: true}},
		{"*0\r\n", answer{kind: '*', text: "0"}},
		{"*2\r\n$1\r\nv\r\n:-1\r\n", answer{kind: '*', text: "2", list: []answer{{kind: '$', text: "v"}, {kind: ':', text: "-1"}}}},
	} {
		got, size := readAnswer(c.text + "+more")
		if size != len(c.text) || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v of %d bytes", c.text, got, size)
		}
		for cut := range c.text {
			if _, size := readAnswer(c.text[:cut]); size != 0 {
				t.Errorf("%q is a reply of %d bytes", c.text[:cut], size)
			}
		}
	}
	if !(answer{kind: '+', text: "OK"}).ok() || (answer{kind: '$', text: "OK"}).ok() {
		t.Error("what OK is")
	}
}
