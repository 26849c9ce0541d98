package resp

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestParseInt(t *testing.T) {
	for _, text := range []string{
		"", "-", "-0", "00", "01", "+1", " 1", "1 ", "-01", "--1", "1.0", "1e3", "0x1", "1\x00",
		"9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999",
	} {
		if n, ok := ParseInt([]byte(text)); ok {
			t.Errorf("%q was read as %d", text, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		if got, ok := ParseInt(AppendInt(nil, n)); !ok || got != n {
			t.Fatalf("%d was read as %d, %v", n, got, ok)
		}
	})
	for _, n := range []int64{math.MinInt64, math.MaxInt64, 0, 9, -9} {
		if got, ok := ParseInt(AppendInt(nil, n)); !ok || got != n {
			t.Errorf("%d was read as %d, %v", n, got, ok)
		}
	}
}

// What ZADD of redis-server 7.0.15 takes as a score.
func TestParseFloat(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"0", 0}, {"-1.5", -1.5}, {"+1", 1}, {"1.", 1}, {".5", 0.5}, {"1e3", 1000}, {"1E-3", 0.001}, {"0x10", 16},
		{"0X1.8p1", 3}, {"0x.8", 0.5}, {"-0x1e", -30}, {"inf", math.Inf(1)}, {"-INF", math.Inf(-1)}, {"+Infinity", math.Inf(1)},
		{"5e-324", 5e-324}, {"1.7976931348623157e308", math.MaxFloat64}, {"0e99999", 0},
	} {
		if got, ok := ParseFloat([]byte(c.text)); !ok || got != c.want {
			t.Errorf("%q was read as %v, %v", c.text, got, ok)
		}
	}
	for _, text := range []string{
		"", " 1", "1 ", "nan", "-nan", "nan(1)", "1e400", "-1e400", "1e-400", "infi", "in", "1e", "1e+", ".", "-", "0x", "0xp1",
		"1_0", "0x_1", "1p1", "0x1p", "1\x00", "0b1", "0o7",
	} {
		if got, ok := ParseFloat([]byte(text)); ok {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

// The texts are those of C's printf.
func TestAppendDouble(t *testing.T) {
	for _, c := range []struct {
		f    float64
		text string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {1, "1"}, {-1.5, "-1.5"},
		{0.1, "0.10000000000000001"}, {1.1, "1.1000000000000001"},
		{100, "100"}, {1e16, "10000000000000000"}, {1e17, "1e+17"},
		{123456789012345678, "1.2345678901234568e+17"},
		{0.0001, "0.0001"}, {0.00001, "1.0000000000000001e-05"}, {1e-100, "1e-100"},
		{1e300, "1.0000000000000001e+300"}, {5e-324, "4.9406564584124654e-324"},
		{math.Inf(1), "inf"}, {math.Inf(-1), "-inf"}, {math.NaN(), "nan"},
	} {
		if got := string(AppendDouble(nil, c.f)); got != c.text {
			t.Errorf("%v: got %s, want %s", c.f, got, c.text)
		}
	}
}

// Seventeen digits tell any double from any other.
func TestDoublesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		text := AppendDouble(nil, f)
		if got, ok := ParseFloat(text); !ok || got != f {
			t.Fatalf("%s was read as %v, %v", text, got, ok)
		}
	})
}

// FuzzParseFloat checks that what is read is a number for Go too, with the same
// value.
func FuzzParseFloat(f *testing.F) {
	for _, c := range sums {
		f.Add(c.a)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseFloat([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		if err == nil && ok && got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
		if _, long := ParseLongDouble([]byte(text)); ok && !long && len(text) <= maxLongDouble {
			t.Errorf("%q is a double and no long double", text)
		}
	})
}
