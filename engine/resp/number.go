package resp

import (
	"math"
	"strconv"
)

// ParseInt reads a decimal integer as Redis's string2ll does: no spaces, no
// plus sign, no leading zero, no "-0", within int64.
func ParseInt(b []byte) (int64, bool) {
	if len(b) == 1 && isDigit(b[0]) {
		return int64(b[0] - '0'), true
	}
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	n, ok := parseDigits(b)
	switch {
	case !ok:
		return 0, false
	case negative && n <= 1<<63:
		return -int64(n), true
	case !negative && n < 1<<63:
		return int64(n), true
	}
	return 0, false
}

// parseDigits reads up to 19 digits, the first of which is no zero. Any 19
// digits fit.
func parseDigits(b []byte) (n uint64, ok bool) {
	if len(b) == 0 || len(b) > 19 || b[0] == '0' {
		return 0, false
	}
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// AppendInt appends a decimal integer.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// ParseFloat reads a double as Redis's getDoubleFromObject does: decimal or
// hexadecimal, "inf" and "infinity" in any case, a sign, no spaces, not NaN, no
// overflow and no underflow to zero.
func ParseFloat(b []byte) (float64, bool) {
	n, ok := scanNumber(b)
	if !ok {
		return 0, false
	}
	if n.inf {
		return math.Inf(n.sign()), true
	}
	text := b
	if n.hex && n.bare {
		text = append(append(make([]byte, 0, len(b)+2), b...), "p0"...)
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || f == 0 && !n.zero {
		return 0, false
	}
	return f, true
}

// AppendDouble appends a double as C's "%.17g" does; "inf", "-inf" and "nan".
func AppendDouble(dst []byte, f float64) []byte {
	switch {
	case f > math.MaxFloat64:
		return append(dst, "inf"...)
	case f < -math.MaxFloat64:
		return append(dst, "-inf"...)
	case f != f:
		return append(dst, "nan"...)
	}
	return strconv.AppendFloat(dst, f, 'g', 17, 64)
}
