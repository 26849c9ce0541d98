package differ

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// errUnbalanced is a command line whose quotes do not close.
var errUnbalanced = errors.New("differ: unbalanced quotes")

// repeated matches <x*N>, which stands for N times x.
var repeated = regexp.MustCompile(`<([^*<>]+)\*(\d+)>`)

// Split cuts a command line into arguments with the quoting of redis-cli:
// "a b", "\x00\n", 'x'. An unquoted <x*N> stands for N times x.
func Split(line string) ([]string, error) {
	var args []string
	rest := strings.TrimLeft(line, " \t")
	for rest != "" {
		arg, after, err := splitOne(rest)
		if err != nil {
			return nil, fmt.Errorf("%w in %q", err, line)
		}
		args = append(args, arg)
		rest = strings.TrimLeft(after, " \t")
	}
	return args, nil
}

func splitOne(line string) (arg, rest string, err error) {
	switch line[0] {
	case '"':
		return splitQuoted(line[1:], '"')
	case '\'':
		return splitQuoted(line[1:], '\'')
	}
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return repeat(line[:end]), line[end:], nil
}

// splitQuoted reads up to the closing quote; the escapes of double quotes are
// undone, in single quotes only \' is one.
func splitQuoted(line string, quote byte) (arg, rest string, err error) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i++
		case line[i] == quote:
			if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
				return "", "", errUnbalanced
			}
			return unquote(line[:i], quote), line[i+1:], nil
		}
	}
	return "", "", errUnbalanced
}

func unquote(text string, quote byte) string {
	if quote == '\'' {
		return strings.ReplaceAll(text, `\'`, `'`)
	}
	return Unescape(text)
}

// escapes are the letters after a backslash, except x.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'a': '\a'}

// Unescape undoes \xNN, \r, \n, \t, \b, \a; a backslash before any other byte
// stands for that byte.
func Unescape(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		i++
		if b, ok := hexByte(text[i:]); ok {
			out = append(out, b)
			i += 2
			continue
		}
		if b, ok := escapes[text[i]]; ok {
			out = append(out, b)
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}

// hexByte reads xNN at the front of text.
func hexByte(text string) (byte, bool) {
	if len(text) < 3 || text[0] != 'x' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	return byte(n), err == nil
}

func repeat(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(m string) string {
		parts := repeated.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2])
		return strings.Repeat(parts[1], n)
	})
}

// quoteArg spells an argument so that Split reads it back.
func quoteArg(arg string) string {
	plain := arg != "" && !needsEscape(arg) && !strings.ContainsAny(arg, ` "'<`)
	if plain {
		return arg
	}
	return `"` + strings.ReplaceAll(escape(arg), `"`, `\"`) + `"`
}

// Join is the command line that Split reads back as args.
func Join(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = quoteArg(arg)
	}
	return strings.Join(words, " ")
}
