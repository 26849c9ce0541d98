package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/netio/host"
)

// command runs a command line as a user would.
func command(t *testing.T, environ []string, args ...string) (code int, out, err string) {
	t.Helper()
	var stdout, stderr strings.Builder
	code = run(&program{&stdout, &stderr, environ}, args)
	return code, stdout.String(), stderr.String()
}

func TestMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ironcache.toml")
	if err := os.WriteFile(file, []byte("port = 1\n\nmaxmemry = 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		environ, args, want string
	}{
		{"", "sevrer", `unexpected argument sevrer; did you mean "server"?`},
		{"", "server extra", `unexpected argument extra`},
		{"", "server redis.conf", `unexpected argument redis.conf; a file of options, in TOML, is given as in: ironcache server --config redis.conf`},
		{"", "/etc/redis.conf", `unexpected argument /etc/redis.conf; a file of options, in TOML, is given as in: ironcache server --config /etc/redis.conf`},
		{"", "--port 7000", `unknown flag --port; options follow a command, as in: ironcache server --port`},
		{"", "server --maxmemry 5", `unknown flag --maxmemry; did you mean "--maxmemory"?`},
		{"", "server --port", `--port: a value must follow`},
		{"", "server --port --hz 5", `--port: a value must follow`},
		{"", "server --port seven", `flag --port: argument couldn't be parsed into an integer`},
		{"", "config --hz -1", `flag --hz: argument must be between 0 and 2147483647 inclusive`},
		{"IRONCACHE_PROT=1", "server", `unknown variable IRONCACHE_PROT; did you mean IRONCACHE_PORT?`},
		{"IRONCACHE_PORT=x", "config --check", `variable IRONCACHE_PORT: argument couldn't be parsed into an integer`},
		{"", "server --config " + file, file + `:3: unknown option "maxmemry"; did you mean maxmemory?`},
		{"", "server --config /nonexistent/file", `configuration file: open /nonexistent/file: no such file or directory`},
		{"", "server --dir /nonexistent", `option dir: stat /nonexistent: no such file or directory`},
		{"", "server --data-dir " + file, `option dir: ` + file + ` is not a folder`},
		{"", "server --logfile /nonexistent/log", `option logfile: open /nonexistent/log: no such file or directory`},
		{"", "server --port 0", `nothing to listen on: set port and bind, or unixsocket`},
		{"", "server --bind=", `nothing to listen on: set port and bind, or unixsocket`},
		{"", "help nonsense", `unexpected argument nonsense`},
	}
	for _, test := range tests {
		code, out, err := command(t, []string{test.environ}, strings.Fields(test.args)...)
		if want := "ironcache: " + test.want + "\n"; code != exitUsage || out != "" || err != want {
			t.Errorf("%s %s: exit code %d, output %q\n got %q\nwant %q", test.environ, test.args, code, out, err, want)
		}
	}
}

// TestAbout: INFO has no empty lines where something is known.
func TestAbout(t *testing.T) {
	known := reflect.ValueOf(about(config.New(), host.Options{}))
	for i := range known.NumField() {
		if name := known.Type().Field(i).Name; name != "ConfigFile" && known.Field(i).IsZero() {
			t.Errorf("%s is not told", name)
		}
	}
}

func TestHelp(t *testing.T) {
	tests := []struct{ args, want string }{
		{"", "Commands:"},
		{"--help", "Commands:"},
		{"help", "Run a node."},
		{"help server", "--maxmemory-policy=allkeys-lru"},
		{"server --help", "--maxmemory-policy=allkeys-lru"},
	}
	for _, test := range tests {
		code, out, err := command(t, nil, strings.Fields(test.args)...)
		if code != exitOK || err != "" || !strings.Contains(out, test.want) {
			t.Errorf("%q: exit code %d, error %q, no %q in\n%s", test.args, code, err, test.want, out)
		}
	}
}

func TestConfigTells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ironcache.toml")
	if err := os.WriteFile(file, []byte("hz = 20\nport = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"IRONCACHE_PORT=2", "IRONCACHE_REQUIREPASS=sesame"}
	code, out, errs := command(t, environ, "config", "--config", file, "--slowlog-log-slower-than", "-1", "--maxmemory=3mb")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, error %s", code, errs)
	}
	squeezed := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{
		"hz = 20 # " + file + ":1", "port = 2 # IRONCACHE_PORT", "maxmemory = 3145728 # --maxmemory",
		"slowlog-log-slower-than = -1 # --slowlog-log-slower-than", "databases = 16 # default",
		"# requirepass is set and not shown # IRONCACHE_REQUIREPASS",
	} {
		if !strings.Contains(squeezed, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "sesame") {
		t.Error("the password is shown")
	}
}

func TestConfigJSON(t *testing.T) {
	code, out, errs := command(t, nil, "config", "--json", "--requirepass", "sesame", "--protected-mode", "no")
	if code != exitOK || errs != "" || strings.Contains(out, "sesame") {
		t.Fatalf("exit code %d, error %s, output %s", code, errs, out)
	}
	var listing map[string]setting
	if err := json.Unmarshal([]byte(out), &listing); err != nil {
		t.Fatal(err)
	}
	if got := listing["requirepass"]; got.Value != nil || !got.Secret || got.Source != "--requirepass" {
		t.Errorf("requirepass: %+v", got)
	}
	if got := listing["protected-mode"]; got.Value != false || got.Source != "--protected-mode" {
		t.Errorf("protected-mode: %+v", got)
	}
}

func TestConfigCheck(t *testing.T) {
	code, out, errs := command(t, nil, "config", "--check")
	if code != exitOK || out != "" || errs != "" {
		t.Errorf("exit code %d, output %q, error %q", code, out, errs)
	}
}

func TestVersion(t *testing.T) {
	for _, spelling := range []string{"version", "--version", "-v"} {
		code, out, _ := command(t, nil, spelling)
		if code != exitOK || !strings.HasPrefix(out, "ironcache ") || strings.Count(out, "\n") != 3 {
			t.Errorf("%s: exit code %d, output %q", spelling, code, out)
		}
	}
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T15:04:05Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	want := build{"v1.2.3", "abc of 2026-01-02T15:04:05Z, with changes", ""}
	if got := buildOf(info); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := buildOf(&debug.BuildInfo{}); got != (build{"devel", "unknown", ""}) {
		t.Errorf("got %+v", got)
	}
	if name, err := buildOf(info).identity(); err != nil || !strings.HasPrefix(name, "a program with the hash ") {
		t.Errorf("changed source is %q, %v", name, err)
	}
	info.Settings[2].Value = "false"
	if name, err := buildOf(info).identity(); err != nil || name != "commit abc" {
		t.Errorf("a commit is %q, %v", name, err)
	}
}

func TestExplain(t *testing.T) {
	listen := &os.SyscallError{Syscall: "bind", Err: syscall.EADDRINUSE}
	tests := []struct {
		err  error
		code int
		want string
	}{
		{errors.New("plain"), exitFailure, "plain"},
		{errors.Join(errors.New("one"), errors.New("two")), exitFailure, "one; two"},
		{
			fmt.Errorf("listen on 127.0.0.1:6379: %w", listen), exitFailure,
			"listen on 127.0.0.1:6379: bind: address already in use: another program listens there: stop it or choose another address",
		},
		{
			usageError{&fs.PathError{Op: "open", Path: "/data/x", Err: syscall.ENOSPC}}, exitUsage,
			"open /data/x: no space left on device: the disk is full: free some space",
		},
	}
	for _, test := range tests {
		if got := explain(test.err); got != test.want || codeOf(test.err) != test.code {
			t.Errorf("got %q, code %d; want %q, code %d", got, codeOf(test.err), test.want, test.code)
		}
	}
}

// A command whose words could not be written has not ended well.
func TestLostWords(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"config"}, {"sim", "list"}} {
		var said strings.Builder
		code := run(&program{out: brokenWriter{}, err: &said}, args)
		if code != exitFailure || !strings.Contains(said.String(), "no space left on device") {
			t.Errorf("%q: exit code %d, %q", args, code, &said)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
