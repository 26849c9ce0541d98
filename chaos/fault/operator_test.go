package fault

import "testing"

func TestReplyOf(t *testing.T) {
	for _, c := range []struct {
		text, reply string
		whole       bool
	}{
		{"", "", false},
		{"+O", "+O", false},
		{"+OK\r\n", "+OK", true},
		{"-ERR no\r\nrest", "-ERR no", true},
		{"\r\n", "", true},
		{"$3\r\nab", "", false},
		{"$3\r\nabc\r\n", "abc", true},
		{"$4\r\na\r\nb\r\n", "a\r\nb", true},
		{"$-1\r\n", "", true},
		{"$x\r\n", "", true},
	} {
		if reply, whole := replyOf(c.text); whole != c.whole || whole && reply != c.reply {
			t.Errorf("%q: %q, %v", c.text, reply, whole)
		}
	}
}
