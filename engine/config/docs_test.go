package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

//go:generate go test -run TestDocs . -update

var update = flag.Bool("update", false, "write docs/configuration.md from the table")

const docsPath = "../../docs/configuration.md"

func TestDocs(t *testing.T) {
	want := docs()
	if *update {
		if err := os.MkdirAll("../../docs", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(docsPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/configuration.md is stale: run go generate ./engine/config")
	}
}

const docsHead = `# Configuration

<!-- Generated from engine/config/table.go by go generate ./engine/config. Edit the table and docs_test.go instead. -->

Every option can be given in four ways. A later one wins over an earlier one:

1. **a TOML file**: ` + "`ironcache server --config ironcache.toml`, or `IRONCACHE_CONFIG=ironcache.toml`" + `;
2. **the environment**: ` + "`IRONCACHE_` and the name in capitals with `_` for `-`, as in `IRONCACHE_MAXMEMORY_POLICY=allkeys-lfu`" + `;
3. **a flag**: ` + "`ironcache server --maxmemory-policy allkeys-lfu`" + `;
4. **CONFIG SET** at run time, for the options marked *live*. It changes all that it names or nothing; ` + "`CONFIG REWRITE`" + ` writes what
   it changed into the TOML file and keeps the rest of the file, its comments and order.

` + "`ironcache config`" + ` takes the same flags, prints the values in effect and where each came from; ` + "`ironcache config --check`" + ` only checks them.
An unknown name in a file, flag or ` + "`IRONCACHE_*`" + ` variable is an error that names its place and the nearest option.
The exit code is 2 then, and where a value cannot be, such as a ` + "`dir`" + ` that is not there; it is 1 if the node cannot start for another
reason, such as a port that is taken, and 0 after SIGTERM, SIGINT or SHUTDOWN. (Variables such as
` + "`IRONCACHE_SERVICE_HOST` and `IRONCACHE_PORT=tcp://...`" + `, which Kubernetes adds next to a service called ironcache, are ignored.)

` + "```toml" + `
# ironcache.toml: names may use - or _
bind = ["0.0.0.0"]
requirepass = "correct horse"
maxmemory = "4gb"
maxmemory-policy = "allkeys-lfu"
protected-mode = true
` + "```" + `

Amounts of memory are bytes, or a number with a unit in either case: ` + "`k` `m` `g` are powers of 1000, `kb` `mb` `gb` powers of 1024" + `.
Options named as in Redis mean what they mean there. They differ in these points: ` + "`maxmemory-policy`" + ` is ` + "`allkeys-lru`" + ` unless set;
` + "`requirepass`" + ` shows a hash; ` + "`bind` and `port`" + ` are fixed once the server runs; an empty amount of memory is 0 to CONFIG SET alone.
`

// docs is the text of docs/configuration.md.
func docs() string {
	var text strings.Builder
	text.WriteString(docsHead)
	group := ""
	for _, option := range Grouped() {
		if option.Group != group {
			group = option.Group
			fmt.Fprintf(&text, "\n## %s\n\n| option | default | values | live | what it does |\n|---|---|---|---|---|\n", group)
		}
		text.WriteString(docsRow(option))
	}
	return text.String()
}

func docsRow(o *Option) string {
	live, value := "no", "empty"
	if o.Live() {
		live = "yes"
	}
	if o.Default != "" {
		value = "`" + o.Default + "`"
	}
	name := "`" + o.Name + "`"
	for _, alias := range o.Aliases {
		name += ", `" + alias + "`"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", name, value, o.Describe(), live, o.Help)
}
