package netio

import "github.com/elares/ironcache/engine"

// A loop stalls while it looks at no socket. How long the longest stall was is
// measured while latency-monitor-threshold is above 0: as time on the clock,
// as time without what others had the cores for, and as processor time. On a
// busy machine only the latter two say something about the loop.
type stallMeter struct {
	read        func() (ran, waited int64) // of the loop's thread; see About.Meter
	ran, waited int64                      // as of the last look at the sockets
	left        int64                      // when the last Step ended, monotonic nanoseconds; 0: not measured
}

// stalls are the longest ones, in nanoseconds.
type stalls struct{ wall, held, busy int64 }

// endStall notes for how long the loop has looked at no socket. Standing still
// at a barrier is no stall: what held it there is noted by itself.
func (l *Loop) endStall() {
	if l.cfg.LatencyMonitorThreshold == 0 || l.awake == 0 {
		return
	}
	wall := l.clock.Monotonic() - l.awake
	ran, waited := l.meterThread()
	most := &l.stats.stalls
	most.wall = max(most.wall, wall)
	held := wall - (waited - l.meter.waited)
	most.held = max(most.held, held)
	// A virtual machine may charge a thread for what it did not do.
	most.busy = max(most.busy, min(ran-l.meter.ran, held))
	l.shard.NoteLatency(engine.LoopStall, wall)
}

// beginStall notes that the loop has looked at the sockets now.
func (l *Loop) beginStall() {
	l.awake = l.mono
	if l.cfg.LatencyMonitorThreshold > 0 {
		l.meter.ran, l.meter.waited = l.meterThread()
	}
}

// leaveStall ends a Step and enterStall begins one: what lies between, as when
// somebody steps a loop by hand, is no stall. A loop that enters a Step may be
// standing still, with a coordinator that changes its configuration.
func (l *Loop) leaveStall() {
	l.meter.left = 0
	if l.cfg.LatencyMonitorThreshold > 0 {
		l.meter.left = l.clock.Monotonic()
	}
}

func (l *Loop) enterStall() {
	if l.meter.left > 0 && l.awake > 0 {
		l.awake += l.mono - l.meter.left
	}
}

func (l *Loop) meterThread() (ran, waited int64) {
	if l.node.about.Meter == nil {
		return 0, 0
	}
	if l.meter.read == nil {
		l.meter.read = l.node.about.Meter()
	}
	return l.meter.read()
}

// stalls are the longest of all loops, which stand still.
func (n *Node) stalls() (most stalls) {
	for _, l := range n.loops {
		s := &l.stats.stalls
		most.wall, most.held, most.busy = max(most.wall, s.wall), max(most.held, s.held), max(most.busy, s.busy)
	}
	return most
}
