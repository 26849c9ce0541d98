package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/mattn/go-isatty"

	"github.com/elares/ironcache/engine/config"
)

// levels translates loglevel.
var levels = [...]slog.Level{
	config.Debug:   slog.LevelDebug,
	config.Verbose: slog.LevelInfo - 2,
	config.Notice:  slog.LevelInfo,
	config.Warning: slog.LevelWarn,
}

// openLog opens the log that the configuration names and keeps its level as
// CONFIG SET says. flush waits until its lines are written.
func openLog(store *config.Store) (log *slog.Logger, flush func(), err error) {
	var out io.Writer = os.Stderr
	colour := hasColour(os.Stderr)
	if path := store.Values().Logfile; path != "" {
		file := &logFile{path: path}
		if err := file.open(); err != nil {
			return nil, nil, usageError{fmt.Errorf("option logfile: %w", err)}
		}
		out, colour = file, false
	}
	level := new(slog.LevelVar)
	level.Set(levels[store.Values().Loglevel])
	store.Watch(func(_, after *config.Values) error {
		level.Set(levels[after.Loglevel])
		return nil
	}, "loglevel")
	queue := newLogQueue(out)
	return slog.New(newLineHandler(queue, level, colour)), queue.flush, nil
}

// timeFormat is how a line begins, in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

// hasColour tells whether a file is a terminal whose user did not refuse colour.
func hasColour(file *os.File) bool {
	return isatty.IsTerminal(file.Fd()) && os.Getenv("NO_COLOR") == ""
}

// lineHandler writes a record as one line:
//
//	2026-01-02T15:04:05.000Z notice Ready to accept connections port=6379
type lineHandler struct {
	*lineWriter
	attrs slog.Handler // writes " key=value..." and the end of the line to the lineWriter's buffer
}

// lineWriter is shared by a handler and those made from it.
type lineWriter struct {
	lock   sync.Mutex
	out    io.Writer
	line   bytes.Buffer
	level  slog.Leveler
	colour bool
}

func newLineHandler(out io.Writer, level slog.Leveler, colour bool) slog.Handler {
	w := &lineWriter{out: out, level: level, colour: colour}
	return &lineHandler{w, slog.NewTextHandler(&w.line, &slog.HandlerOptions{Level: level, ReplaceAttr: withoutHead})}
}

// withoutHead drops what the line's head shows already.
func withoutHead(groups []string, a slog.Attr) slog.Attr {
	head := a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey
	if len(groups) == 0 && head {
		return slog.Attr{}
	}
	return a
}

func (h *lineHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.level.Level()
}

func (h *lineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &lineHandler{h.lineWriter, h.attrs.WithAttrs(attrs)}
}

func (h *lineHandler) WithGroup(name string) slog.Handler {
	return &lineHandler{h.lineWriter, h.attrs.WithGroup(name)}
}

func (h *lineHandler) Handle(ctx context.Context, r slog.Record) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.line.Reset()
	rank := rankOf(r.Level)
	name := rank.name
	if h.colour {
		name = rank.colour + name + plainColour
	}
	fmt.Fprintf(&h.line, "%s %s %s ", r.Time.UTC().Format(timeFormat), name, r.Message)
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	line := append(bytes.TrimRight(h.line.Bytes(), " \n"), '\n')
	_, err := h.out.Write(line)
	return err
}

// rank is how a level shows.
type rank struct {
	from         slog.Level
	name, colour string
}

const plainColour = "\x1b[0m"

// ranks start with the highest level.
var ranks = []rank{
	{slog.LevelError, "error", "\x1b[31m"},
	{slog.LevelWarn, "warning", "\x1b[33m"},
	{slog.LevelInfo, "notice", "\x1b[32m"},
	{slog.LevelInfo - 2, "verbose", "\x1b[36m"},
	{slog.LevelDebug, "debug", "\x1b[90m"},
}

func rankOf(level slog.Level) rank {
	for _, r := range ranks {
		if level >= r.from {
			return r
		}
	}
	return ranks[len(ranks)-1]
}
