package netio

import "github.com/elares/ironcache/engine"

// noteStall notes for how long the loop has looked at no socket. Standing still
// at a barrier is no stall: what held it there is noted by itself.
func (l *Loop) noteStall() {
	if l.cfg.LatencyMonitorThreshold > 0 && l.awake > 0 {
		l.shard.NoteLatency(engine.LoopStall, l.clock.Monotonic()-l.awake)
	}
}
