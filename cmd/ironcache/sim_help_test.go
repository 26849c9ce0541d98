package main

import (
	"strings"
	"testing"
)

// Help of sim tells what one types: options of a sweep, examples, commands, exit codes,
// each on a line of its own, and not what it starts itself.
func TestSimHelp(t *testing.T) {
	for _, args := range []string{"sim --help", "help sim"} {
		code, out, err := command(t, nil, strings.Fields(args)...)
		if code != exitOK || err != "" {
			t.Fatal(err)
		}
		for _, want := range []string{"--seeds=100", "--out=DIR", "sim replay", "\n  ironcache sim --seeds 10000 --out nightly", "\n    0  all seeds are ok\n", "\n  130  interrupted"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", args, want, out)
			}
		}
		if strings.Contains(out, "worker") {
			t.Errorf("%s tells of workers:\n%s", args, out)
		}
	}
}
