package wasm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Open compiles the node that this program holds, if it is a release, and otherwise
// builds that of the checkout that a folder is in.
func Open(ctx context.Context, dir string) (*Module, error) {
	text, err := nodeOf(packed, func() ([]byte, error) { return Build(ctx, dir) })
	if err != nil {
		return nil, err
	}
	m, err := OpenBytes(ctx, text)
	if err != nil {
		return nil, err
	}
	m.later = sync.OnceValues(func() (*Module, error) {
		text, err := nodeOf(packedLater, func() ([]byte, error) {
			return laterOf(m.Hash, func() ([]byte, error) { return BuildLater(ctx, dir) }, func() ([]byte, error) { return Build(ctx, dir) })
		})
		if err != nil {
			return nil, err
		}
		return OpenBytes(ctx, text)
	})
	return m, nil
}

// laterOf builds the later version of a node that has a hash, and makes sure that the
// source is still that node's: two nodes of different source would not be two versions.
func laterOf(hash string, later, node func() ([]byte, error)) ([]byte, error) {
	text, err := later()
	if err != nil {
		return nil, err
	}
	again, err := node()
	if err != nil {
		return nil, err
	}
	if hashOf(again) != hash {
		return nil, errors.New("wasm: the checkout has changed since the node was built: begin anew")
	}
	return text, nil
}

// nodeOf gives the bytes of a node that a release holds, or builds it.
func nodeOf(packed []byte, build func() ([]byte, error)) ([]byte, error) {
	if len(packed) > 0 {
		return unpack(packed)
	}
	return build()
}

// Later gives the node as a later version of this repository might have it: see
// BuildLater. It is built when it is first asked for. Only a module from Open has one.
func (m *Module) Later() (*Module, error) {
	if m.later == nil {
		return nil, errors.New("wasm: this module has no later version")
	}
	return m.later()
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
