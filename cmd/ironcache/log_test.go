package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/engine/config"
)

func TestLogLines(t *testing.T) {
	when := time.Date(2026, 1, 2, 16, 4, 5, 6e6, time.FixedZone("CET", 3600))
	tests := []struct {
		level  slog.Level
		colour bool
		attrs  []slog.Attr
		want   string
	}{
		{slog.LevelInfo, false, []slog.Attr{slog.Int("port", 6379)}, "2026-01-02T15:04:05.006Z notice Ready node=a port=6379\n"},
		{slog.LevelWarn, false, []slog.Attr{slog.String("error", "a b\n")}, "2026-01-02T15:04:05.006Z warning Ready node=a error=\"a b\\n\"\n"},
		{slog.LevelError, true, nil, "2026-01-02T15:04:05.006Z \x1b[31merror\x1b[0m Ready node=a\n"},
		{slog.LevelInfo - 2, false, nil, "2026-01-02T15:04:05.006Z verbose Ready node=a\n"},
		{slog.LevelDebug, false, nil, "2026-01-02T15:04:05.006Z debug Ready node=a\n"},
	}
	for _, test := range tests {
		var out strings.Builder
		handler := newLineHandler(&out, slog.LevelDebug, test.colour).WithAttrs([]slog.Attr{slog.String("node", "a")})
		record := slog.NewRecord(when, test.level, "Ready", 0)
		record.AddAttrs(test.attrs...)
		if err := handler.Handle(t.Context(), record); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("got  %q\nwant %q", out.String(), test.want)
		}
	}
}

func TestLogFileAndLevel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	store, err := config.Load(config.Inputs{Flags: []config.Setting{{Name: "logfile", Value: path}}})
	if err != nil {
		t.Fatal(err)
	}
	log, flush, err := openLog(store)
	if err != nil {
		t.Fatal(err)
	}
	announce(log, store.Values(), 3)
	log.Debug("not kept")
	if err := store.Set([]config.Setting{{Name: "loglevel", Value: "debug"}}); err != nil {
		t.Fatal(err)
	}
	log.Debug("kept", "n", 1)
	flush()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `^\S+Z notice Starting IronCache version=\S+ port=6379 shards=3 pid=\d+\n\S+Z debug kept n=1\n$`
	if !regexp.MustCompile(want).Match(text) {
		t.Errorf("the log is %q", text)
	}
}

// stuck is a writer that waits until it is let go.
type stuck struct {
	strings.Builder
	free chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.free
	return s.Builder.Write(p)
}

// TestLogNeverWaits: lines that cannot be written are taken, lost when there
// are too many, and the loss is told.
func TestLogNeverWaits(t *testing.T) {
	out := &stuck{free: make(chan struct{})}
	q := newLogQueue(out)
	const lines = 3 * queuedLines
	for range lines {
		if n, err := q.Write([]byte("line\n")); n != 5 || err != nil {
			t.Fatal(n, err)
		}
	}
	close(out.free)
	q.flush()
	_, _ = q.Write([]byte("last\n"))
	q.flush()
	text := out.String()
	kept := strings.Count(text, "line\n")
	if kept < queuedLines || kept > queuedLines+1 || !strings.HasSuffix(text, "last\n") {
		t.Errorf("%d lines were kept; the end is %q", kept, text[max(0, len(text)-100):])
	}
	if want := fmt.Sprintf(" lines=%d\n", lines-kept); strings.Count(text, want) != 1 {
		t.Errorf("the loss of %d lines is not told", lines-kept)
	}
}

func TestBannerLine(t *testing.T) {
	values := config.New().Values()
	if got, want := bannerLine(build{version: "v1"}, values, 3, 42, false), "IronCache v1  port 6379  shards 3  pid 42"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
