package resp

import "strings"

// What redis-server 7.0.15 does with each line.
var inlineStreams = []struct {
	name, stream string
	want         []string
	broken       string
}{
	{"inline", "SET k v\r\n", []string{`"SET" "k" "v"`}, ""},
	{"inline without CR", "PING\n", []string{`"PING"`}, ""},
	{"inline with two CR", "PING\r\r\n", []string{`"PING"`}, ""},
	{"CR between words", "PI\rNG\r\n", []string{`"PI" "NG"`}, ""},
	{"empty lines", "\r\n\n\n  \r\n\r\r\n" + ping, []string{`"PING"`}, ""},
	{"blanks", " \t SET \v k\t v \r\n", []string{`"SET" "k" "v"`}, ""},
	{"vertical tab within a word", "echo\va\fb\tc\n", []string{`"echo\va\fb" "c"`}, ""},
	{"other types are words", "-1\r\n$1\r\n+x\r\n", []string{`"-1"`, `"$1"`, `"+x"`}, ""},
	{"array after inline", "PING\r\n" + ping, []string{`"PING"`, `"PING"`}, ""},
	{"quotes", `echo "a b" 'c d'` + "\n", []string{`"echo" "a b" "c d"`}, ""},
	{"empty quotes", `echo "" ''` + "\n", []string{`"echo" "" ""`}, ""},
	{"quotes within a word", `echo a"b c" d'e f'` + "\n", []string{`"echo" "ab c" "de f"`}, ""},
	{"escapes", `echo "a\x41\xff\n\r\t\b\a\q\"\\z"` + "\n", []string{`"echo" "aA\xff\n\r\t\b\aq\"\\z"`}, ""},
	{"broken hex escapes", `echo "\xZZ\x4" ` + "\n", []string{`"echo" "xZZx4"`}, ""},
	{"escapes in single quotes", `echo 'a\'b\n\\ '` + "\n", []string{`"echo" "a'b\\n\\\\ "`}, ""},
	{"no escapes without quotes", `echo a\x41\n` + "\n", []string{`"echo" "a\\x41\\n"`}, ""},
	{"quotes before more words", `set "k\x20" v` + "\nget k\n", []string{`"set" "k " "v"`, `"get" "k"`}, ""},
	{"open double quote", `echo "a` + "\r\n", nil, "unbalanced quotes in request"},
	{"open single quote", `echo 'a` + "\n", nil, "unbalanced quotes in request"},
	{"escaped single quote at the end", `echo 'a\\'` + "\n", nil, "unbalanced quotes in request"},
	{"escaped end", `echo "a\` + "\n", nil, "unbalanced quotes in request"},
	{"text after quote", `echo "a"b` + "\n", nil, "unbalanced quotes in request"},
	{"quote after quote", `echo ''''` + "\n", nil, "unbalanced quotes in request"},
	{"fault after inline", "PING\r\n\"\n", []string{`"PING"`}, "unbalanced quotes in request"},
	{"longest inline", strings.Repeat("x", MaxInline) + "\n", []string{`"` + strings.Repeat("x", MaxInline) + `"`}, ""},
	{"inline too long", strings.Repeat("x", MaxInline+1), nil, "too big inline request"},
}
