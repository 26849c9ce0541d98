package raftlog

import (
	"context"
	"io"
	"log"
	"log/slog"

	"github.com/hashicorp/go-hclog"
)

// newRaftLog lets the library write to the node's log, one level lower: what is
// of note to it is seldom of note to an operator.
func newRaftLog(to *slog.Logger) hclog.Logger { return &raftLog{to: to} }

type raftLog struct {
	hclog.Logger // nil: what follows is all that is called
	to           *slog.Logger
	name         string
}

func (l *raftLog) write(level slog.Level, text string, args []any) {
	l.to.Log(context.Background(), level, "raft: "+text, args...)
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
	return &raftLog{to: l.to.With(args...), name: l.name}
}
func (l *raftLog) Name() string                     { return l.name }
func (l *raftLog) Named(name string) hclog.Logger   { return &raftLog{to: l.to, name: name} }
func (l *raftLog) ResetNamed(n string) hclog.Logger { return l.Named(n) }
func (l *raftLog) SetLevel(hclog.Level)             {}
func (l *raftLog) GetLevel() hclog.Level            { return hclog.Debug }

func (l *raftLog) StandardLogger(*hclog.StandardLoggerOptions) *log.Logger {
	return log.New(io.Discard, "", 0)
}

func (l *raftLog) StandardWriter(*hclog.StandardLoggerOptions) io.Writer { return io.Discard }
