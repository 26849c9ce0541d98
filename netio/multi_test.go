package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
)

// At the memory limit a transaction that takes memory is turned away as a whole,
// and nothing more is queued. The replies are redis-server's.
func TestTransactionsAtTheMemoryLimit(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		place := newTownIn(t, sim.New(1, sim.Mix{}), shards)
		writer, reader, chief := place.dial(), place.dial(), place.dial()
		writer.pipeline("multi", "del a", "set a x", "incr b")
		reader.pipeline("multi", "get a", "exists b")
		writer.next(4)
		reader.next(3)
		chief.line("config set maxmemory 1")
		oom := "-" + string(resp.ErrOutOfMemory) + "\r\n"
		abort := "-" + string(resp.ExecAborted(resp.ErrOutOfMemory)) + "\r\n"
		writer.check([2]string{"exec", abort}, [2]string{"exec", "-ERR EXEC without MULTI\r\n"},
			[2]string{"multi", "+OK\r\n"}, [2]string{"get a", oom}, [2]string{"exec", "-" + string(resp.ErrExecAbort) + "\r\n"})
		reader.check([2]string{"exec", "*2\r\n$-1\r\n:0\r\n"})
	})
}

// A transaction is kept as it was queued, however the stream was cut and
// whatever the buffers were used for since.
func TestQueuedCommandsKeepTheirArguments(t *testing.T) {
	eachSeed(t, 15, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		place := newTownIn(t, world, 1+d.below(4))
		queueing, others := place.dial(), []*caller{place.dial(), place.dial()}
		const count = 300
		lines, want := []string{"multi"}, resp.Writer{Proto: 2}
		want.Array(2 * count)
		for i := range count {
			value := strings.Repeat(fmt.Sprint(i, "."), 1+d.below(100))
			lines = append(lines, fmt.Sprintf("set q%d %s", i, value), fmt.Sprintf("get q%d", i))
			want.OK()
			want.BulkString(value)
		}
		rest := requests(append(lines, "exec")...)
		replies := 0
		place.until("the reply to EXEC", func() bool {
			queueing.deal(d, &rest, 20_000)
			for _, other := range others {
				if other.Unsent() == 0 {
					other.pipeline("set x " + strings.Repeat("z", d.below(5000)))
				}
				other.arrived()
			}
			for _, reply := range queueing.arrived() {
				if replies++; replies == 2*count+2 && reply != string(want.Bytes()) {
					t.Error("wrong reply to EXEC")
				}
			}
			return replies == 2*count+2
		})
	})
}
