package proc

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/differ"
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

// On a node in no cluster, what both have is the same to the byte.
func TestUnformedNodeAsRedis(t *testing.T) {
	binaryOfRedis, err := differ.RedisBinary()
	if errors.Is(err, differ.ErrNoRedis) && os.Getenv(differ.EnvSkipRedis) == "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	port, err := freePorts()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := differ.StartIn(t.TempDir(), port, "redis-server", binaryOfRedis, "--cluster-enabled", "yes", "--save", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(theirs.Stop)
	ours := newBench(t, 1).Nodes[0]
	for _, protocol := range []string{"2", "3"} {
		asks := func(addr string) *differ.Conn {
			c, err := differ.Dial(addr)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)
			if _, err := c.Do("HELLO", protocol); err != nil {
				t.Fatal(err)
			}
			return c
		}
		a, b := asks(ours.Addr()), asks(theirs.Addr)
		for _, line := range sameAsRedis {
			got, err := a.Do(strings.Fields(line)...)
			want, errToo := b.Do(strings.Fields(line)...)
			if err != nil || errToo != nil || got.Print() != want.Print() {
				t.Errorf("RESP%s %s\n\tours  %s\ttheirs %s%v%v", protocol, line, got.Print(), want.Print(), err, errToo)
			}
		}
	}
}
