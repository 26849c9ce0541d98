package resp

// LongDouble is the x87 extended number that INCRBYFLOAT and HINCRBYFLOAT
// calculate with on amd64: a sign, 64 bits of mantissa, 15 bits of exponent.
// The zero value is 0.
type LongDouble struct {
	mant uint64 // top bit set, or 0 for zero
	exp  int32  // the value is mant * 2^exp
	form uint8
	neg  bool
}

// ParseLongDouble reads a number as Redis's getLongDoubleFromObject does: the
// syntax of ParseFloat, at most 5119 bytes.
func ParseLongDouble(b []byte) (LongDouble, bool) { panic("unfinished") }

// LongDoubleOf converts an integer exactly.
func LongDoubleOf(n int64) LongDouble { panic("unfinished") }

// Add gives the sum, rounded to nearest, ties to even.
func (a LongDouble) Add(b LongDouble) LongDouble { panic("unfinished") }

// Finite tells that the number is neither an infinity nor NaN.
func (a LongDouble) Finite() bool { panic("unfinished") }

// AppendLongDouble appends a finite number as Redis's ld2string does: C's
// "%.17Lf" less the trailing zeros.
func AppendLongDouble(dst []byte, a LongDouble) []byte { panic("unfinished") }
