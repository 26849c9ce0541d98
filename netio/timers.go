package netio

import (
	"math"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
)

// timers are what a loop does by the clock. Times are monotonic nanoseconds.
type timers struct {
	awake      int64 // when the sockets were last looked at; 0: the loop has stood still since
	cronAt     int64
	tended     int // connection that was looked at last
	expireAt   int64
	background bool // the shard has more to tidy up
	busy       bool // some connection had something to say in this Step
	swept      bool // what is due had its turn last
	resumeAt   int64
	ended      bool
}

func (l *Loop) initTimers() { l.cronAt = l.mono }

// nextTimer is when the loop has to look around next.
func (l *Loop) nextTimer() int64 {
	if l.background || len(l.dropping) > 0 || l.node.returns[l.id].taken != nil {
		return l.mono
	}
	next := min(l.cronAt, l.expireAt)
	if l.resumeAt > 0 {
		next = min(next, l.resumeAt)
	}
	return next
}

func (l *Loop) runTimers() {
	l.runPosted()
	if l.mono >= l.cronAt {
		l.cron()
	}
	l.takeReturns()
	// What is due and what can wait take turns, so that no Step has both.
	waits := l.background || l.shard.Asked()
	if l.mono >= l.expireAt && !(waits && l.swept) {
		l.expire()
		l.swept = true
	} else if waits {
		l.background = l.shard.Background(l.leisure())
		l.swept = false
	}
	if len(l.dropping) > 0 {
		l.dropSome()
	}
	if l.resumeAt > 0 && l.mono >= l.resumeAt {
		l.resumeHeld()
	}
}

// cron does what is due a few times a second.
func (l *Loop) cron() {
	l.cronAt = l.mono + 1e9/max(1, l.cfg.Hz)
	if l.node.pauseCron {
		return
	}
	l.shard.Tick()
	l.background = true
	l.chargeHeap()
	l.sample()
	l.tendClients()
	l.tendHeld()
	l.rebalance()
	l.limitClients()
}

// leisure is for how many nanoseconds of a Step the loop may tidy up: clients
// that are there wait for it.
func (l *Loop) leisure() int64 {
	if l.busy {
		return 100_000
	}
	return 200_000
}

// expire removes what has expired, a bounded time long, and sets the timer for
// the next round.
func (l *Loop) expire() {
	if l.node.pauseCron {
		l.expireAt = l.cronAt
		return
	}
	more := l.shard.ExpireStep()
	l.expireAt = l.mono + 1e6
	if more {
		return
	}
	due := l.shard.NextDue()
	if due == math.MaxInt64 {
		l.expireAt = l.cronAt
		return
	}
	wait := max(1, due-l.shard.Now()) * 1e6
	l.expireAt = l.mono + min(wait, 100e6)
}

// configure takes over the configuration.
func (l *Loop) configure(v *config.Values) {
	l.cfg = v
	l.clientLimits, l.guestLimits = resp.DefaultLimits(), resp.GuestLimits()
	l.clientLimits.Bulk = int(v.ProtoMaxBulkLen)
	l.pipelineOrder(v.PipelineOrder)
	l.shard.Configure(l.node.shardOptions(v))
	if l.id == 0 {
		l.node.ledger.SetLimit(v.Maxmemory)
	}
}

// shardOptions are the options that concern a shard.
func (n *Node) shardOptions(v *config.Values) engine.Options {
	lfu := v.MaxmemoryPolicy == config.AllkeysLFU || v.MaxmemoryPolicy == config.VolatileLFU
	lru := v.MaxmemoryPolicy == config.AllkeysLRU || v.MaxmemoryPolicy == config.VolatileLRU
	slower := v.SlowlogLogSlowerThan
	if slower > 0 {
		slower *= 1000
	}
	return engine.Options{
		Policy: command.Policy{
			LFU: lfu, LFULogFactor: int(v.LFULogFactor), LFUDecayTime: int(v.LFUDecayTime),
			Shared:  v.Maxmemory == 0 || !lfu && !lru,
			MaxBulk: int(v.ProtoMaxBulkLen), Databases: int(v.Databases), Cluster: n.plane != nil,
		},
		Eviction:      engine.Eviction{Policy: v.MaxmemoryPolicy.String(), Samples: int(v.MaxmemorySamples), Tenacity: int(v.MaxmemoryEvictionTenacity)},
		SlowerThan:    slower,
		SlowLogLen:    int(v.SlowlogMaxLen),
		TrackLatency:  v.LatencyTracking,
		ExpireEffort:  int(v.ActiveExpireEffort),
		ActiveExpiry:  !n.keepExpired,
		LatencyEvents: v.LatencyMonitorThreshold * 1e6,
	}
}

// tendClients closes clients that were silent for longer than the option
// timeout says, or that have left more unread than the soft limit for its time.
// One cron looks at a part of the connections.
func (l *Loop) tendClients() {
	soft := l.outputLimit().Soft > 0
	if l.cfg.Timeout == 0 && !soft {
		return
	}
	look := len(l.conns)/int(max(1, l.cfg.Hz)) + 50
	for range min(look, len(l.conns)) {
		l.tended = (l.tended + 1) % len(l.conns)
		c := l.conns[l.tended]
		switch {
		case c == nil:
		case l.idles(c):
			l.node.log.Debug("client closed: idle", "client", c.peer.Remote)
			l.close(c)
		case soft && c.softSince > 0:
			l.checkOutput(c)
		}
	}
}

// idles tells that a client has been silent for too long.
func (l *Loop) idles(c *Conn) bool {
	return l.cfg.Timeout > 0 && c.batch == nil && !c.monitor && l.mono-c.touched > l.cfg.Timeout*1e9
}
