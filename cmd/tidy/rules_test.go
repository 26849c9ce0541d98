package main

import (
	"fmt"
	"strings"
	"testing"
)

// slotted begins a clean file of package slots.
const slotted = "// Package slots is pure.\npackage slots\n"

func body(lines int) string { return "func f() {\n" + strings.Repeat("\tg()\n", lines) + "}\n" }

// breaches has, for every rule, texts that break it and texts that do not.
var breaches = []struct {
	rule  string
	files map[string]string
	want  string // in the one finding; empty for none
}{
	{"layering", map[string]string{"slots/a.go": slotted + "import _ \"" + module + "/netio\"\n"}, "slots/a.go:3: slots may not import netio"},
	{"layering", map[string]string{"netio/a.go": "package netio\nimport _ \"" + module + "/slots\"\n"}, ""},
	{"layering", map[string]string{"slots/migrate/a.go": "package migrate\nimport _ \"" + module + "/engine\"\n"}, ""},
	{"layering", map[string]string{"slots/a_test.go": slotted + "import _ \"" + module + "/netio\"\n"}, ""},
	{"layering", map[string]string{"util/a.go": "package util\n"}, "the folder util is in no layer"},
	{"doors", map[string]string{"engine/a.go": "package engine\nimport \"os\"\n"}, "engine/a.go: imports os"},
	{"doors", map[string]string{"netio/a.go": "package netio\nimport \"net/netip\"\n"}, ""},
	{"doors", map[string]string{"netio/a.go": "package netio\nimport \"golang.org/x/sys/unix\"\n"}, "imports golang.org/x/sys/unix"},
	{"doors", map[string]string{"netio/host/a.go": "package host\nimport \"os\"\nfunc f() { go f() }\n"}, ""},
	{"doors", map[string]string{"netio/a.go": "package netio\nfunc f() { go f() }\n"}, "netio/a.go:2: uses go"},
	{"doors", map[string]string{"netio/a.go": "package netio\nimport \"time\"\nvar x = time.Now()\n"}, "uses time.Now"},
	{"doors", map[string]string{"netio/a.go": "package netio\nimport \"time\"\nconst x = time.Second\n"}, ""},
	{"ownership", map[string]string{"engine/a.go": "package engine\nimport \"sync\"\n"}, "imports sync"},
	{"ownership", map[string]string{"engine/a.go": "package engine\nvar c chan int\n"}, "uses chan"},
	{"ownership", map[string]string{"netio/a.go": "package netio\nimport \"sync/atomic\"\n"}, ""},
	{"functions", map[string]string{"slots/a.go": slotted + body(69)}, "f has 71 lines"},
	{"functions", map[string]string{"slots/a.go": slotted + body(40)}, "a tenth of all functions"},
	{"functions", map[string]string{"slots/a.go": slotted + body(33)}, ""},
	{"files", map[string]string{"slots/a.go": slotted + strings.Repeat("//\n", 499)}, "501 lines"},
	{"files", map[string]string{"slots/table.go": slotted + strings.Repeat("//\n", 499)}, ""},
	{"commands", commandFiles(`Doc: Doc{Summary: "Gets"}`, "get.txt", "do\nget k\n"), ""},
	{"commands", commandFiles(`Doc: Doc{}`, "get.txt", "do\nget k\n"), "get has no summary"},
	{"commands", commandFiles(`Doc: Doc{Summary: "Gets"}`, "set.txt", "do\nget k\n"), "get has no script"},
	{"commands", subcommandFiles("do\nclient ID\n"), ""},
	{"commands", subcommandFiles("do\nclient ids\n"), "client|id has no script"},
	{"init", map[string]string{"slots/a.go": slotted + "func init() {}\n"}, "func init"},
	{"package docs", map[string]string{"slots/a.go": "package slots\n"}, "slots: no package comment"},
	{"package docs", map[string]string{"slots/a.go": "package slots\n", "slots/b.go": slotted}, ""},
	{"docstrings", map[string]string{"slots/a.go": slotted + "func F() {}\n"}, "F has no comment"},
	{"docstrings", map[string]string{"slots/a.go": slotted + "type t int\nfunc (t) F() {}\nfunc g() {}\n"}, ""},
	{"docstrings", map[string]string{"slots/a.go": slotted + "const (\n\tA = 1 // one\n\tB = 2\n)\n"}, "B has no comment"},
	{"docstrings", map[string]string{"slots/a.go": slotted + "// T is one.\ntype T int\nfunc (T) String() string { return \"\" }\n"}, ""},
	{"open ends", map[string]string{"slots/a.go": slotted + "// TO" + "DO: more\n"}, "a comment says"},
	{"open ends", map[string]string{"slots/a.go": slotted + "// Good for " + "now.\n"}, "a comment says"},
	{"open ends", map[string]string{"slots/a.go": slotted + "// Done.\n"}, ""},
	{"places", map[string]string{"doc.md": "see /wo" + "rk/main\n"}, "doc.md:1"},
	{"places", map[string]string{"doc.md": "see github.com/wo" + "rk/main and a/root/b\n"}, ""},
	{"gofmt", map[string]string{"slots/a.go": slotted + "func  f() {}\n"}, "not as gofmt"},
	{"gofmt", map[string]string{"slots/a.go": "// Package slots is pure.\npackage slots\n\nfunc f() {}\n"}, ""},
	{"named tests", map[string]string{"slots/a_test.go": slotted + "func TestA() {}\n", "Makefile": "x:\n\tgo test -run 'TestA|TestB'\n"}, "Makefile: there is no TestB"},
	{"named tests", map[string]string{"slots/a.go": slotted + "func TestA() {}\n", "README.md": "`TestA`\n"}, "README.md: there is no TestA"},
	{"named tests", map[string]string{"slots/a.go": slotted, "docs/simulator.md": "`TestA`\n"}, "docs/simulator.md: there is no TestA"},
	{"named tests", map[string]string{"slots/a_test.go": slotted + "func TestA() {}\n", "README.md": "`TestA` is no Test of Testing\n"}, ""},
	{"codemap", map[string]string{"slots/a.go": slotted, "README.md": "# X\n## Codemap\n`slots/x`\n## Y\n`slots`\n"}, "slots: not in README"},
	{"codemap", map[string]string{"slots/a.go": slotted, "README.md": "# X\n## Codemap\n`slots`\n"}, ""},
}

func commandFiles(doc, script, text string) map[string]string {
	return map[string]string{
		commandDir + "/table.go": "package command\nvar rows = []Row{{Name: \"get\", Arity: 2, " + doc + "}}\n",
		scriptDir + script:       text,
	}
}

func subcommandFiles(text string) map[string]string {
	return map[string]string{
		commandDir + "/table.go": "package command\nvar rows = []Row{{Name: \"client|id\", Arity: 2, Doc: Doc{Summary: \"Tells\"}}}\n",
		scriptDir + "client.txt": text,
	}
}

func TestEveryRuleNotices(t *testing.T) {
	broken := map[string]bool{}
	for i, b := range breaches {
		t.Run(fmt.Sprintf("%s %d", b.rule, i), func(t *testing.T) {
			findings := ruleNamed(t, b.rule).check(treeOf(t, b.files))
			got := strings.Join(findings, "\n")
			if b.want == "" && got != "" || !strings.Contains(got, b.want) {
				t.Errorf("findings: %q, want: %q", got, b.want)
			}
			broken[b.rule] = broken[b.rule] || len(findings) > 0
		})
	}
	for _, rule := range rules {
		if !broken[rule.name] {
			t.Errorf("no test breaks the rule %q", rule.name)
		}
	}
}

func ruleNamed(t *testing.T, name string) rule {
	for _, rule := range rules {
		if rule.name == name {
			return rule
		}
	}
	t.Fatalf("no rule %q", name)
	return rule{}
}

func treeOf(t *testing.T, files map[string]string) *Tree {
	texts := map[string][]byte{}
	for path, text := range files {
		texts[path] = []byte(text)
	}
	tree, err := parse(texts)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestCodeOfOtherModulesAndTestdataIsNotRead(t *testing.T) {
	tree := treeOf(t, map[string]string{
		"chaos/clients/go/go.mod":  "module clients\n",
		"chaos/clients/go/main.go": "package main\nfunc init() {}\n",
		"slots/testdata/x.go":      "package x\nfunc init() {}\n",
	})
	if found := noInit(tree); len(found) > 0 {
		t.Errorf("findings: %q", found)
	}
}
