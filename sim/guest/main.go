//go:build wasip1

// Command guest is one node as the simulator runs it: the server of this
// repository, compiled to WebAssembly, on a machine whose clock, network and
// disk are functions of the host.
package main

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/netio"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs a node until it stops.
func run() error {
	invariant.Watch = hostMark
	start, err := door.ParseStart(os.Args)
	if err != nil {
		return err
	}
	store, err := config.Load(config.Inputs{Flags: settings(start.Config)})
	if err != nil {
		return err
	}
	world := newWorld(start.Seed)
	log := newLog()
	plane, err := openPlane(start.Cluster, world, log)
	if err != nil {
		return err
	}
	options := netio.Options{
		World: world, Config: store, Shards: start.Shards, Log: log,
		About: netio.About{Version: "sim", PID: 1, OS: "sim", Poller: "sim"},
		Store: keyspace.Options{ChunkBytes: chunkBytes, SlotCounts: plane != nil},
	}
	if plane != nil { // an interface that holds nil is not nil
		options.Plane, options.WatchFence = plane, tellFence
	}
	node, err := netio.New(options)
	if err != nil {
		return err
	}
	if err := node.Listen(); err != nil {
		return err
	}
	var loops sync.WaitGroup
	for _, l := range node.Loops() {
		loops.Go(l.Run)
	}
	loops.Wait()
	if plane != nil {
		return plane.Close()
	}
	return nil
}

// openPlane starts the node's control plane, if it is in a cluster.
func openPlane(c *door.Cluster, world env.World, log *slog.Logger) (*raftlog.Plane, error) {
	if c == nil {
		return nil, nil
	}
	return raftlog.Open(raftlog.Options{
		World: world, Dir: "/data", Address: c.Address, Secret: c.Secret, Lease: c.Lease, Topology: c.Topology, Log: log,
		SnapshotEvery: c.SnapshotEvery, WatchApply: tellApplied,
		Watch: tellStanding, WatchLead: tellLead,
	})
}

// chunkBytes is small: a simulated node holds little, and memory is cleared
// before it is used.
const chunkBytes = 64 << 10

// settings are options in the order of their names.
func settings(options map[string]string) (list []config.Setting) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		list = append(list, config.Setting{Name: name, Value: options[name]})
	}
	return list
}

// newLog writes all there is to tell to standard error. Whether anybody listens is
// the host's affair: a node that logs less takes less memory, draws other numbers in
// the Go runtime, and does other things.
func newLog() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{ReplaceAttr: withoutTime, Level: slog.LevelDebug}))
}

// withoutTime leaves the time to the host, which knows the true one.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
