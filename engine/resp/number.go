package resp

// ParseInt reads a decimal integer as Redis's string2ll does: no spaces, no
// plus sign, no leading zero, no "-0", within int64.
func ParseInt(b []byte) (int64, bool) { panic("unfinished") }

// ParseFloat reads a double as Redis's getDoubleFromObject does: decimal or
// hexadecimal, "inf" and "infinity" in any case, a sign, no spaces, not NaN, no
// overflow and no underflow to zero.
func ParseFloat(b []byte) (float64, bool) { panic("unfinished") }

// AppendInt appends a decimal integer.
func AppendInt(dst []byte, n int64) []byte { panic("unfinished") }

// AppendDouble appends a double as C's "%.17g" does; "inf", "-inf" and "nan".
func AppendDouble(dst []byte, f float64) []byte { panic("unfinished") }

// AppendHuman appends a double as C's "%.17Lf" does, less the trailing zeros.
func AppendHuman(dst []byte, f float64) []byte { panic("unfinished") }
