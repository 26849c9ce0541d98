package netio

import (
	"math"

	"github.com/elares/ironcache/engine/resp"
)

// ping answers PONG, or its argument.
func ping(r *Request) {
	switch r.Len() {
	case 1:
		r.Reply.Pong()
	case 2:
		r.Reply.Bulk(r.At(1))
	default:
		r.Reply.Error(resp.WrongArity("ping"))
	}
}

func echo(r *Request) { r.Reply.Bulk(r.At(1)) }

// selectDB moves the connection to another database.
func selectDB(r *Request) {
	db, ok := resp.ParseInt(r.At(1))
	switch {
	case !ok:
		r.Reply.Error(resp.ErrNotInteger)
	case db != int64(int32(db)):
		r.Reply.Error(resp.NotBetween(math.MinInt32, math.MaxInt32))
	case db != 0 && r.Loop.node.plane != nil:
		r.Reply.Error(resp.ErrSelectCluster)
	case db < 0 || db >= r.Loop.cfg.Databases:
		r.Reply.Error(resp.ErrDBIndex)
	default:
		r.Conn.db = int(db)
		r.Reply.OK()
	}
}

// quit closes the connection after the reply.
func quit(r *Request) {
	r.Reply.OK()
	r.Loop.hangUp(r.Conn)
}

// reset makes the connection as it was when it was new.
func reset(r *Request) {
	c := r.Conn
	r.Loop.endSession(c)
	libName, libVer := c.libName, c.libVer
	r.Loop.newSession(c)
	c.libName, c.libVer = libName, libVer
	r.Reply.Proto = c.proto
	r.Reply.Simple("RESET")
}

// role tells that the node is a master without replicas.
func role(r *Request) {
	r.Reply.Array(3)
	r.Reply.BulkString("master")
	r.Reply.Int(0)
	r.Reply.Array(0)
}

func aclWhoami(r *Request) { r.Reply.BulkString(defaultUser) }

func moduleList(r *Request) { r.Reply.Array(0) }

// startMonitor makes the connection see all requests from now on. All loops
// stand still: none misses one that is sent after the reply. One that sees them
// already gets no reply.
func startMonitor(r *Request) {
	if r.inExec() {
		r.Reply.Error(resp.ErrMonitorInExec)
		return
	}
	if r.Conn.monitor {
		return
	}
	r.Conn.monitor = true
	r.Loop.node.monitors.Add(1)
	r.Reply.OK()
}
