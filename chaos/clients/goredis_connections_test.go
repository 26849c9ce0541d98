package clients

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var goConnections = []goCheck{
	{"HELLO says who is there", goHello},
	{"names, ids and the list of clients", goClientList},
	{"AUTH", goAuth},
	{"500 connections at once", goManyConnections},
	{"CLIENT KILL and going on", goKill},
	{"RESET", goReset},
	{"CLIENT PAUSE of writers", goPause},
	{"CLIENT REPLY", goReplyOff},
	{"a connection dropped in the middle", goDropped},
}

func goHello(g *goClient) {
	conn := g.Conn()
	defer conn.Close()
	hello := must(g, conn.Hello(g.ctx, 3, "", "", "hello-name"))
	for _, field := range []string{"server", "version", "proto", "id", "mode", "role", "modules"} {
		_, ok := hello[field]
		truth(g, ok, "HELLO has no %s: %v", field, hello)
	}
	truth(g, hello["proto"] == int64(3) && hello["server"] == "redis" && hello["role"] == "master", "HELLO 3: %v", hello)
	want(g, conn.ClientGetName(g.ctx), "hello-name")
	hello = must(g, conn.Hello(g.ctx, 2, "", "", ""))
	truth(g, hello["proto"] == int64(2), "HELLO 2: %v", hello)
	wantError(g, conn.Do(g.ctx, "hello", 4), "NOPROTO unsupported protocol version")
	wantError(g, conn.Do(g.ctx, "hello", "x"), "ERR Protocol version is not an integer or out of range")
}

func goClientList(g *goClient) {
	named := g.another(func(o *redis.Options) { o.ClientName, o.DB, o.PoolSize = "matrix", 5, 1 })
	id := must(g, named.ClientID(g.ctx))
	want(g, named.ClientGetName(g.ctx), "matrix")
	info := must(g, named.ClientInfo(g.ctx))
	truth(g, info.ID == id && info.Name == "matrix" && info.DB == 5 && info.User == "default", "CLIENT INFO: %+v", info)
	truth(g, info.Resp == named.Options().Protocol, "CLIENT INFO has resp=%d", info.Resp)
	line := fmt.Sprintf("id=%d addr=", id)
	truth(g, strings.Contains(must(g, g.ClientList(g.ctx)), line), "CLIENT LIST has no %s", line)
	if g.knows("client|setinfo") {
		truth(g, info.LibName != "" && info.LibVer != "", "CLIENT INFO has no library: %+v", info)
	}
	wantError(g, g.Do(g.ctx, "client", "setname", "a b"), "ERR Client names cannot contain spaces")
	wantError(g, g.Do(g.ctx, "client", "nosuch"), "ERR unknown subcommand 'nosuch'. Try CLIENT HELP.")
}

// knows tells whether the server has a command.
func (g *goClient) knows(name string) bool {
	info, err := g.Do(g.ctx, "command", "info", name).Slice()
	return err == nil && len(info) == 1 && info[0] != nil
}

func goAuth(g *goClient) {
	inside := g.Conn() // a connection that stays authenticated
	defer inside.Close()
	want(g, inside.ConfigSet(g.ctx, "requirepass", "secret word"), "OK")
	defer func() { want(g, inside.ConfigSet(context.WithoutCancel(g.ctx), "requirepass", ""), "OK") }()
	with := func(user, password string) *redis.Client {
		return g.another(func(o *redis.Options) { o.Username, o.Password = user, password })
	}
	wantError(g, with("", "").Get(g.ctx, "a"), "NOAUTH Authentication required.")
	wrong := with("", "wrong").Ping(g.ctx)
	wantError(g, wrong, "WRONGPASS invalid username-password pair or user is disabled.")
	truth(g, redis.IsAuthError(wrong.Err()), "go-redis does not know %v", wrong.Err())
	wantError(g, with("nobody", "secret word").Ping(g.ctx), "WRONGPASS")
	want(g, with("", "secret word").Ping(g.ctx), "PONG")
	want(g, with("default", "secret word").Ping(g.ctx), "PONG")
	want(g, inside.Ping(g.ctx), "PONG")
}

func goManyConnections(g *goClient) {
	const n = 500
	pool := g.another(func(o *redis.Options) { o.PoolSize, o.PoolTimeout, o.DialTimeout = n, checkTime, checkTime })
	conns := make([]*redis.Conn, n)
	together(50, func(worker int) {
		for i := worker; i < n; i += 50 {
			conns[i] = pool.Conn()
			want(g, conns[i].Set(g.ctx, "conn:"+strconv.Itoa(i), i, 0), "OK")
		}
	})
	clients, _ := strconv.Atoi(g.InfoMap(g.ctx, "clients").Item("Clients", "connected_clients"))
	truth(g, clients > n, "connected_clients is %d", clients)
	together(50, func(worker int) {
		for i := worker; i < n; i += 50 {
			want(g, conns[i].Get(g.ctx, "conn:"+strconv.Itoa((i+1)%n)), strconv.Itoa((i+1)%n))
			_ = conns[i].Close()
		}
	})
}

func goKill(g *goClient) {
	one := g.another(func(o *redis.Options) { o.PoolSize, o.ClientName = 1, "victim" })
	first := must(g, one.ClientID(g.ctx))
	want(g, g.ClientKillByFilter(g.ctx, "ID", strconv.FormatInt(first, 10)), 1)
	want(g, one.Set(g.ctx, "after the kill", 1, 0), "OK")
	second := must(g, one.ClientID(g.ctx))
	truth(g, second > first, "client %d came after %d", second, first)
	want(g, one.ClientGetName(g.ctx), "victim")
	addr := must(g, one.ClientInfo(g.ctx)).Addr
	want(g, g.ClientKill(g.ctx, addr), "OK")
	want(g, one.Get(g.ctx, "after the kill"), "1")
	want(g, g.ClientKillByFilter(g.ctx, "ID", strconv.FormatInt(first, 10)), 0)
	wantError(g, g.ClientKill(g.ctx, "1.2.3.4:5"), "ERR No such client")
}

func goReset(g *goClient) {
	conn := g.Conn()
	defer conn.Close()
	want(g, conn.Select(g.ctx, 7), "OK")
	want(g, conn.Do(g.ctx, "client", "setname", "before"), any("OK"))
	want(g, conn.Do(g.ctx, "multi"), any("OK"))
	want(g, conn.Do(g.ctx, "reset"), any("RESET"))
	wantError(g, conn.Do(g.ctx, "exec"), "ERR EXEC without MULTI")
	info := must(g, conn.ClientInfo(g.ctx))
	truth(g, info.DB == 0 && info.Name == "" && info.Resp == 2, "after RESET: %+v", info)
}

func goPause(g *goClient) {
	began := time.Now()
	want(g, g.Do(g.ctx, "client", "pause", 300, "write"), any("OK"))
	wantNil(g, g.Get(g.ctx, "pause"))
	truth(g, time.Since(began) < 250*time.Millisecond, "a read waited %v", time.Since(began))
	want(g, g.Set(g.ctx, "pause", 1, 0), "OK")
	truth(g, time.Since(began) >= 300*time.Millisecond, "a write waited only %v", time.Since(began))
	want(g, g.Do(g.ctx, "client", "pause", 60000, "write"), any("OK"))
	want(g, g.Do(g.ctx, "client", "unpause"), any("OK"))
	want(g, g.Set(g.ctx, "pause", 1, 0), "OK")
	want(g, g.Get(g.ctx, "pause"), "1")
}

// goReplyOff sends raw bytes: go-redis has no way to wait for no reply.
func goReplyOff(g *goClient) {
	conn, err := net.Dial("tcp", g.Options().Addr)
	if err != nil {
		g.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(checkTime))
	fmt.Fprint(conn, "CLIENT REPLY SKIP\r\nSET quiet 1\r\nINCR quiet\r\nCLIENT REPLY OFF\r\nINCR quiet\r\nCLIENT REPLY ON\r\nGET quiet\r\n")
	wanted := ":2\r\n+OK\r\n$1\r\n3\r\n"
	got := make([]byte, len(wanted))
	for n := 0; n < len(got); {
		more, err := conn.Read(got[n:])
		if n += more; err != nil {
			g.t.Fatalf("%v after %q", err, got[:n])
		}
	}
	truth(g, string(got) == wanted, "replies are %q", got)
}

// goDropped leaves requests half sent and replies unread; others do not notice.
func goDropped(g *goClient) {
	for i := range 50 {
		conn, err := net.Dial("tcp", g.Options().Addr)
		if err != nil {
			g.t.Fatal(err)
		}
		fmt.Fprintf(conn, "*3\r\n$3\r\nSET\r\n$7\r\ndropped\r\n$1000000\r\n%s", strings.Repeat("x", i*1000))
		_ = conn.Close()
	}
	want(g, g.Exists(g.ctx, "dropped"), 0)
	want(g, g.Ping(g.ctx), "PONG")
}
