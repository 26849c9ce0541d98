package resp

import (
	"bytes"
	"math/big"
	"math/bits"
)

// fives holds the powers of five that fit in 64 bits.
var fives = func() (table [28]uint64) {
	table[0] = 1
	for i := 1; i < len(table); i++ {
		table[i] = table[i-1] * 5
	}
	return table
}()

// Decimal exponents, of the first digit, beyond which a number overflows or is 0.
const (
	maxDecimal = 4940
	minDecimal = -4960
)

// longDouble rounds a number that is not zero, without its sign, to the
// nearest long double, ties to even.
func (n scanned) longDouble() LongDouble {
	if n.hex {
		return n.fromHex()
	}
	digits := append(append(make([]byte, 0, 64), n.whole...), n.frac...)
	exp := n.exp - len(n.frac)
	digits = bytes.TrimLeft(digits, "0")
	size := len(digits)
	digits = bytes.TrimRight(digits, "0")
	exp += size - len(digits)
	switch magnitude := exp + len(digits); {
	case magnitude > maxDecimal:
		return LongDouble{form: infinite}
	case magnitude < minDecimal:
		return LongDouble{}
	}
	if mant, ok := parseDigits(digits); ok && exp > -len(fives) && exp < len(fives) {
		return scale(mant, exp)
	}
	return scaleBig(digits, exp)
}

// fromHex rounds a hexadecimal number.
func (n scanned) fromHex() LongDouble {
	var hi, lo uint64
	var more bool
	exp := n.exp - 4*len(n.frac)
	for _, part := range [2][]byte{n.whole, n.frac} {
		for _, c := range part {
			if hi>>60 != 0 {
				more = more || c != '0'
				exp += 4
				continue
			}
			hi, lo = hi<<4|lo>>60, lo<<4|uint64(hexValue(c))
		}
	}
	return normal(hi, lo, more, exp)
}

// scale rounds mant * 10^exp, mant > 0, where 5^|exp| fits in 64 bits.
func scale(mant uint64, exp int) LongDouble {
	if exp >= 0 {
		hi, lo := bits.Mul64(mant, fives[exp])
		return normal(hi, lo, false, exp)
	}
	divisor := fives[-exp]
	up, down := bits.LeadingZeros64(mant), bits.LeadingZeros64(divisor)
	mant, divisor = mant<<up, divisor<<down
	hi, rest := bits.Div64(mant>>1, mant<<63, divisor)
	lo, rest := bits.Div64(rest, 0, divisor)
	return normal(hi, lo, rest != 0, exp-up+down-127)
}

// scaleBig rounds digits * 10^exp with numbers of any size.
func scaleBig(digits []byte, exp int) LongDouble {
	num, _ := new(big.Int).SetString(string(digits), 10)
	power := big.NewInt(10)
	power.Exp(power, big.NewInt(int64(max(exp, -exp))), nil)
	if exp >= 0 {
		return roundBig(num.Mul(num, power), false, 0)
	}
	// Enough bits in front that the quotient has more than 64.
	shift := max(0, power.BitLen()-num.BitLen()+66)
	var rest big.Int
	num.QuoRem(num.Lsh(num, uint(shift)), power, &rest)
	return roundBig(num, rest.Sign() != 0, -shift)
}

// roundBig rounds n * 2^exp, and something below 2^exp if more is set.
func roundBig(n *big.Int, more bool, exp int) LongDouble {
	if drop := n.BitLen() - 128; drop > 0 {
		more = more || n.TrailingZeroBits() < uint(drop)
		n.Rsh(n, uint(drop))
		exp += drop
	}
	lo := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1)).Uint64()
	return normal(n.Rsh(n, 64).Uint64(), lo, more, exp)
}
