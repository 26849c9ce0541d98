//go:build linux

package main

import "github.com/elares/ironcache/research/bench/load"

var padding = load.Value(0, valueSize)[16:]

// appendKeyed appends a bulk of 16 bytes: a prefix of 4 and the number in 12 digits.
func appendKeyed(dst []byte, prefix string, n int) []byte {
	dst = append(dst, "$16\r\n"...)
	dst = append(dst, prefix...)
	dst = appendDigits(dst, n, 12)
	return append(dst, "\r\n"...)
}

func appendDigits(dst []byte, n, width int) []byte {
	at := len(dst)
	for range width {
		dst = append(dst, '0')
	}
	for i := at + width - 1; n > 0 && i >= at; i-- {
		dst[i] = byte('0' + n%10)
		n /= 10
	}
	return dst
}

// appendValue appends the value of a key as a bulk; it equals load.Value.
func appendValue(dst []byte, n int) []byte {
	dst = append(dst, "$64\r\n"...)
	dst = appendDigits(dst, n, 16)
	dst = append(dst, padding...)
	return append(dst, "\r\n"...)
}

func appendOK(dst []byte, _ int) []byte { return append(dst, "+OK\r\n"...) }

// getShape reads a key that set has written.
var getShape = load.Shape{
	Name: "get",
	Request: func(dst []byte, key int) []byte {
		return appendKeyed(append(dst, "*2\r\n$3\r\nGET\r\n"...), "key:", key)
	},
	Reply: appendValue,
}

// setShape writes a key.
var setShape = setOf("set", "key:")

func setOf(name, prefix string) load.Shape {
	return load.Shape{
		Name: name,
		Request: func(dst []byte, key int) []byte {
			return appendValue(appendKeyed(append(dst, "*3\r\n$3\r\nSET\r\n"...), prefix, key), key)
		},
		Reply: appendOK,
	}
}

// lineShape makes a shape of one command answered by a number of lines; the key comes
// second, further arguments after it.
func lineShape(name, command, prefix string, lines int, more ...string) load.Shape {
	opening := load.Command(nil, append([]string{command, "0123456789abcdef"}, more...)...)
	cut := len(opening)
	for _, arg := range more {
		cut -= len(load.AppendBulk(nil, arg))
	}
	start, tail := string(opening[:cut-len("$16\r\n0123456789abcdef\r\n")]), string(opening[cut:])
	return load.Shape{
		Name:  name,
		Lines: lines,
		Request: func(dst []byte, key int) []byte {
			return append(appendKeyed(append(dst, start...), prefix, key), tail...)
		},
	}
}
