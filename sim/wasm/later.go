package wasm

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// laterEdits make a node of this repository one as a later version of it might be:
// it understands entries of the log of one version more, writes them when all
// members do, and they mean something else than those of today.
var laterEdits = []struct{ file, old, new string }{
	{"raftlog/state/table.go", "NewestVersion uint8 = 1\n", "NewestVersion uint8 = 2\n"},
	{"raftlog/propose.go", "data, err := state.Encode(e)\n", "data, err := state.Encode(e)\n\tif err == nil {\n\t\tdata[0] = p.View().State.Version()\n\t}\n"},
	{"raftlog/state/draft.go", "d.changed = d.index\n", "d.changed = d.index\n\tif version > 1 {\n\t\td.shards++\n\t}\n"},
	{"sim/guest/main.go", `Version: "sim"`, `Version: "sim-later"`},
}

// laterTexts are the files of a later version of the checkout at root.
func laterTexts(root string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, e := range laterEdits {
		name := filepath.Join(root, filepath.FromSlash(e.file))
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("wasm: the later node: %w", err)
		}
		if n := bytes.Count(text, []byte(e.old)); n != 1 {
			return nil, fmt.Errorf("wasm: the later node: %q stands %d times in %s, and must once", e.old, n, e.file)
		}
		texts[name] = bytes.Replace(text, []byte(e.old), []byte(e.new), 1)
	}
	return texts, nil
}

// BuildLater builds the node of the checkout that a folder is in as a later version
// of it might be: see laterEdits.
func BuildLater(ctx context.Context, dir string) ([]byte, error) {
	root, err := Root(ctx, dir)
	if err != nil {
		return nil, err
	}
	texts, err := laterTexts(root)
	if err != nil {
		return nil, err
	}
	return BuildWith(ctx, dir, texts)
}
