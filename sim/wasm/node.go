package wasm

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/env"
)

// Node is a node of a cluster: a machine, and the instance that runs on it
// while it is up.
type Node struct {
	Machine *sim.Machine
	Start   door.Start // of its next life

	cluster *Cluster
	id      int
	lives   int
	life    *life // nil while it is down
	reached int64
	// Fuse is after how many calls of doors the node's next life ends, in the
	// middle of its start or later; 0: it goes on.
	Fuse int64
	slowness
	// Slowed counts the calls of doors that took longer on a slow core.
	Slowed uint64
	// Steps counts how often the node went on.
	Steps uint64
	// Stood counts how often a pause kept the node from going on.
	Stood uint64
	// Crashed tells that the last life ended at the call of a door that CrashIn
	// or Fuse had set.
	Crashed bool
	// Memory is the most bytes that any of its lives has had, the last one's end
	// included.
	Memory int64
	// Ended tells why its last life ended by itself: what the program returned
	// with, or what went wrong. nil: it was ended from outside.
	Ended error
}

// life is one incarnation of a node.
type life struct {
	node    *Node
	world   *sim.World
	doors   env.World
	pollers []env.Poller
	armed   []awaiting // by poller
	bells   []byte     // names of pollers to be rung, that the guest did not read yet
	files   []env.File
	why     string // the text of the last error

	time      int64 // true time that this node has reached
	began     int64 // when the step began
	calls     int   // of doors, in this step
	stuck     error // why the step had to be ended
	timer     uint64
	timerDue  bool
	waiting   bool // in poll, for its timer or a bell
	wantBells bool
	pausedTo  int64
	crashIn   int64 // calls of doors until a crash; 0: none
	crashed   bool  // by crashIn
	pauseIn   int64 // calls of doors until it stands still for pauseFor; 0: none
	pauseFor  int64
	behind    int64 // how long it stands still behind the next read of a client; 0: not

	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	err    error
}

// ErrReturned says that the program of a node came to its end.
var ErrReturned = errors.New("wasm: the program returned")

func whyEnded(err error) error {
	if err == nil {
		return ErrReturned
	}
	return err
}

// ended is what a door panics with when the life is over.
type ended struct{}

type lifeKey struct{}

func of(ctx context.Context) *life { return ctx.Value(lifeKey{}).(*life) }

// Up tells whether the node lives.
func (n *Node) Up() bool { return n.life != nil }

// ID is the node's place in its cluster, from 0.
func (n *Node) ID() int { return n.id }

// Lives is how many lives it has had, this one included.
func (n *Node) Lives() int { return n.lives }

// Boot starts the node's next life with a module.
func (n *Node) Boot(m *Module) {
	n.lives++
	w := n.cluster.World
	l := &life{node: n, world: w, doors: n.Machine.Doors(), time: w.Now(), crashIn: n.Fuse}
	n.life, n.Ended, n.Crashed, n.Fuse = l, nil, false, 0
	w.Note("boot", uint64(n.id), int64(n.lives))
	start := n.Start
	start.Seed = w.Seed()<<16 ^ uint64(n.id)<<8 ^ uint64(n.lives)
	config := l.config(start)
	ctx := context.WithValue(experimental.WithMemoryAllocator(context.Background(), &m.runtime.memories), lifeKey{}, l)
	l.resume, l.stop = iter.Pull(func(yield func(struct{}) bool) {
		l.yield = yield
		instance, err := m.runtime.wazero.InstantiateModule(ctx, m.compiled, config)
		l.err = err
		if instance != nil {
			instance.Close(ctx)
		}
	})
	l.run()
}

// config is what the instance sees of a system.
func (l *life) config(start door.Start) wazero.ModuleConfig {
	var seed [32]byte
	for i := range 8 {
		seed[i] = byte(start.Seed >> (8 * i))
	}
	out := output{l}
	c := wazero.NewModuleConfig().WithName("").WithArgs(start.Args()...).
		WithStdout(out).WithStderr(out).
		WithRandSource(rand.NewChaCha8(seed)).
		WithWalltime(l.wallTime, sys.ClockResolution(1)).
		WithNanotime(l.nanoTime, sys.ClockResolution(1))
	for _, setting := range environ {
		c = c.WithEnv(setting[0], setting[1])
	}
	return c
}

// environ is the environment of every instance. A node of the simulator lives
// for a minute and holds little: its garbage is collected once, if ever.
var environ = [][2]string{{"GOGC", "off"}, {"GOMEMLIMIT", "96MiB"}}

// wallTime and the monotonic time are read by package time, and by the Go runtime
// itself: when it takes memory from the system, for one. So reading them is no call
// of a door and takes no time; a node that only logs more would do other things
// otherwise.
func (l *life) wallTime() (seconds int64, nanoseconds int32) {
	l.count()
	now := sim.Epoch + l.node.Machine.Clock.Peek() + l.node.Machine.Clock.Offset
	return now / 1e9, int32(now % 1e9)
}

func (l *life) nanoTime() int64 {
	l.count()
	return 1 + l.node.Machine.Clock.Peek() // a program that reads 0 gives up
}

// run goes on with the instance until it waits or ends.
func (l *life) run() {
	alive := false
	l.node.Steps++
	l.began, l.calls = max(l.time, l.world.Now()), 0
	pulse := l.node.cluster.Pulse
	pulse.Enter(l.node.id, l.node.lives, l.began)
	l.time = l.world.Visit(l.time, func() { _, alive = l.resume() })
	pulse.Leave()
	l.node.reached = l.time
	if !alive && l.node.life == l {
		l.node.life = nil
		if l.node.Crashed = l.crashed; !l.crashed {
			l.node.Ended = cmp.Or(l.stuck, whyEnded(l.err))
		}
		l.world.Note("exit", uint64(l.node.id), int64(l.node.lives))
		l.node.Machine.Crash()
		return
	}
	l.world.At(l.time, func() {}) // it may go on from then
}

// enter is called by every door: the node may end here.
func (l *life) enter() {
	l.count()
	l.drag(AllCores)
	if l.crashIn > 0 {
		if l.crashIn--; l.crashIn == 0 {
			l.crashed = true
			panic(ended{})
		}
	}
	if l.pauseIn > 0 {
		if l.pauseIn--; l.pauseIn == 0 {
			l.node.Stood++
			l.world.Spend(l.pauseFor)
		}
	}
}

// wait lets the other nodes run until this one may go on.
func (l *life) wait() {
	l.waiting = true
	if !l.yield(struct{}{}) {
		panic(ended{})
	}
	l.waiting = false
}

// ready tells whether the node can go on now.
func (l *life) ready() bool {
	now := l.world.Now()
	if !l.waiting || now < l.time {
		return false
	}
	if now < l.pausedTo {
		l.node.Stood++
		return false
	}
	l.ring()
	return l.timerDue || l.wantBells && len(l.bells) > 0
}

// Crash ends the node's life at once, wherever it is, and its machine's: what
// was not synced to its disk may be lost.
func (n *Node) Crash() {
	if n.life == nil {
		return
	}
	l := n.life
	n.life = nil
	l.stop()
	n.cluster.World.Note("kill", uint64(n.id), int64(n.lives))
	n.Machine.Crash()
}

// CrashIn ends the node's life at its k-th call of a door from now on, k > 0:
// in the middle of what it does.
func (n *Node) CrashIn(k int64) {
	if n.life != nil {
		n.life.crashIn = k
	}
}

// PauseIn lets the whole node stand still for a span of nanoseconds at its k-th
// call of a door from now on, k > 0: in the middle of what it does.
func (n *Node) PauseIn(k, span int64) {
	if n.life != nil {
		n.life.pauseIn, n.life.pauseFor, n.life.behind = k, span, 0
	}
}

// PauseBehindRead lets the whole node stand still for a span of nanoseconds when a
// loop of it has next read what a client sent: at the call of a door that follows,
// between the request and its reply.
func (n *Node) PauseBehindRead(span int64) {
	if n.life != nil {
		n.life.behind = span
	}
}

// hasRead hears that something was read by a core.
func (l *life) hasRead(core int) {
	if l.behind > 0 && core >= 0 {
		l.pauseIn, l.pauseFor, l.behind = 1, l.behind, 0
	}
}

// Reached is the true time up to which the node has run in its last life. It can
// lie ahead of the world's: until then nothing else has happened to the node, and
// it cannot live again.
func (n *Node) Reached() int64 { return n.reached }

// Pause lets the whole node stand still for a span of nanoseconds, its clock
// excepted.
func (n *Node) Pause(span int64) {
	if n.life == nil {
		return
	}
	n.life.pausedTo = max(n.life.pausedTo, n.cluster.World.Now()+span)
	n.cluster.World.At(n.life.pausedTo, func() {})
}

// Resume ends a Pause before its time. What PauseIn began goes on: the node is in the
// middle of a call.
func (n *Node) Resume() {
	if n.life != nil {
		n.life.pausedTo = min(n.life.pausedTo, n.cluster.World.Now())
	}
}

// output is what the node writes to its standard output and error: its log,
// and the Go runtime's last words. It is no part of the trace, which is the same
// however much a node logs.
type output struct{ life *life }

func (o output) Write(p []byte) (int, error) {
	n := o.life.node
	if n.cluster.Log != nil {
		n.cluster.Log(n, o.life.world.Now(), slices.Clone(p))
	}
	return len(p), nil
}
