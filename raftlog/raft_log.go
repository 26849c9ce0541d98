package raftlog

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"sync"

	"github.com/hashicorp/go-hclog"

	"github.com/elares/ironcache/raftlog/sparing"
	"github.com/elares/ironcache/sim/env"
)

// newRaftLog lets the library write to the node's log, one level lower: what is
// of note to it is seldom of note to an operator. It tries on and on where a node is down
// or has no majority, and says so each time: such lines are written sparingly.
func newRaftLog(to *slog.Logger, clock env.Clock) hclog.Logger {
	return &raftLog{to: to, spare: &raftLines{clock: clock, kinds: map[string]*sparing.Kind{}}}
}

type raftLog struct {
	hclog.Logger // nil: what follows is all that is called
	to           *slog.Logger
	name         string
	spare        *raftLines
}

func (l *raftLog) write(level slog.Level, text string, args []any) {
	if !l.is(level) {
		return
	}
	if level > slog.LevelDebug {
		var ok bool
		if args, ok = l.spare.line(text, args); !ok {
			return
		}
	}
	l.to.Log(context.Background(), level, "raft: "+text, args...)
}

// raftLines are the kinds of lines that the library has written. Any goroutine of its
// may write.
type raftLines struct {
	clock env.Clock
	mu    sync.Mutex
	kinds map[string]*sparing.Kind // by text, and by node where the text is about one of the cluster
}

// line tells whether a line is to be written now, and gives its attributes.
func (r *raftLines) line(text string, args []any) (attributes []any, ok bool) {
	if len(args) > 1 && (args[0] == "peer" || args[0] == "target" || args[0] == "server-id") {
		text = fmt.Sprint(text, args[1])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.kinds[text]
	if k == nil {
		k = new(sparing.Kind)
		r.kinds[text] = k
	}
	return k.Line(r.clock.Monotonic(), args...)
}

func (l *raftLog) Log(level hclog.Level, text string, args ...any) {
	switch level {
	case hclog.Error:
		l.Error(text, args...)
	case hclog.Warn:
		l.Warn(text, args...)
	case hclog.Info:
		l.Info(text, args...)
	default:
		l.Debug(text, args...)
	}
}

func (l *raftLog) Trace(string, ...any)           {}
func (l *raftLog) Debug(text string, args ...any) { l.write(slog.LevelDebug, text, args) }
func (l *raftLog) Info(text string, args ...any)  { l.write(slog.LevelDebug, text, args) }
func (l *raftLog) Warn(text string, args ...any)  { l.write(slog.LevelInfo, text, args) }
func (l *raftLog) Error(text string, args ...any) {
	if text == "failed to append to logs" || text == "failed to commit logs" {
		l.write(slog.LevelDebug, text, args) // upkeep tells of it, once
		return
	}
	l.write(slog.LevelWarn, text, args)
}
func (l *raftLog) IsTrace() bool            { return false }
func (l *raftLog) IsDebug() bool            { return l.is(slog.LevelDebug) }
func (l *raftLog) IsInfo() bool             { return l.is(slog.LevelDebug) }
func (l *raftLog) IsWarn() bool             { return l.is(slog.LevelInfo) }
func (l *raftLog) IsError() bool            { return l.is(slog.LevelWarn) }
func (l *raftLog) is(level slog.Level) bool { return l.to.Enabled(context.Background(), level) }
func (l *raftLog) ImpliedArgs() []any       { return nil }
func (l *raftLog) With(args ...any) hclog.Logger {
	return &raftLog{to: l.to.With(args...), name: l.name, spare: l.spare}
}
func (l *raftLog) Name() string { return l.name }
func (l *raftLog) Named(name string) hclog.Logger {
	return &raftLog{to: l.to, name: name, spare: l.spare}
}
func (l *raftLog) ResetNamed(n string) hclog.Logger { return l.Named(n) }
func (l *raftLog) SetLevel(hclog.Level)             {}
func (l *raftLog) GetLevel() hclog.Level            { return hclog.Debug }

func (l *raftLog) StandardLogger(*hclog.StandardLoggerOptions) *log.Logger {
	return log.New(io.Discard, "", 0)
}

func (l *raftLog) StandardWriter(*hclog.StandardLoggerOptions) io.Writer { return io.Discard }
