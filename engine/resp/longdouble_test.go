package resp

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	notFloat  = "not a float"
	notFinite = "not finite"
)

// INCRBYFLOAT of a key by a number, as redis-server 7.0.15 on amd64 replies.
var sums = []struct{ a, b, sum string }{
	{"0", "0", "0"},
	{"-0", "-0", "0"},
	{"10.50", "0.1", "10.6"},
	{"5.0e3", "2.0e2", "5200"},
	{"3.0", "1.1", "4.1"},
	{"0.1", "0.2", "0.3"},
	{"1", "-1", "0"},
	{"1.1", "-1.1", "0"},
	{"3", "-0.0", "3"},
	{"-1e-18", "0", "0"},
	{"-5e-18", "0", "0"},
	{"-5.1e-18", "0", "-0.00000000000000001"},
	{"5e-18", "0", "0"},
	{"1e-17", "0", "0.00000000000000001"},
	{"1.5e-17", "0", "0.00000000000000002"},
	{"2.5e-17", "0", "0.00000000000000002"},
	{"0.00000762939453125", "0", "0.00000762939453125"},
	{"0.000003814697265625", "0", "0.00000381469726562"},
	{"0.5", "0.49999999999999999999", "1"},
	{"17179869184", "-17179869183.999999999", "0.00000000093132257"},
	{"9223372036854775807", "1", "9223372036854775808"},
	{"-9223372036854775808", "-1", "-9223372036854775809"},
	{"18446744073709551615", "1", "18446744073709551616"},
	{"18446744073709551615", "0.5", "18446744073709551616"},
	{"18446744073709551615", "-0.5", "18446744073709551614"},
	{"18446744073709551617", "0", "18446744073709551616"},
	{"18446744073709551618.5", "0", "18446744073709551618"},
	{"9007199254740993", "0.125", "9007199254740993.125"},
	{"1e30", "1", "1000000000000000000024696061952"},
	{"123456789012345678901234567890", "0", "123456789012345678899921813504"},
	{"0.999999999999999999999", "0", "1"},
	{"0.99999999999999999", "0", "0.99999999999999999"},
	{"0.999999999999999995", "0", "1"},
	{"999999.999999999999999995", "0", "1000000"},
	{"1.00000000000000000005421010862427522170037264004349708557128906250", "0", "1"},
	{"1.00000000000000000005421010862427522170037264004349708557128906251", "0", "1"},
	{"1.00000000000000000016263032587282566510111792013049125671386718750", "0", "1"},
	{"0x10", "0", "16"},
	{"0x1.8p1", "0", "3"},
	{"0X.8P-1", "1", "1.25"},
	{"0xffffffffffffffff", "0", "18446744073709551615"},
	{"0x1ffffffffffffffff", "0", "36893488147419103232"},
	{"0x1fffffffffffffffd", "0", "36893488147419103228"},
	{"0x100000000000000018000", "0", "1208925819614629174837248"},
	{"+1", "+.5", "1.5"},
	{"1.", "0", "1"},
	{".5", "0", "0.5"},
	{"00001", "0", "1"},
	{"1e0000000000000000000001", "0", "10"},
	{"0e999999999", "1", "1"},
	{"0e-999999999", "1", "1"},
	{"1.18973149535723176506e4932", "0", "not a float"},
	{"1.18973149535723176505e4932", "1e4913", "not finite"},
	{"1e4933", "0", "not a float"},
	{"1e-4950", "0", "0"},
	{"3.7e-4951", "0", "0"},
	{"1.8e-4951", "0", "not a float"},
	{"1e-4951", "0", "not a float"},
	{"1e-9999", "0", "not a float"},
	{"inf", "1", "not finite"},
	{"-Inf", "1", "not finite"},
	{"infinity", "inf", "not finite"},
	{"inf", "-inf", "not finite"},
	{"infin", "0", "not a float"},
	{"nan", "0", "not a float"},
	{"nan(1)", "0", "not a float"},
	{"", "0", "not a float"},
	{" 1", "0", "not a float"},
	{"1 ", "0", "not a float"},
	{"1\t", "0", "not a float"},
	{"\v1", "0", "not a float"},
	{"1\x00", "0", "not a float"},
	{"1,5", "0", "not a float"},
	{"1e", "0", "not a float"},
	{"1e+", "0", "not a float"},
	{"e1", "0", "not a float"},
	{".", "0", "not a float"},
	{"-", "0", "not a float"},
	{"+-1", "0", "not a float"},
	{"--1", "0", "not a float"},
	{"0x", "0", "not a float"},
	{"0x.", "0", "not a float"},
	{"0xg", "0", "not a float"},
	{"0x1p", "0", "not a float"},
	{"0x1e", "0", "30"},
	{"1p3", "0", "not a float"},
	{"1_000", "0", "not a float"},
	{"0x_1", "0", "not a float"},
	{"0b1", "0", "not a float"},
	{"1d", "0", "not a float"},
	{"1f", "0", "not a float"},
	{"1L", "0", "not a float"},
	{"1000000000000000000000000000000.0000000000000000000000000000001", "0", "1000000000000000000024696061952"},
	{"0.0000000000000000000000000000001", "1", "1"},
	{"1", "5.5e-20", "1"},
	{"1", "5.4210108624275221e-20", "1"},
	{"-3", "5e-20", "-3"},
	{"1e19", "-5e-20", "10000000000000000000"},
	{"4503599627370496.5", "0.00000000000000001", "4503599627370496.5"},
}

func sum(a, b string) string {
	x, ok := ParseLongDouble([]byte(a))
	y, ok2 := ParseLongDouble([]byte(b))
	switch total := x.Add(y); {
	case !ok || !ok2:
		return notFloat
	case !total.Finite():
		return notFinite
	default:
		return string(AppendLongDouble(nil, total))
	}
}

func TestSums(t *testing.T) {
	for _, c := range sums {
		if got := sum(c.a, c.b); got != c.sum {
			t.Errorf("%s + %s: got %s, want %s", c.a, c.b, got, c.sum)
		}
		if got := sum(c.b, c.a); got != c.sum {
			t.Errorf("%s + %s: got %s, want %s", c.b, c.a, got, c.sum)
		}
	}
}

func TestLargestLongDouble(t *testing.T) {
	const largest = "1.18973149535723176505e4932"
	if got := sum(largest, "1"); len(got) != 4933 || !strings.HasPrefix(got, "1189731495357231765021263853030970205169") {
		t.Errorf("got %d bytes, %.40s...", len(got), got)
	}
}

func TestLongDoubleLength(t *testing.T) {
	text := strings.Repeat("0", maxLongDouble-1) + "1"
	if sum(text, "1") != "2" || sum("0"+text, "1") != notFloat {
		t.Error("the longest text has 5119 bytes")
	}
}

// Sums are those of a big.Float of 64 bits.
func TestSumsAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawNumber(t, "a"), drawNumber(t, "b")
		x, y := bigOf(a), bigOf(b)
		total := new(big.Float).SetPrec(64).Add(x, y)
		if got, want := sum(a, b), human(total); got != want {
			t.Fatalf("%s + %s: got %s, want %s", a, b, got, want)
		}
	})
}

func drawNumber(t *rapid.T, name string) string {
	const number = `-?[0-9]{1,25}(\.[0-9]{1,25})?(e-?[1-3]?[0-9])?`
	return rapid.StringMatching(number).Draw(t, name)
}

// bigOf rounds the exact value to 64 bits.
func bigOf(text string) *big.Float {
	exact, _ := new(big.Rat).SetString(text)
	return new(big.Float).SetPrec(64).SetRat(exact)
}

// human prints 17 places of the exact value, less the trailing zeros.
func human(f *big.Float) string {
	text := strings.TrimSuffix(strings.TrimRight(f.Text('f', 17), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// FuzzSum checks that whatever is a number prints as one that reads back.
func FuzzSum(f *testing.F) {
	for _, c := range sums {
		f.Add(c.a, c.b)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		got := sum(a, b)
		if got == notFloat || got == notFinite {
			return
		}
		if again := sum(got, "0"); again != got {
			t.Errorf("%q + %q is %s, which reads as %s", a, b, got, again)
		}
	})
}
