package proc

import (
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sameAsRedis are requests to which a node in no cluster replies as redis-server
// does, in this order: errors, and what is asked of the node alone.
var sameAsRedis = []string{
	"cluster keyslot {b}c",
	"cluster myid x",
	"cluster countkeysinslot 1",
	"cluster countkeysinslot x",
	"cluster countkeysinslot 16384",
	"cluster countkeysinslot -1",
	"cluster getkeysinslot 1 5",
	"cluster getkeysinslot x 5",
	"cluster getkeysinslot 1 x",
	"cluster getkeysinslot 1 -1",
	"cluster getkeysinslot 16384 1",
	"cluster links",
	"cluster slots",
	"cluster saveconfig",
	"cluster addslots 16384",
	"cluster addslots x",
	"cluster addslots -1",
	"cluster addslots 1 2 1",
	"cluster addslots 1 2 3",
	"cluster addslots 4 3",
	"cluster addslots 5 16384 3",
	"cluster addslotsrange 1",
	"cluster addslotsrange 10 20 30",
	"cluster addslotsrange 20 10",
	"cluster addslotsrange 10 16384",
	"cluster addslotsrange 3 5",
	"cluster addslotsrange 10 20 15 16",
	"cluster addslotsrange 10 20 30 40",
	"cluster delslots 16384",
	"cluster delslots 100",
	"cluster delslots 10 10",
	"cluster delslots 10 12",
	"cluster delslots 10",
	"cluster delslotsrange 30",
	"cluster delslotsrange 30 31 5",
	"cluster delslotsrange 31 30",
	"cluster delslotsrange 30 100",
	"cluster delslotsrange 30 31 30 31",
	"cluster delslotsrange 30 40",
	"cluster set-config-epoch x",
	"cluster set-config-epoch -1",
	"cluster set-config-epoch",
	"cluster count-failure-reports x",
	"cluster replicas x",
	"cluster slaves x",
	"cluster forget x",
	"cluster replicate x",
	"cluster failover",
	"cluster failover force",
	"cluster failover x",
	"cluster failover force x",
	"cluster reset x",
	"cluster reset soft x",
	"cluster meet 127.0.0.1",
	"cluster meet 127.0.0.1 x",
	"cluster meet 127.0.0.1 7000 x",
	"cluster meet nowhere 7000",
	"cluster meet 127.0.0.1 0",
	"cluster meet 127.0.0.1 70000",
	"cluster meet 127.0.0.1 7000 70000",
	"cluster meet 127.0.0.1 7000 17000 1",
	"cluster setslot 1",
	"cluster setslot x stable",
	"cluster setslot 16384 stable",
	"cluster setslot 100 stable",
	"cluster setslot 100 stable x",
	"cluster setslot 100 what x",
	"cluster setslot 100 migrating",
	"cluster setslot 100 migrating x",
	"cluster setslot 100 importing x",
	"cluster setslot 100 node x",
	"cluster flushslots x",
	"cluster flushslots",
	"cluster slots",
	"cluster nosuch",
	"asking",
	"asking x",
	"readonly",
	"readwrite",
	"select 0",
	"select 1",
	"select 99",
	"select x",
	"swapdb 0 1",
	"swapdb x 1",
	"move b 1",
	"copy b {b}c db 1",
	"get b",
	"mget b c",
	"cluster reset",
}

// pair is a node of ours and one of theirs, each in no cluster yet.
type pair struct {
	*bench
	ours, theirs string // addresses
}

func newPair(t *testing.T, flags ...string) *pair {
	t.Helper()
	theirs := startTheirs(t, flags...)
	b := benchOf(t, New, 1, flags...)
	return &pair{b, b.Nodes[0].Addr(), theirs}
}

// same compares the replies to requests in both protocols, with what must differ
// taken out of them.
func (p *pair) same(lines []string, plain func(addr, text string) string) {
	p.t.Helper()
	for _, protocol := range []string{"2", "3"} {
		a, b := p.dial(p.ours, protocol), p.dial(p.theirs, protocol)
		for _, line := range lines {
			got, err := a.Do(strings.Fields(line)...)
			want, errToo := b.Do(strings.Fields(line)...)
			ours, theirs := plain(p.ours, got.Print()), plain(p.theirs, want.Print())
			if err != nil || errToo != nil || ours != theirs {
				p.t.Errorf("RESP%s %s\n\tours   %s\ttheirs %s%v%v", protocol, line, ours, theirs, err, errToo)
			}
		}
	}
}

// On a node in no cluster, what both have is the same to the byte.
func TestUnformedNodeAsRedis(t *testing.T) {
	newPair(t).same(sameAsRedis, func(_, text string) string { return text })
}

// differing is what two nodes cannot have in common: ids, and epochs, which here
// are indices of the log.
var differing = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "ID"},
	{regexp.MustCompile(`(epoch:|STILL )\d+`), "${1}N"},
	{regexp.MustCompile(`(master - 0 0) \d+`), "$1 N"},
}

// A node that owns all slots describes itself as a node of theirs does, whatever
// it wants to be called.
func TestClusterOfOneAsRedis(t *testing.T) {
	for _, endpoint := range []string{"ip", "hostname", "unknown-endpoint"} {
		t.Run(endpoint, func(t *testing.T) {
			p := newPair(t, "--cluster-announce-hostname", "one.example", "--cluster-preferred-endpoint-type", endpoint)
			for _, addr := range []string{p.ours, p.theirs} {
				c := p.dial(addr, "2")
				for _, line := range []string{"cluster addslotsrange 0 4999 5001 16383", "cluster addslots 5000"} {
					if got := p.ask(c, line); got != "OK" {
						t.Fatalf("%s at %s: %s", line, addr, got)
					}
				}
				p.until("all is well", func() bool { return strings.HasPrefix(p.ask(c, "cluster info"), "cluster_state:ok") })
			}
			p.ask(p.dial(p.theirs, "2"), "cluster bumpepoch") // from 0
			p.same([]string{
				"cluster info", "cluster nodes", "cluster slots", "cluster shards", "cluster links", "cluster myid", "cluster bumpepoch",
				"cluster set-config-epoch 5", "cluster addslots 5", "set b 1", "cluster countkeysinslot 3300", "cluster getkeysinslot 3300 2",
				"cluster flushslots", "cluster reset", "mget b c", "del b", "dbsize",
			}, func(addr, text string) string {
				_, port, _ := net.SplitHostPort(addr)
				n, _ := strconv.Atoi(port)
				text = strings.ReplaceAll(strings.ReplaceAll(text, port, "PORT"), strconv.Itoa(n+10000), "BUS")
				for _, d := range differing {
					text = d.is.ReplaceAllString(text, d.as)
				}
				return text
			})
		})
	}
}
