package differ

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// draw is the source of chance of one stream.
type draw struct{ *rand.Rand }

func newDraw(seed uint64) *draw { return &draw{rand.New(rand.NewPCG(seed, 0x1c))} }

func (d *draw) of(words []string) string { return words[d.IntN(len(words))] }

// pool are the keys of the random streams: few, so that commands meet, over
// several slots, with hash tags, and some that are hard to print.
var pool = []string{
	"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "a", "b", "c", "key:10",
	"{t}1", "{t}2", "{t}3", "x{t}y", "{}e", "{{t}}", "", "two words", "\x00\xff\r\n", "h\xe9llo", "*", "[a-c]?",
	strings.Repeat("long", 60),
}

// weird are arguments that are wrong nearly everywhere. None is an expire time
// that falls into the run: the numbers are at most 0 or above 20,000.
var weird = []string{
	"", "0", "-1", "-0", "+5", "00", " 7", "7 ", "1.0", "1e5", "0x10", "abc", "nan", "inf", "-inf", "\x00",
	"9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
	"9223372036854775", "9223372036854776", "-9223372036854776", "99999999999999999999999", "4294967295",
	"4294967296", "2147483647", "2147483648", "-2147483649", "9007199254740993", "18446744073709551616",
	"nx", "xx", "get", "ex", "px", "keepttl", "withscores", "count", "match", "k1", "replace", "db", "*",
}

var ints = []string{
	"0", "1", "-1", "2", "5", "7", "10", "-3", "99", "100", "-100", "12345", "9999", "10000", "-10000",
	"2147483647", "-2147483648", "4294967296", "9007199254740993", "-0", "007", "1 ",
	"9223372036854775807", "-9223372036854775808", "9223372036854775806", "-9223372036854775807",
	"9223372036854775808", "4611686018427387904",
}

var floats = []string{
	"0", "1", "-1", "0.1", "-0.1", "0.5", "3.0e3", "1e10", "1e-10", "-0", "0.0", "-0.0", "10.50", "3.141592653589793",
	"1e308", "-1e308", "1.7976931348623157e308", "5e-324", "1e4000", "nan", "inf", "-inf", "+inf", "infinity", "0x10",
	"0x1p3", "1.", ".5", "5.", "e5", " 1", "1 ", "abc", "", "9223372036854775807", "0.1234567890123456789012345",
	"123456789012345678901234567890", "17179869184.0000001", "1e17", "99999999999999.99", "100000000000000000000",
}

var words = []string{
	"", "a", "v", "hello", "Hello World", "\x00\x01\x02", "ohmytext", "mynewtext", "foobar", "x y", "tr\xc3\xa4ge", "\r\n",
	strings.Repeat("e", 44), strings.Repeat("f", 45), strings.Repeat("0123456789", 7), "true", "OK", "-", "+",
}

var patterns = []string{
	"*", "k*", "k?", "[a-c]", "k[0-3]", "k[^0-3]", "*t*", "{t}*", "\\*", "[", "[a", "a]", "", "?", "??", "*1", "k\\1",
	"[z-a]", "h?llo", "*o*r*d*s*", "k[0-", "\\", "[^", "***k***", "key:*", "\x00*", "[\\*]", "nosuch*",
}

// draws has an entry for each $name of the forms.
var draws = map[string]func(*draw) string{
	"key":   func(d *draw) string { return pool[min(d.IntN(len(pool)), d.IntN(len(pool)))] },
	"val":   (*draw).value,
	"int":   func(d *draw) string { return d.of(ints) },
	"delta": (*draw).delta,
	"num":   func(d *draw) string { return d.of(floats) },
	"weird": func(d *draw) string { return d.of(weird) },
	"pat":   func(d *draw) string { return d.of(patterns) },
	"sec":   func(d *draw) string { return d.mostly(strconv.FormatInt(1000+d.Int64N(1e9), 10)) },
	"ms":    func(d *draw) string { return d.mostly(strconv.FormatInt(1e6+d.Int64N(1e12), 10)) },
	"at":    func(d *draw) string { return d.mostly(strconv.FormatInt(4102444800+d.Int64N(1e6), 10)) },
	"atms":  func(d *draw) string { return d.mostly(strconv.FormatInt(4102444800000+d.Int64N(1e9), 10)) },
	"fixed": func(d *draw) string { return d.of([]string{"4102444800", "4102444801", "7258118400", "4102444800"}) },
	"past": func(d *draw) string {
		return d.of([]string{"0", "1", "-1", "-1000", "1000000000", "-9223372036854775"})
	},
	"index": func(d *draw) string { return d.mostly(strconv.Itoa(d.IntN(40) - 20)) },
	"off":   func(d *draw) string { return d.mostly(strconv.Itoa(d.IntN(100))) },
	"small": func(d *draw) string { return strconv.Itoa(d.IntN(10)) },
	"db":    func(d *draw) string { return d.mostly(strconv.Itoa(d.IntN(4))) },
	"near":  func(d *draw) string { return strconv.Itoa(d.IntN(3)) },
	"name": func(d *draw) string {
		return d.of([]string{"conn1", "worker", "", "a b", "x\n", "name-2", "\xff", "q"})
	},
	"cmd":    (*draw).command,
	"option": func(d *draw) string { return d.setting()[0] },
	"big":    func(d *draw) string { return d.large() },
	"wide":   func(d *draw) string { return strconv.Itoa(d.IntN(60000)) },
	"short":  func(d *draw) string { return strconv.Itoa(1 + d.IntN(15)) },
	"flash":  func(d *draw) string { return d.of([]string{"s1", "s2", "s3", "s{t}4", "s{t}5"}) },
}

// mostly is usual nine times in ten, else something weird.
func (d *draw) mostly(usual string) string {
	if d.IntN(10) == 0 {
		return d.of(weird)
	}
	return usual
}

func (d *draw) value() string {
	switch d.IntN(6) {
	case 0:
		return d.of(ints)
	case 1:
		return d.of(floats)
	case 2:
		return strconv.Itoa(d.IntN(20000) - 5000)
	case 3:
		return strings.Repeat(d.of([]string{"a", "bc", "\x7f"}), d.IntN(120))
	}
	return d.of(words)
}

// delta is an increment, most of them small.
func (d *draw) delta() string {
	if d.IntN(3) == 0 {
		return d.of(ints)
	}
	return strconv.Itoa(d.IntN(200) - 100)
}

// large is a value around the sizes where representations change.
func (d *draw) large() string {
	sizes := []int{44, 45, 255, 256, 4095, 4096, 16383, 16384, 16385, 20000, 65536, 100000}
	return strings.Repeat(d.of([]string{"x", "yz"}), sizes[d.IntN(len(sizes))])
}

func (d *draw) command() string {
	return d.of([]string{"get", "set", "mget", "del", "expire", "rename", "multi", "ping", "client|list", "config|get",
		"object|encoding", "incrbyfloat", "lcs", "copy", "nosuch", "client", "GET", "memory|usage"})
}

// harmless are options with values that change nothing the streams look at, or
// that are refused.
var harmless = []string{
	"slowlog-max-len 128", "slowlog-max-len 0", "slowlog-max-len -1", "slowlog-log-slower-than 10000", "maxmemory-samples 5",
	"lfu-log-factor 10", "lfu-log-factor -1", "lfu-decay-time 1", "timeout 0", "timeout 100", "timeout -1", "tcp-keepalive 300",
	"tcp-keepalive x", "maxmemory-policy noeviction", "maxmemory-policy allkeys-lru", "maxmemory-policy nosuch",
	"lazyfree-lazy-expire yes", "lazyfree-lazy-expire no", "lazyfree-lazy-expire maybe", "lazyfree-lazy-user-del no",
	"lazyfree-lazy-user-flush no", "latency-tracking yes", "latency-tracking 1", "latency-monitor-threshold 0",
	"latency-monitor-threshold -1", "maxmemory 0", "maxmemory 100mb", "maxmemory 1x", "maxmemory-eviction-tenacity 10",
	"maxmemory-eviction-tenacity 101", "active-expire-effort 1", "active-expire-effort 11", "databases 3",
}

// setting draws an option and a value.
func (d *draw) setting() []string {
	name, value, _ := strings.Cut(d.of(harmless), " ")
	return []string{name, value}
}
