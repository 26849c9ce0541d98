package resp

import (
	"math/big"
	"math/bits"
	"strconv"
)

// LongDouble is the x87 extended number that INCRBYFLOAT and HINCRBYFLOAT
// calculate with on amd64: a sign, 64 bits of mantissa, 15 bits of exponent.
// The zero value is 0.
//
// Numbers below 2^-16382 keep all 64 bits here, where the x87 has fewer. No
// reply can show the difference: they print as 0.
type LongDouble struct {
	mant uint64 // top bit set, or 0 for zero
	exp  int32  // the value is mant * 2^exp
	form form
	neg  bool
}

type form uint8

const (
	finite form = iota
	infinite
	notANumber
)

// maxLongDouble is the longest text that Redis reads as a long double.
const maxLongDouble = 5*1024 - 1

// Bounds of exp: the largest number is below 2^(maxLongExp+64), and what is at
// most half of the smallest, 2^-16445, is 0.
const (
	maxLongExp = 16384 - 64
	tinyExp    = -16446 - 63
)

// ParseLongDouble reads a number as Redis's getLongDoubleFromObject does: the
// syntax of ParseFloat, at most 5119 bytes.
func ParseLongDouble(b []byte) (LongDouble, bool) {
	if len(b) > maxLongDouble {
		return LongDouble{}, false
	}
	n, ok := scanNumber(b)
	switch {
	case !ok:
		return LongDouble{}, false
	case n.inf:
		return LongDouble{form: infinite, neg: n.neg}, true
	case n.zero:
		return LongDouble{neg: n.neg}, true
	}
	a := n.longDouble()
	a.neg = n.neg
	return a, a.mant != 0 && a.form == finite
}

// Finite tells that the number is neither an infinity nor NaN.
func (a LongDouble) Finite() bool { return a.form == finite }

// Add gives the sum, rounded to nearest, ties to even.
func (a LongDouble) Add(b LongDouble) LongDouble {
	switch {
	case a.form != finite || b.form != finite:
		return addSpecial(a, b)
	case b.mant == 0:
		return a
	case a.mant == 0:
		return b
	}
	if a.exp < b.exp || a.exp == b.exp && a.mant < b.mant {
		a, b = b, a
	}
	// The larger one leaves the top bit free for a carry.
	aHi, aLo := a.mant>>1, a.mant<<63
	bHi, bLo, lost := shiftRight(b.mant>>1, b.mant<<63, uint(a.exp-b.exp))
	var carry uint64
	if a.neg == b.neg {
		aLo, carry = bits.Add64(aLo, bLo, 0)
		aHi, _ = bits.Add64(aHi, bHi, carry)
	} else {
		// What was lost makes the difference a little smaller: borrow one
		// and say that something above the result's last bit is there.
		if lost {
			carry = 1
		}
		aLo, carry = bits.Sub64(aLo, bLo, carry)
		aHi, _ = bits.Sub64(aHi, bHi, carry)
	}
	sum := normal(aHi, aLo, lost, int(a.exp)-63)
	sum.neg = a.neg && sum.mant != 0
	return sum
}

// addSpecial adds where one is an infinity or NaN.
func addSpecial(a, b LongDouble) LongDouble {
	switch {
	case a.form == notANumber || b.form == notANumber:
		return LongDouble{form: notANumber}
	case a.form == infinite && b.form == infinite && a.neg != b.neg:
		return LongDouble{form: notANumber}
	case a.form == infinite:
		return a
	}
	return b
}

// normal rounds (hi:lo)*2^exp, and something below one unit of lo if more is
// set, to nearest with ties to even.
func normal(hi, lo uint64, more bool, exp int) LongDouble {
	if hi == 0 && lo == 0 {
		return LongDouble{}
	}
	if hi == 0 {
		hi, lo, exp = lo, 0, exp-64
	}
	shift := bits.LeadingZeros64(hi)
	hi, lo, exp = hi<<shift|lo>>(64-shift), lo<<shift, exp-shift+64
	if exp < tinyExp || exp == tinyExp && hi == 1<<63 && lo == 0 && !more {
		return LongDouble{}
	}
	const half = 1 << 63
	if lo > half || lo == half && (more || hi&1 == 1) {
		if hi++; hi == 0 {
			hi, exp = 1<<63, exp+1
		}
	}
	if exp > maxLongExp {
		return LongDouble{form: infinite}
	}
	return LongDouble{mant: hi, exp: int32(exp)}
}

// shiftRight shifts hi:lo and tells whether a set bit fell out.
func shiftRight(hi, lo uint64, n uint) (uint64, uint64, bool) {
	switch {
	case n >= 128:
		return 0, 0, hi|lo != 0
	case n >= 64:
		n -= 64
		return 0, hi >> n, lo|hi<<(64-n) != 0
	}
	return hi >> n, lo>>n | hi<<(64-n), lo<<(64-n) != 0
}

// AppendLongDouble appends a finite number as Redis's ld2string does: C's
// "%.17Lf" less the trailing zeros, and no "-0".
func AppendLongDouble(dst []byte, a LongDouble) []byte {
	if a.exp > 0 {
		if a.neg {
			dst = append(dst, '-')
		}
		n := new(big.Int).SetUint64(a.mant)
		return n.Lsh(n, uint(a.exp)).Append(dst, 10)
	}
	whole, frac := a.decimals()
	if a.neg && (whole != 0 || frac != 0) {
		dst = append(dst, '-')
	}
	return appendFraction(strconv.AppendUint(dst, whole, 10), frac)
}

// e17 is how many of the last printed place make one.
const e17 = 100_000_000_000_000_000

// decimals rounds a number below 2^64 to 17 places, ties to even.
func (a LongDouble) decimals() (whole, frac uint64) {
	drop := uint(-a.exp)
	var hi, lo uint64
	if drop <= 64 {
		whole = a.mant >> drop
		hi, lo = bits.Mul64(a.mant<<(64-drop), e17)
	} else {
		hi, lo = bits.Mul64(a.mant, e17)
		var lost bool
		if hi, lo, lost = shiftRight(hi, lo, drop-64); lost {
			lo |= 1 // never a tie
		}
	}
	if lo > 1<<63 || lo == 1<<63 && hi&1 == 1 {
		hi++
	}
	return whole + hi/e17, hi % e17
}

// appendFraction appends a point and 17 places, less the trailing zeros.
func appendFraction(dst []byte, frac uint64) []byte {
	if frac == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := uint64(e17 / 10); frac != 0; unit /= 10 {
		dst = append(dst, byte('0'+frac/unit))
		frac %= unit
	}
	return dst
}
