package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/netio"
	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/sim/env"
)

// spareFiles is how many open files the process needs besides its loops and
// their clients.
const spareFiles = 32

// leastPlaneFiles is how many more a node of a cluster needs: for the connections
// and files of its control plane. It has up to raftlog.DefaultFiles where the system
// gives them besides those that clients need.
const leastPlaneFiles = 128

// loopFiles is how many files a loop needs: two for its poller, and a listener
// for each address and each of its own.
func loopFiles(v *config.Values) int64 { return 2 + 2*int64(len(v.Bind)) + 1 }

// runServer runs a node with this configuration until a signal or SHUTDOWN
// ends it. flush waits until the log is written.
func runServer(store *config.Store, log *slog.Logger, flush func(), portable bool) error {
	defer flush()
	values := store.Values()
	if (values.Port == 0 || len(values.Bind) == 0) && values.Unixsocket == "" {
		return usageError{errors.New("nothing to listen on: set port and bind, or unixsocket")}
	}
	shards := shardsOf(values)
	host.Outlive()
	cpus := cpusOf(values.Pin)
	if err := host.CheckPins(cpus); err != nil {
		return fmt.Errorf("option pin: %w", err)
	}
	pins := host.Pins(cpus, shards)
	spared := spareFiles + int64(shards)*loopFiles(values)
	files := int64(0)
	if values.ClusterMode == config.ClusterRaft {
		used := values.Maxclients + spared
		files = planeFiles(int64(host.RaiseFileLimit(uint64(used+raftlog.DefaultFiles))), used)
		spared += files
	}
	clampClients(store, log, spared)
	host.SetProcs(shards)
	host.LimitHeap(host.MemoryLimit(), values.Maxmemory)
	options := host.Options{Portable: portable, HugePages: values.HugePages}
	world := host.NewWorld(options)
	plane, err := openPlane(values, shards, int(files), forked(world), log)
	if err != nil {
		return err
	}
	node, err := openNode(store, log, shards, options, world, plane)
	if err == nil {
		announce(log, values, shards)
		err = drive(node, pins, log, flush)
	}
	if plane != nil {
		err = errors.Join(err, plane.Close())
	}
	return err
}

// forked is a world with chance of its own, for another thread.
func forked(world env.World) env.World {
	world.Rand = world.Rand.Fork()
	return world
}

// shardsOf is the number of loops: as configured, or one a core but one.
func shardsOf(values *config.Values) int {
	if values.Shards > 0 {
		return int(values.Shards)
	}
	return max(1, min(host.Cores()-1, netio.MaxShards))
}

// cpusOf lists the CPUs that loops are pinned to in turn.
func cpusOf(pin config.Pin) []int {
	switch {
	case !pin.On:
		return []int{host.AnyCPU}
	case len(pin.CPUs) == 0:
		return host.UsableCPUs()
	}
	return pin.CPUs
}

// clampClients raises the limit of open files to what maxclients needs besides
// what is spared, or lowers maxclients to what the system gives. CONFIG SET of
// more than that is refused.
func clampClients(store *config.Store, log *slog.Logger, spared int64) {
	want := store.Values().Maxclients
	have := mostClients(want, spared)
	if have < want {
		log.Warn("maxclients lowered: the system allows fewer open files (raise it with ulimit -n)",
			"maxclients", have, "files", have+spared)
		if err := store.Set([]config.Setting{{Name: "maxclients", Value: strconv.FormatInt(have, 10)}}); err != nil {
			log.Warn("maxclients stays", "err", err)
		}
	}
	store.Watch(func(before, after *config.Values) error {
		have := mostClients(after.Maxclients, spared)
		if after.Maxclients > max(have, before.Maxclients) {
			return fmt.Errorf("The operating system is not able to handle the specified number of clients, try with %d", have)
		}
		return nil
	}, "maxclients")
}

// planeFiles is how many files the control plane has under a limit of open files, 0 if
// that is unknown, when so many are used for other things.
func planeFiles(limit, used int64) int64 {
	if limit == 0 {
		return raftlog.DefaultFiles
	}
	return min(raftlog.DefaultFiles, max(leastPlaneFiles, limit-used))
}

// mostClients raises the limit of open files so that so many clients can be
// served, and tells how many can be, at least 1.
func mostClients(want, spared int64) int64 {
	have := int64(host.RaiseFileLimit(uint64(want + spared)))
	if have == 0 || have >= want+spared { // 0 is unknown
		return want
	}
	return max(1, have-spared)
}

// openNode makes the node and opens its doors.
func openNode(store *config.Store, log *slog.Logger, shards int, options host.Options, world env.World, plane plane) (*netio.Node, error) {
	o := netio.Options{
		World: world, Config: store, Shards: shards, Log: log, About: about(store, options),
		Store: keyspace.Options{Headroom: host.Headroom, SlotCounts: plane != nil}, Aside: new(host.Aside).Do,
	}
	if plane != nil { // an interface that holds nil is not nil
		o.Plane = plane
	}
	node, err := netio.New(o)
	if err != nil {
		return nil, err
	}
	if err := node.Listen(); err != nil {
		return nil, err
	}
	return node, nil
}

// about tells the node what INFO shows of the process.
func about(store *config.Store, options host.Options) netio.About {
	b := readBuild()
	executable, _ := os.Executable()
	return netio.About{
		Version: b.version, Commit: b.commit, Executable: executable, ConfigFile: store.File(),
		PID: os.Getpid(), OS: runtime.GOOS + " " + runtime.GOARCH, GoVersion: runtime.Version(),
		Poller: host.PollerName(options),
		Memory: host.MemoryLimit(), HeapBytes: heapBytes, CollectHeap: debug.FreeOSMemory,
		CPUSeconds: cpuSeconds, Meter: host.ThreadMeter,
	}
}

// insisted tells whether SIGINT comes while the node stops: as in Redis, that
// ends the process at once.
func insisted(requests <-chan os.Signal, ended <-chan struct{}) bool {
	for {
		select {
		case signal := <-requests:
			if signal == os.Interrupt {
				return true
			}
		case <-ended:
			return false
		}
	}
}

// drive runs the loops on threads of their own until they end.
func drive(node *netio.Node, pins []int, log *slog.Logger, flush func()) error {
	requests, restore := host.Signals()
	defer restore()
	ended := make(chan struct{})
	go func() {
		select {
		case signal := <-requests:
			log.Info("Stopping", "signal", signal)
			node.Stop()
			if insisted(requests, ended) {
				log.Warn("Stopping at once: interrupted again")
				flush()
				os.Exit(exitFailure)
			}
		case <-ended:
		}
	}()
	var running []<-chan struct{}
	for i, l := range node.Loops() {
		done, err := host.Thread(pins[i], l.Run)
		if err != nil {
			return fmt.Errorf("start loop %d: %w", i, err)
		}
		running = append(running, done)
	}
	log.Info("Ready to accept connections")
	for _, done := range running {
		<-done
	}
	close(ended)
	log.Info("Bye")
	return nil
}
