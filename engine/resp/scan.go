package resp

import "bytes"

// scanned is a number as C's strtod reads it, cut into its parts.
type scanned struct {
	whole, frac []byte // digits before and after the point
	exp         int    // written exponent, within +-maxExp
	neg, inf    bool
	hex         bool // digits are hexadecimal, exp is a power of two
	bare        bool // no exponent is written
	zero        bool // every digit is 0
}

// maxExp is an exponent beyond which nothing a client can send is finite and
// not zero.
const maxExp = 1 << 24

// scanNumber reads all of b as a number. NaN is none.
func scanNumber(b []byte) (n scanned, ok bool) {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		n.neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) > 0 && b[0]|0x20 == 'i' {
		n.inf = bytes.EqualFold(b, []byte("inf")) || bytes.EqualFold(b, []byte("infinity"))
		return n, n.inf
	}
	digit, mark := isDigit, byte('e')
	if len(b) > 2 && b[0] == '0' && b[1]|0x20 == 'x' {
		n.hex, b = true, b[2:]
		digit, mark = isHex, 'p'
	}
	n.whole, b = run(b, digit)
	if len(b) > 0 && b[0] == '.' {
		n.frac, b = run(b[1:], digit)
	}
	if len(n.whole)+len(n.frac) == 0 {
		return n, false
	}
	n.zero = allZero(n.whole) && allZero(n.frac)
	if n.bare = len(b) == 0; n.bare {
		return n, true
	}
	n.exp, ok = scanExponent(b[1:])
	return n, ok && b[0]|0x20 == mark
}

// sign is -1 or 1.
func (n scanned) sign() int {
	if n.neg {
		return -1
	}
	return 1
}

// run splits b behind the digits it starts with.
func run(b []byte, digit func(byte) bool) (digits, rest []byte) {
	i := 0
	for i < len(b) && digit(b[i]) {
		i++
	}
	return b[:i], b[i:]
}

// allZero tells whether digits has no other digit than 0.
func allZero(digits []byte) bool { return len(bytes.TrimLeft(digits, "0")) == 0 }

// scanExponent reads all of b as a decimal exponent.
func scanExponent(b []byte) (exp int, ok bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg || len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		exp = min(exp*10+int(c-'0'), maxExp)
	}
	if neg {
		exp = -exp
	}
	return exp, len(b) > 0
}
