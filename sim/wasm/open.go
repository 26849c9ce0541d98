package wasm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Binary is the bytes of a node, which any process can compile.
type Binary struct {
	Bytes []byte
	Hash  string // SHA-256 of the bytes, in hexadecimal

	later func() (*Binary, error)
}

// NewBinary is a node of given bytes. It has no later version.
func NewBinary(bytes []byte) *Binary { return &Binary{Bytes: bytes, Hash: hashOf(bytes)} }

// Load gives the node that this program holds, if it is a release, and otherwise
// builds that of the checkout that a folder is in.
func Load(ctx context.Context, dir string) (*Binary, error) {
	text, err := nodeOf(packed, func() ([]byte, error) { return Build(ctx, dir) })
	if err != nil {
		return nil, err
	}
	b := NewBinary(text)
	b.later = sync.OnceValues(func() (*Binary, error) {
		text, err := nodeOf(packedLater, func() ([]byte, error) {
			return laterOf(b.Hash, func() ([]byte, error) { return BuildLater(ctx, dir) }, func() ([]byte, error) { return Build(ctx, dir) })
		})
		if err != nil {
			return nil, err
		}
		return NewBinary(text), nil
	})
	return b, nil
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
// BuildLater. It is built when it is first asked for. Only what Load gives has one.
func (b *Binary) Later() (*Binary, error) {
	if b.later == nil {
		return nil, errNoLater
	}
	return b.later()
}

// errNoLater says that there is but one version of a node.
var errNoLater = errors.New("wasm: this module has no later version")

// Cache is the user's folder for what is compiled, empty if there is none.
func Cache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "ironcache")
}

// Compile compiles the node in a runtime of its own. What was compiled is kept in the
// folder cache for the next process, unless that is empty.
func (b *Binary) Compile(ctx context.Context, cache string) (*Module, error) {
	r, err := NewRuntime(ctx, cache)
	if err != nil {
		return nil, err
	}
	m, err := r.Compile(ctx, b.Bytes)
	if err != nil {
		return nil, err
	}
	m.SetLater(func() (*Module, error) {
		later, err := b.Later()
		if err != nil {
			return nil, err
		}
		return later.Compile(ctx, cache)
	})
	return m, nil
}

// SetLater says where a later version of the module comes from when it is first asked
// for.
func (m *Module) SetLater(from func() (*Module, error)) { m.later = sync.OnceValues(from) }

// Later gives the module's later version. Only one that is compiled from what Load
// gives has one, or that was told of it.
func (m *Module) Later() (*Module, error) {
	if m.later == nil {
		return nil, errNoLater
	}
	return m.later()
}

// Open is Load, compiled.
func Open(ctx context.Context, dir string) (*Module, error) {
	b, err := Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	return b.Compile(ctx, Cache())
}
