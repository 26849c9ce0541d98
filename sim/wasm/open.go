package wasm

import (
	"context"
	"os"
	"path/filepath"
)

// Open compiles the node that this program holds, if it is a release, and otherwise
// builds that of the checkout that a folder is in.
func Open(ctx context.Context, dir string) (*Module, error) {
	if len(packed) > 0 {
		text, err := unpack(packed)
		if err != nil {
			return nil, err
		}
		return OpenBytes(ctx, text)
	}
	text, err := Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	return OpenBytes(ctx, text)
}

// OpenBytes compiles a module in a runtime of its own. What was compiled is kept
// for the next process in the user's folder of caches, if there is one.
func OpenBytes(ctx context.Context, text []byte) (*Module, error) {
	folder, err := os.UserCacheDir()
	if err == nil {
		folder = filepath.Join(folder, "ironcache")
	}
	r, err := NewRuntime(ctx, folder)
	if err != nil {
		return nil, err
	}
	return r.Compile(ctx, text)
}
