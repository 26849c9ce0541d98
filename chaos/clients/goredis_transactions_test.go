package clients

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

var goTransactions = []goCheck{
	{"pipeline of 10000", goPipeline},
	{"pipeline with an error inside", goPipelineError},
	{"pipeline sees its own writes", goPipelineOrder},
	{"MULTI and EXEC", goMultiExec},
	{"an error while EXEC runs", goExecError},
	{"an error while commands are queued", goExecAbort},
	{"DISCARD", goDiscard},
	{"WATCH with a change in between", goWatchChanged},
	{"WATCH and expiry", goWatchExpired},
	{"optimistic increments", goOptimistic},
	{"transfers keep the sum", goTransfers},
	{"a lock by SET NX and WATCH", goLock},
}

func goPipeline(g *goClient) {
	replies, err := g.Pipelined(g.ctx, func(p redis.Pipeliner) error {
		for i := range 10000 {
			p.Incr(g.ctx, "pipe:"+strconv.Itoa(i%10))
		}
		return nil
	})
	truth(g, err == nil && len(replies) == 10000, "%d replies, %v", len(replies), err)
	for i, r := range replies {
		if got := r.(*redis.IntCmd).Val(); got != int64(i/10+1) {
			g.t.Fatalf("reply %d is %d", i, got)
		}
	}
}

func goPipelineError(g *goClient) {
	p := g.Pipeline()
	set, wrong, unknown, get := p.Set(g.ctx, "pe", "x", 0), p.Incr(g.ctx, "pe"), p.Do(g.ctx, "nosuch", "a"), p.Get(g.ctx, "pe")
	_, err := p.Exec(g.ctx)
	truth(g, err != nil, "no error")
	want(g, set, "OK")
	wantError(g, wrong, "ERR value is not an integer or out of range")
	wantError(g, unknown, "ERR unknown command 'nosuch', with args beginning with: 'a'")
	want(g, get, "x")
}

// goPipelineOrder mixes keys of all shards with commands over many of them.
func goPipelineOrder(g *goClient) {
	p := g.Pipeline()
	var gets []*redis.StringCmd
	var counts []*redis.IntCmd
	for i := range 300 {
		name := "po:" + strconv.Itoa(i)
		p.Set(g.ctx, name, i, 0)
		gets = append(gets, p.Get(g.ctx, name))
		counts = append(counts, p.Exists(g.ctx, name, "po:0", "po:"+strconv.Itoa(i/2)))
	}
	_, err := p.Exec(g.ctx)
	truth(g, err == nil, "pipeline: %v", err)
	for i := range gets {
		want(g, gets[i], strconv.Itoa(i))
		want(g, counts[i], 3)
	}
}

func goMultiExec(g *goClient) {
	p := g.TxPipeline()
	set, incr := p.Set(g.ctx, "tx:a", 1, time.Hour), p.IncrBy(g.ctx, "tx:a", 5)
	many, none, ttl := p.MGet(g.ctx, "tx:a", "tx:b"), p.Get(g.ctx, "tx:none"), p.TTL(g.ctx, "tx:a")
	_, err := p.Exec(g.ctx)
	truth(g, err == redis.Nil, "EXEC: %v", err)
	want(g, set, "OK")
	want(g, incr, 6)
	want(g, many, []any{"6", nil})
	wantNil(g, none)
	want(g, ttl, time.Hour)
}

func goExecError(g *goClient) {
	p := g.TxPipeline()
	set, wrong, get := p.Set(g.ctx, "xe", "x", 0), p.Incr(g.ctx, "xe"), p.Get(g.ctx, "xe")
	_, err := p.Exec(g.ctx)
	truth(g, err != nil, "no error")
	want(g, set, "OK")
	wantError(g, wrong, "ERR value is not an integer or out of range")
	want(g, get, "x")
}

func goExecAbort(g *goClient) {
	_, err := g.TxPipelined(g.ctx, func(p redis.Pipeliner) error {
		p.Set(g.ctx, "xa", 1, 0)
		p.Do(g.ctx, "get", "xa", "xa", "xa")
		return nil
	})
	truth(g, err != nil, "no error")
	want(g, g.Exists(g.ctx, "xa"), 0)
	conn := g.Conn()
	defer conn.Close()
	want(g, conn.Do(g.ctx, "multi"), any("OK"))
	wantError(g, conn.Do(g.ctx, "multi"), "ERR MULTI calls can not be nested")
	wantError(g, conn.Do(g.ctx, "watch", "xa"), "ERR WATCH inside MULTI is not allowed")
	want(g, conn.Do(g.ctx, "get", "xa"), any("QUEUED"))
	wantError(g, conn.Do(g.ctx, "nosuch"), "ERR unknown command")
	exec := conn.Do(g.ctx, "exec")
	wantError(g, exec, "EXECABORT Transaction discarded because of previous errors.")
	truth(g, redis.IsExecAbortError(exec.Err()), "go-redis does not know %v", exec.Err())
	wantError(g, conn.Do(g.ctx, "exec"), "ERR EXEC without MULTI")
}

func goDiscard(g *goClient) {
	conn := g.Conn()
	defer conn.Close()
	want(g, conn.Do(g.ctx, "multi"), any("OK"))
	want(g, conn.Do(g.ctx, "set", "dis", 1), any("QUEUED"))
	want(g, conn.Do(g.ctx, "discard"), any("OK"))
	want(g, conn.Exists(g.ctx, "dis"), 0)
	wantError(g, conn.Do(g.ctx, "discard"), "ERR DISCARD without MULTI")
}

// watched runs a transaction on key, with something happening before EXEC.
func watched(g *goClient, key string, between func()) error {
	return g.Watch(g.ctx, func(tx *redis.Tx) error {
		between()
		_, err := tx.TxPipelined(g.ctx, func(p redis.Pipeliner) error { return p.Set(g.ctx, key, "mine", 0).Err() })
		return err
	}, key, key+":second")
}

func goWatchChanged(g *goClient) {
	changes := map[string]func(){
		"set":    func() { g.Set(g.ctx, "w", "theirs", 0) },
		"delete": func() { g.Del(g.ctx, "w") },
		"append": func() { g.Append(g.ctx, "w:second", "x") },
		"expire": func() { g.Expire(g.ctx, "w", time.Hour) },
		"rename": func() { g.Rename(g.ctx, "w", "w:other") },
		"swap":   func() { g.Do(g.ctx, "swapdb", 0, 15); g.Do(g.ctx, "swapdb", 0, 15) },
	}
	for name, change := range changes {
		must(g, g.Set(g.ctx, "w", "first", 0))
		err := watched(g, "w", change)
		truth(g, err == redis.TxFailedErr, "%s: %v", name, err)
	}
	must(g, g.Set(g.ctx, "w", "first", 0))
	err := watched(g, "w", func() { g.Get(g.ctx, "w"); g.Set(g.ctx, "w:third", 1, 0); g.Del(g.ctx, "w:none") })
	truth(g, err == nil, "reads and other keys: %v", err)
	want(g, g.Get(g.ctx, "w"), "mine")
}

func goWatchExpired(g *goClient) {
	must(g, g.Set(g.ctx, "we", "first", 50*time.Millisecond))
	err := watched(g, "we", func() { time.Sleep(100 * time.Millisecond) })
	truth(g, err == redis.TxFailedErr, "a key that expired: %v", err)
}

// together runs n of the same and waits for all.
func together(n int, work func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { work(i) })
	}
	group.Wait()
}

// attempt repeats a transaction until nothing comes in between.
func attempt(g *goClient, body func(*redis.Tx) error, keys ...string) {
	for {
		err := g.Watch(g.ctx, body, keys...)
		if err == nil {
			return
		}
		if !errors.Is(err, redis.TxFailedErr) {
			g.t.Error(err)
			return
		}
	}
}

func goOptimistic(g *goClient) {
	must(g, g.Set(g.ctx, "opt", 0, 0))
	together(8, func(int) {
		for range 10 {
			attempt(g, func(tx *redis.Tx) error {
				n, err := tx.Get(g.ctx, "opt").Int()
				if err != nil {
					return err
				}
				_, err = tx.TxPipelined(g.ctx, func(p redis.Pipeliner) error { return p.Set(g.ctx, "opt", n+1, 0).Err() })
				return err
			}, "opt")
		}
	})
	want(g, g.Get(g.ctx, "opt"), "80")
}

// goTransfers moves amounts between accounts of several shards while a reader
// adds all of them up in one command.
func goTransfers(g *goClient) {
	accounts := []string{"acc:a", "acc:b", "acc:c", "acc:d"}
	for _, name := range accounts {
		must(g, g.Set(g.ctx, name, 100, 0))
	}
	together(5, func(worker int) {
		for i := range 50 {
			if worker == 0 {
				goSum(g, accounts, 400)
				continue
			}
			_, err := g.TxPipelined(g.ctx, func(p redis.Pipeliner) error {
				p.DecrBy(g.ctx, accounts[(worker+i)%4], 7)
				p.IncrBy(g.ctx, accounts[(worker+2*i+1)%4], 7)
				return nil
			})
			truth(g, err == nil, "transfer: %v", err)
		}
	})
	goSum(g, accounts, 400)
}

func goSum(g *goClient, names []string, total int) {
	values, err := g.MGet(g.ctx, names...).Result()
	sum := 0
	for _, value := range values {
		n, _ := strconv.Atoi(fmt.Sprint(value))
		sum += n
	}
	truth(g, err == nil && sum == total, "the accounts hold %d: %v, %v", sum, values, err)
}

// goLock guards a counter that is read and written in two steps.
func goLock(g *goClient) {
	together(4, func(worker int) {
		token := fmt.Sprint("worker ", worker)
		for range 15 {
			acquire(g, "lock", token)
			n, _ := g.Get(g.ctx, "lock:counter").Int()
			g.Set(g.ctx, "lock:counter", n+1, 0)
			release(g, "lock", token)
		}
	})
	want(g, g.Get(g.ctx, "lock:counter"), "60")
	acquire(g, "lock", "first")
	release(g, "lock", "second")
	want(g, g.Get(g.ctx, "lock"), "first")
}

func acquire(g *goClient, lock, token string) {
	for {
		got, err := g.SetNX(g.ctx, lock, token, 10*time.Second).Result()
		if got || err != nil {
			truth(g, err == nil, "lock: %v", err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// release deletes a lock that is still ours.
func release(g *goClient, lock, token string) {
	attempt(g, func(tx *redis.Tx) error {
		if tx.Get(g.ctx, lock).Val() != token {
			return nil
		}
		_, err := tx.TxPipelined(g.ctx, func(p redis.Pipeliner) error { return p.Del(g.ctx, lock).Err() })
		return err
	}, lock)
}
