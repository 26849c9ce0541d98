package clients

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var goKeys = []goCheck{
	{"exists, del, unlink, touch", goExists},
	{"rename", goRename},
	{"copy", goCopy},
	{"type and encoding", goEncoding},
	{"databases", goDatabases},
	{"expiry conditions", goExpireConditions},
	{"expiry by time", goExpireAt},
	{"expiry takes place", goExpired},
	{"thousands expire unasked", goExpiredUnasked},
	{"scan", goScan},
	{"scan while keys come and go", goScanMoving},
	{"keys and random key", goKeysRandom},
}

func goExists(g *goClient) {
	must(g, g.MSet(g.ctx, "ex:1", 1, "ex:2", 2, "ex:3", 3))
	want(g, g.Exists(g.ctx, "ex:1", "ex:1", "ex:2", "ex:none"), 3)
	want(g, g.Touch(g.ctx, "ex:1", "ex:3", "ex:none"), 2)
	want(g, g.Del(g.ctx, "ex:1", "ex:1"), 1)
	want(g, g.Unlink(g.ctx, "ex:1", "ex:2", "ex:3"), 2)
	want(g, g.Exists(g.ctx, "ex:1", "ex:2", "ex:3"), 0)
}

func goRename(g *goClient) {
	must(g, g.Set(g.ctx, "ren:a", "v", time.Hour))
	want(g, g.Rename(g.ctx, "ren:a", "ren:b"), "OK")
	want(g, g.TTL(g.ctx, "ren:b"), time.Hour)
	want(g, g.Rename(g.ctx, "ren:b", "ren:b"), "OK")
	must(g, g.Set(g.ctx, "ren:c", "w", 0))
	want(g, g.RenameNX(g.ctx, "ren:b", "ren:c"), false)
	want(g, g.Rename(g.ctx, "ren:c", "ren:b"), "OK")
	want(g, g.TTL(g.ctx, "ren:b"), -1)
	want(g, g.RenameNX(g.ctx, "ren:b", "ren:c"), true)
	want(g, g.Get(g.ctx, "ren:c"), "w")
	wantError(g, g.Rename(g.ctx, "ren:none", "ren:x"), "ERR no such key")
}

func goCopy(g *goClient) {
	must(g, g.Set(g.ctx, "copy:a", "v", time.Hour))
	want(g, g.Copy(g.ctx, "copy:a", "copy:b", 0, false), 1)
	want(g, g.Copy(g.ctx, "copy:a", "copy:b", 0, false), 0)
	want(g, g.TTL(g.ctx, "copy:b"), time.Hour)
	want(g, g.Append(g.ctx, "copy:a", "!"), 2)
	want(g, g.Get(g.ctx, "copy:b"), "v")
	want(g, g.Copy(g.ctx, "copy:a", "copy:b", 0, true), 1)
	want(g, g.Get(g.ctx, "copy:b"), "v!")
	want(g, g.Copy(g.ctx, "copy:none", "copy:c", 0, false), 0)
}

func goEncoding(g *goClient) {
	encodings := map[string]string{"12345": "int", "-1": "int", "007": "embstr", strings.Repeat("x", 44): "embstr", strings.Repeat("x", 45): "raw"}
	for value, encoding := range encodings {
		must(g, g.Set(g.ctx, "enc", value, 0))
		want(g, g.ObjectEncoding(g.ctx, "enc"), encoding)
	}
	want(g, g.Type(g.ctx, "enc"), "string")
	want(g, g.Type(g.ctx, "enc:none"), "none")
	// The clock of idle times has whole seconds, and one may end just now.
	if idle := must(g, g.ObjectIdleTime(g.ctx, "enc")); idle > time.Second {
		g.t.Errorf("a key just read is idle for %v", idle)
	}
	want(g, g.ObjectRefCount(g.ctx, "enc"), 1)
	wantNil(g, g.ObjectEncoding(g.ctx, "enc:none"))
}

func goDatabases(g *goClient) {
	third := g.another(func(o *redis.Options) { o.DB = 3 })
	fourth := g.another(func(o *redis.Options) { o.DB = 4 })
	must(g, third.FlushDB(g.ctx))
	must(g, fourth.FlushDB(g.ctx))
	must(g, third.Set(g.ctx, "db", "three", time.Hour))
	wantNil(g, fourth.Get(g.ctx, "db"))
	want(g, third.Move(g.ctx, "db", 4), true)
	want(g, third.Move(g.ctx, "db", 4), false)
	want(g, fourth.TTL(g.ctx, "db"), time.Hour)
	want(g, third.Do(g.ctx, "swapdb", 3, 4), any("OK"))
	want(g, third.Get(g.ctx, "db"), "three")
	want(g, third.Copy(g.ctx, "db", "db:copy", 4, false), 1)
	want(g, fourth.DBSize(g.ctx), 1)
	want(g, fourth.FlushDB(g.ctx), "OK")
	want(g, third.DBSize(g.ctx), 1)
	wantError(g, g.Do(g.ctx, "select", 16), "ERR DB index is out of range")
	wantError(g, g.Do(g.ctx, "move", "db", 16), "ERR DB index is out of range")
}

func goExpireConditions(g *goClient) {
	must(g, g.Set(g.ctx, "ec", 1, 0))
	want(g, g.ExpireXX(g.ctx, "ec", time.Hour), false)
	want(g, g.ExpireGT(g.ctx, "ec", time.Hour), false)
	want(g, g.ExpireNX(g.ctx, "ec", time.Hour), true)
	want(g, g.ExpireNX(g.ctx, "ec", time.Minute), false)
	want(g, g.ExpireGT(g.ctx, "ec", time.Minute), false)
	want(g, g.ExpireLT(g.ctx, "ec", time.Minute), true)
	want(g, g.ExpireXX(g.ctx, "ec", 2*time.Minute), true)
	want(g, g.TTL(g.ctx, "ec"), 2*time.Minute)
	want(g, g.Persist(g.ctx, "ec"), true)
	want(g, g.Persist(g.ctx, "ec"), false)
	want(g, g.Expire(g.ctx, "ec:none", time.Minute), false)
	want(g, g.TTL(g.ctx, "ec:none"), -2)
	wantError(g, g.Do(g.ctx, "expire", "ec", 10, "nx", "gt"), "ERR NX and XX, GT or LT options at the same time are not compatible")
	wantError(g, g.Do(g.ctx, "expire", "ec", "9223372036854775807"), "ERR invalid expire time in 'expire' command")
}

func goExpireAt(g *goClient) {
	must(g, g.Set(g.ctx, "ea", 1, 0))
	at := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	want(g, g.PExpireAt(g.ctx, "ea", at), true)
	want(g, g.PExpireTime(g.ctx, "ea"), time.Duration(at.UnixMilli())*time.Millisecond)
	want(g, g.ExpireAt(g.ctx, "ea", at), true)
	want(g, g.ExpireTime(g.ctx, "ea"), time.Duration(at.Unix())*time.Second)
	want(g, g.PExpire(g.ctx, "ea", 1500*time.Millisecond), true)
	left := must(g, g.PTTL(g.ctx, "ea"))
	truth(g, left > time.Second && left <= 1500*time.Millisecond, "PTTL is %v", left)
	want(g, g.ExpireAt(g.ctx, "ea", time.Unix(1, 0)), true)
	want(g, g.Exists(g.ctx, "ea"), 0)
}

func goExpired(g *goClient) {
	must(g, g.Set(g.ctx, "gone", "v", 60*time.Millisecond))
	want(g, g.Get(g.ctx, "gone"), "v")
	time.Sleep(100 * time.Millisecond)
	wantNil(g, g.Get(g.ctx, "gone"))
	want(g, g.Exists(g.ctx, "gone"), 0)
	want(g, g.TTL(g.ctx, "gone"), -2)
	want(g, g.SetNX(g.ctx, "gone", "w", 0), true)
	want(g, g.TTL(g.ctx, "gone"), -1)
}

// goExpiredUnasked waits until keys that nobody reads are gone by themselves.
func goExpiredUnasked(g *goClient) {
	db := g.another(func(o *redis.Options) { o.DB = 9 })
	must(g, db.FlushDB(g.ctx))
	_, err := db.Pipelined(g.ctx, func(p redis.Pipeliner) error {
		for i := range 3000 {
			p.Set(g.ctx, "un:"+strconv.Itoa(i), i, 100*time.Millisecond)
		}
		p.Set(g.ctx, "stays", 1, 0)
		return nil
	})
	truth(g, err == nil, "pipeline: %v", err)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && must(g, db.DBSize(g.ctx)) > 1; {
		time.Sleep(20 * time.Millisecond)
	}
	want(g, db.DBSize(g.ctx), 1)
}

// fill sets n keys of a prefix.
func fill(g *goClient, c *redis.Client, prefix string, n int) {
	_, err := c.Pipelined(g.ctx, func(p redis.Pipeliner) error {
		for i := range n {
			p.Set(g.ctx, fmt.Sprint(prefix, i), i, 0)
		}
		return nil
	})
	truth(g, err == nil, "pipeline: %v", err)
}

func goScan(g *goClient) {
	fill(g, g.Client, "scan:", 1000)
	for _, count := range []int64{1, 10, 5000} {
		seen := map[string]bool{}
		for it := g.Scan(g.ctx, 0, "scan:*", count).Iterator(); it.Next(g.ctx); {
			seen[it.Val()] = true
		}
		truth(g, len(seen) == 1000, "COUNT %d: saw %d keys", count, len(seen))
	}
	keys, _, err := g.ScanType(g.ctx, 0, "scan:*", 5000, "hash").Result()
	truth(g, err == nil && len(keys) == 0, "SCAN TYPE hash: %v, %v", keys, err)
	wantError(g, g.Do(g.ctx, "scan", "x"), "ERR invalid cursor")
	wantError(g, g.Do(g.ctx, "scan", 0, "count", 0), "ERR syntax error")
}

// goScanMoving holds SCAN to its promise: what is there all the time is seen.
func goScanMoving(g *goClient) {
	fill(g, g.Client, "still:", 500)
	seen := map[string]bool{}
	for cursor, round := uint64(0), 0; ; round++ {
		keys, next, err := g.Scan(g.ctx, cursor, "still:*", 20).Result()
		if err != nil {
			g.t.Fatal(err)
		}
		for _, key := range keys {
			seen[key] = true
		}
		fill(g, g.Client, fmt.Sprint("moving:", round, ":"), 50)
		must(g, g.Del(g.ctx, fmt.Sprint("moving:", round-1, ":1"), fmt.Sprint("moving:", round-1, ":2")))
		if cursor = next; cursor == 0 || round > 1000 {
			break
		}
	}
	truth(g, len(seen) == 500, "saw %d of 500 keys", len(seen))
}

func goKeysRandom(g *goClient) {
	db := g.another(func(o *redis.Options) { o.DB = 8 })
	must(g, db.FlushDB(g.ctx))
	wantNil(g, db.RandomKey(g.ctx))
	want(g, db.Keys(g.ctx, "*"), []string{})
	must(g, db.MSet(g.ctx, "hello", 1, "hallo", 2, "hxllo", 3, "heello", 4, "h*llo", 5))
	patterns := map[string][]string{"h?llo": {"h*llo", "hallo", "hello", "hxllo"}, "h[ae]llo": {"hallo", "hello"},
		"h[^e]llo": {"h*llo", "hallo", "hxllo"}, `h\*llo`: {"h*llo"}, "h*llo": {"h*llo", "hallo", "heello", "hello", "hxllo"}}
	for pattern, names := range patterns {
		keys := must(g, db.Keys(g.ctx, pattern))
		slices.Sort(keys)
		truth(g, slices.Equal(keys, names), "KEYS %s: %v", pattern, keys)
	}
	truth(g, must(g, db.RandomKey(g.ctx)) != "", "RANDOMKEY has no name")
}
