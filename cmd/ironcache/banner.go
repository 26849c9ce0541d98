package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/mattn/go-isatty"

	"github.com/elares/ironcache/engine/config"
)

// announce tells that a server starts: a line for people on a terminal, a line
// of the log otherwise.
func announce(log *slog.Logger, values *config.Values, shards int) {
	b := readBuild()
	if values.Logfile == "" && isatty.IsTerminal(os.Stderr.Fd()) {
		fmt.Fprintln(os.Stderr, bannerLine(b, values, shards, os.Getpid(), hasColour(os.Stderr)))
		return
	}
	log.Info("Starting IronCache", "version", b.version, "port", values.Port, "shards", shards, "pid", os.Getpid())
}

func bannerLine(b build, values *config.Values, shards, pid int, colour bool) string {
	name := "IronCache"
	if colour {
		name = "\x1b[1m" + name + plainColour
	}
	return fmt.Sprintf("%s %s  port %d  shards %d  pid %d", name, b.version, values.Port, shards, pid)
}
