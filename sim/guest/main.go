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
	"github.com/elares/ironcache/sim/door"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs a node until it stops.
func run() error {
	start, err := door.ParseStart(os.Args)
	if err != nil {
		return err
	}
	store, err := config.Load(config.Inputs{Flags: settings(start.Config)})
	if err != nil {
		return err
	}
	node, err := netio.New(netio.Options{
		World: newWorld(start.Seed), Config: store, Shards: start.Shards,
		Log:   slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{ReplaceAttr: withoutTime})),
		About: netio.About{Version: "sim", PID: 1, OS: "sim", Poller: "sim"},
		Store: keyspace.Options{ChunkBytes: chunkBytes},
	})
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
	return nil
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

// withoutTime leaves the time to the host, which knows the true one.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
