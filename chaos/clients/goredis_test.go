package clients

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// checkTime bounds one check.
const checkTime = 15 * time.Second

// A goCheck is something that an application does through go-redis.
type goCheck struct {
	name string
	run  func(g *goClient)
}

// goClient is what a check works with: a client of its own, closed after it.
type goClient struct {
	*redis.Client
	t   *testing.T
	ctx context.Context
}

// silence keeps go-redis from logging what checks look at.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// goRedis runs all checks with a version of the protocol, as long as the server
// is there.
func goRedis(protocol int) func(*testing.T, string) score {
	redis.SetLogger(silence{})
	return func(t *testing.T, addr string) (s score) {
		options := &redis.Options{Addr: addr, Protocol: protocol}
		for _, c := range slices.Concat(goStrings, goKeys, goTransactions, goConnections, goServer) {
			good := t.Run(c.name, func(t *testing.T) { goRun(t, c, options) })
			s.add(!good)
			if !good && !answers(t, addr) {
				t.Errorf("no answer after the check %q; the others are left out", c.name)
				break
			}
		}
		return s
	}
}

// answers tells whether a server is there and not stuck.
func answers(t *testing.T, addr string) bool {
	c := redis.NewClient(&redis.Options{Addr: addr, DialTimeout: time.Second, ReadTimeout: time.Second, MaxRetries: -1, Protocol: 2})
	defer c.Close()
	return c.Ping(t.Context()).Err() == nil
}

func goRun(t *testing.T, c goCheck, options *redis.Options) {
	ctx, cancel := context.WithTimeout(t.Context(), checkTime)
	defer cancel()
	g := &goClient{t: t, ctx: ctx}
	g.Client = g.another(func(o *redis.Options) { *o = *options })
	c.run(g)
}

// another opens a further client with options that differ from those of g.
func (g *goClient) another(change func(*redis.Options)) *redis.Client {
	o := redis.Options{}
	if g.Client != nil {
		o = redis.Options{Addr: g.Options().Addr, Protocol: g.Options().Protocol}
	}
	change(&o)
	c := redis.NewClient(&o)
	g.t.Cleanup(func() { _ = c.Close() })
	return c
}

// A reply is a command that has been answered with a T.
type reply[T any] interface{ Result() (T, error) }

// must is the value of a reply that is no error.
func must[T any](g *goClient, r reply[T]) T {
	g.t.Helper()
	value, err := r.Result()
	if err != nil {
		g.t.Fatalf("%s: %s", shown(r), err)
	}
	return value
}

// want compares a reply with what it should be.
func want[T any](g *goClient, r reply[T], value T) {
	g.t.Helper()
	if got := must(g, r); !reflect.DeepEqual(got, value) {
		g.t.Errorf("%s: got %.200v, want %.200v", shown(r), got, value)
	}
}

// wantNil expects the reply that stands for nothing.
func wantNil(g *goClient, r interface{ Err() error }) {
	g.t.Helper()
	if r.Err() != redis.Nil {
		g.t.Errorf("%s: got error %v, want nil reply", shown(r), r.Err())
	}
}

// wantError expects an error that begins with text.
func wantError(g *goClient, r interface{ Err() error }, text string) {
	g.t.Helper()
	if err := r.Err(); err == nil || !strings.HasPrefix(err.Error(), text) {
		g.t.Errorf("%s: got error %v, want %s", shown(r), err, text)
	}
}

// truth expects a condition that no reply holds by itself.
func truth(g *goClient, ok bool, format string, args ...any) {
	g.t.Helper()
	if !ok {
		g.t.Errorf(format, args...)
	}
}

// shown is a command and its reply, as far as they fit a line.
func shown(r any) string {
	if c, ok := r.(redis.Cmder); ok {
		return fmt.Sprintf("%.100q", fmt.Sprint(c.Args()...))
	}
	return fmt.Sprintf("%T", r)
}
