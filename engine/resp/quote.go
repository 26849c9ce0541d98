package resp

// AppendQuoted appends b in double quotes, with what does not print as escapes:
// the form in which redis-cli, MONITOR and the debugging commands show bytes.
func AppendQuoted(dst, b []byte) []byte {
	dst = append(dst, '"')
	for _, c := range b {
		dst = appendEscaped(dst, c)
	}
	return append(dst, '"')
}

// named has the escapes that have a letter of their own.
var named = [256]byte{
	'\\': '\\', '"': '"', '\n': 'n', '\r': 'r', '\t': 't', '\a': 'a', '\b': 'b',
}

func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case named[c] != 0:
		return append(dst, '\\', named[c])
	case c < ' ' || c > '~':
		return append(dst, '\\', 'x', hex[c>>4], hex[c&15])
	}
	return append(dst, c)
}
