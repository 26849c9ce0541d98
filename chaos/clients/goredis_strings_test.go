package clients

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var goStrings = []goCheck{
	{"set with conditions", goSetConditions},
	{"set with expiry", goSetExpiry},
	{"getdel, getex, getset", goGetAnd},
	{"append and ranges", goRanges},
	{"integers", goIntegers},
	{"floats", goFloats},
	{"many keys at once", goMulti},
	{"longest common subsequence", goLCS},
	{"bytes of every value", goBinary},
	{"empty values and keys", goEmpty},
	{"a value of 1 MB", func(g *goClient) { goBig(g, 1<<20) }},
	{"a value of 20 MB", func(g *goClient) { goBig(g, 20<<20) }},
	{"values of every length", goLengths},
}

func goSetConditions(g *goClient) {
	want(g, g.Set(g.ctx, "cond", "a", 0), "OK")
	want(g, g.SetNX(g.ctx, "cond", "b", 0), false)
	want(g, g.SetXX(g.ctx, "cond", "c", 0), true)
	want(g, g.SetXX(g.ctx, "cond:none", "c", 0), false)
	want(g, g.SetArgs(g.ctx, "cond", "d", redis.SetArgs{Get: true}), "c")
	wantNil(g, g.SetArgs(g.ctx, "cond:get", "e", redis.SetArgs{Get: true}))
	want(g, g.SetArgs(g.ctx, "cond", "f", redis.SetArgs{Mode: "NX", Get: true}), "d")
	want(g, g.Get(g.ctx, "cond"), "d")
	wantError(g, g.Do(g.ctx, "set", "cond", "x", "nx", "xx"), "ERR syntax error")
}

func goSetExpiry(g *goClient) {
	want(g, g.Set(g.ctx, "exp", "a", time.Minute), "OK")
	want(g, g.TTL(g.ctx, "exp"), time.Minute)
	want(g, g.SetArgs(g.ctx, "exp", "b", redis.SetArgs{KeepTTL: true}), "OK")
	truth(g, must(g, g.PTTL(g.ctx, "exp")) > 59*time.Second, "KEEPTTL lost the expiry")
	want(g, g.Set(g.ctx, "exp", "c", 0), "OK")
	want(g, g.TTL(g.ctx, "exp"), -1)
	at := time.Now().Add(time.Hour).Truncate(time.Second)
	want(g, g.SetArgs(g.ctx, "exp", "d", redis.SetArgs{ExpireAt: at}), "OK")
	want(g, g.ExpireTime(g.ctx, "exp"), time.Duration(at.Unix())*time.Second)
	want(g, g.SetEx(g.ctx, "exp", "e", 10*time.Second), "OK")
	want(g, g.TTL(g.ctx, "exp"), 10*time.Second)
	wantError(g, g.Do(g.ctx, "set", "exp", "f", "EX", 0), "ERR invalid expire time in 'set' command")
	wantError(g, g.Do(g.ctx, "setex", "exp", -1, "f"), "ERR invalid expire time in 'setex' command")
	want(g, g.Get(g.ctx, "exp"), "e")
}

func goGetAnd(g *goClient) {
	must(g, g.Set(g.ctx, "and", "a", 0))
	want(g, g.GetEx(g.ctx, "and", time.Hour), "a")
	want(g, g.TTL(g.ctx, "and"), time.Hour)
	want(g, g.Do(g.ctx, "getex", "and", "persist"), any("a"))
	want(g, g.TTL(g.ctx, "and"), -1)
	want(g, g.GetSet(g.ctx, "and", "b"), "a")
	want(g, g.GetDel(g.ctx, "and"), "b")
	wantNil(g, g.Get(g.ctx, "and"))
	wantNil(g, g.GetDel(g.ctx, "and"))
	wantNil(g, g.GetEx(g.ctx, "and", time.Hour))
}

func goRanges(g *goClient) {
	want(g, g.Append(g.ctx, "range", "hello"), 5)
	want(g, g.Append(g.ctx, "range", " world"), 11)
	want(g, g.GetRange(g.ctx, "range", -5, -1), "world")
	want(g, g.GetRange(g.ctx, "range", 3, 1), "")
	want(g, g.GetRange(g.ctx, "range", 0, 1000), "hello world")
	want(g, g.SetRange(g.ctx, "range", 6, "there"), 11)
	want(g, g.SetRange(g.ctx, "range:hole", 3, "x"), 4)
	want(g, g.Get(g.ctx, "range:hole"), "\x00\x00\x00x")
	want(g, g.StrLen(g.ctx, "range"), 11)
	want(g, g.StrLen(g.ctx, "range:none"), 0)
	want(g, g.Append(g.ctx, "range:int", "12"), 2)
	want(g, g.Incr(g.ctx, "range:int"), 13)
	want(g, g.Append(g.ctx, "range:int", "0"), 3)
	want(g, g.Get(g.ctx, "range:int"), "130")
	wantError(g, g.SetRange(g.ctx, "range", -1, "x"), "ERR offset is out of range")
	wantError(g, g.SetRange(g.ctx, "range", 512<<20, "x"), "ERR string exceeds maximum allowed size")
}

func goIntegers(g *goClient) {
	want(g, g.Incr(g.ctx, "int"), 1)
	want(g, g.IncrBy(g.ctx, "int", 41), 42)
	want(g, g.Decr(g.ctx, "int"), 41)
	want(g, g.DecrBy(g.ctx, "int", 50), -9)
	want(g, g.Get(g.ctx, "int"), "-9")
	must(g, g.Set(g.ctx, "int", math.MaxInt64, 0))
	wantError(g, g.Incr(g.ctx, "int"), "ERR increment or decrement would overflow")
	want(g, g.Get(g.ctx, "int"), "9223372036854775807")
	must(g, g.Set(g.ctx, "int", math.MinInt64, 0))
	wantError(g, g.Decr(g.ctx, "int"), "ERR increment or decrement would overflow")
	for _, text := range []string{"", " 1", "1 ", "01", "+1", "1.0", "9223372036854775808", "x"} {
		must(g, g.Set(g.ctx, "int", text, 0))
		wantError(g, g.Incr(g.ctx, "int"), "ERR value is not an integer or out of range")
	}
	must(g, g.Set(g.ctx, "int", 5, time.Hour))
	want(g, g.Incr(g.ctx, "int"), 6)
	want(g, g.TTL(g.ctx, "int"), time.Hour)
}

func goFloats(g *goClient) {
	must(g, g.Set(g.ctx, "float", "10.50", 0))
	want(g, g.IncrByFloat(g.ctx, "float", 0.1), 10.6)
	want(g, g.IncrByFloat(g.ctx, "float", -5), 5.6)
	want(g, g.Get(g.ctx, "float"), "5.6")
	must(g, g.Set(g.ctx, "float", "5.0e3", 0))
	want(g, g.Do(g.ctx, "incrbyfloat", "float", "2.0e2"), any("5200"))
	must(g, g.Set(g.ctx, "float", "x", 0))
	wantError(g, g.IncrByFloat(g.ctx, "float", 1), "ERR value is not a valid float")
	must(g, g.Set(g.ctx, "float", "1", 0))
	wantError(g, g.Do(g.ctx, "incrbyfloat", "float", "inf"), "ERR increment would produce NaN or Infinity")
}

func goMulti(g *goClient) {
	pairs, names, values := []any{}, []string{}, []any{}
	for i := range 200 {
		name := "multi:" + strconv.Itoa(i)
		pairs, names, values = append(pairs, name, i), append(names, name), append(values, strconv.Itoa(i))
	}
	want(g, g.MSet(g.ctx, pairs...), "OK")
	want(g, g.MGet(g.ctx, append(names, "multi:none")...), append(values, nil))
	want(g, g.MSetNX(g.ctx, "multi:x", 1, "multi:0", 2), false)
	want(g, g.Exists(g.ctx, "multi:x"), 0)
	want(g, g.MSetNX(g.ctx, "multi:x", 1, "multi:y", 2), true)
	want(g, g.Del(g.ctx, append(names, "multi:none")...), 200)
	want(g, g.MGet(g.ctx, "multi:0", "multi:x"), []any{nil, "1"})
	wantError(g, g.Do(g.ctx, "mset", "a", "b", "c"), "ERR wrong number of arguments for 'mset' command")
}

func goLCS(g *goClient) {
	must(g, g.MSet(g.ctx, "lcs:1", "ohmytext", "lcs:2", "mynewtext"))
	match := must(g, g.LCS(g.ctx, &redis.LCSQuery{Key1: "lcs:1", Key2: "lcs:2"}))
	truth(g, match.MatchString == "mytext", "LCS is %q", match.MatchString)
	match = must(g, g.LCS(g.ctx, &redis.LCSQuery{Key1: "lcs:1", Key2: "lcs:2", Len: true}))
	truth(g, match.Len == 6, "LCS LEN is %d", match.Len)
	match = must(g, g.LCS(g.ctx, &redis.LCSQuery{Key1: "lcs:1", Key2: "lcs:2", Idx: true, WithMatchLen: true}))
	truth(g, match.Len == 6 && len(match.Matches) == 2 && match.Matches[0].MatchLen == 4, "LCS IDX is %+v", match)
}

func goBinary(g *goClient) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	key := string(all)
	want(g, g.Set(g.ctx, key, all, 0), "OK")
	want(g, g.Get(g.ctx, key), key)
	want(g, g.Exists(g.ctx, key), 1)
	want(g, g.Rename(g.ctx, key, key+"\r\n"), "OK")
	want(g, g.Get(g.ctx, key+"\r\n"), key)
	want(g, g.Keys(g.ctx, "\x00\x01*\r\n"), []string{key + "\r\n"})
	for i := range 256 {
		must(g, g.Set(g.ctx, "byte:"+string(all[i:i+1]), all[i:i+1], 0))
	}
	for i := range 256 {
		want(g, g.Get(g.ctx, "byte:"+string(all[i:i+1])), string(all[i:i+1]))
	}
}

func goEmpty(g *goClient) {
	want(g, g.Set(g.ctx, "", "no name", 0), "OK")
	want(g, g.Get(g.ctx, ""), "no name")
	want(g, g.Set(g.ctx, "empty", "", 0), "OK")
	want(g, g.Get(g.ctx, "empty"), "")
	want(g, g.StrLen(g.ctx, "empty"), 0)
	want(g, g.Exists(g.ctx, "empty", "", "empty"), 3)
	want(g, g.Del(g.ctx, "", "empty"), 2)
}

// goBig moves a value there and back, changes its end and copies it.
func goBig(g *goClient, size int) {
	value := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	want(g, g.Set(g.ctx, "big", value, 0), "OK")
	want(g, g.StrLen(g.ctx, "big"), int64(size))
	want(g, g.Append(g.ctx, "big", "end"), int64(size+3))
	want(g, g.Copy(g.ctx, "big", "big:copy", 0, true), 1)
	want(g, g.SetRange(g.ctx, "big", 1, "X"), int64(size+3))
	got := must(g, g.Get(g.ctx, "big:copy"))
	truth(g, got == string(value)+"end", "the copy has %d bytes and is another value", len(got))
	want(g, g.GetRange(g.ctx, "big", 0, 2), "0X2")
	want(g, g.GetRange(g.ctx, "big", -4, -1), "fend")
	want(g, g.Unlink(g.ctx, "big", "big:copy"), 2)
}

// goLengths crosses every size at which a server stores values differently.
func goLengths(g *goClient) {
	long := strings.Repeat("abcdefghij", 7000)
	lengths := []int{0, 1, 2, 3, 4, 5}
	for at := 8; at <= 65536; at *= 2 {
		lengths = append(lengths, at-1, at, at+1)
	}
	for _, n := range append(lengths, 44, 45, 20, 21) {
		want(g, g.Set(g.ctx, "length", long[:n], 0), "OK")
		want(g, g.Get(g.ctx, "length"), long[:n])
		want(g, g.Append(g.ctx, "length", "z"), int64(n+1))
		want(g, g.Get(g.ctx, "length"), long[:n]+"z")
	}
}
