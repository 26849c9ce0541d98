package main

import (
	"log/slog"

	"github.com/elares/ironcache/engine/config"
)

// serverCommand runs a node until it is told to stop.
type serverCommand struct{ flags }

// Run loads the configuration and runs the node.
func (c *serverCommand) Run(p *program) error {
	store, err := c.load(p)
	if err != nil {
		return err
	}
	log, err := openLog(store)
	if err != nil {
		return err
	}
	return runServer(store, log)
}

// runServer runs a node with this configuration until a signal ends it.
func runServer(store *config.Store, log *slog.Logger) error {
	announce(log, store.Values(), int(store.Values().Shards))
	return nil
}
