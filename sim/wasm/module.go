// Package wasm runs nodes of a simulated world as WebAssembly instances: one
// for each life of a node, all in one process, one at a time. A crash drops an
// instance in the middle of whatever it does, a pause does not go on with it.
//
// The promise that callers rely on: the bytes of the module, what it is started
// with and the seed of the world decide everything that happens.
package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Runtime compiles and runs modules. It may be used from any goroutine.
type Runtime struct {
	wazero   wazero.Runtime
	memories memories
}

// NewRuntime makes a runtime. What it compiles is kept in the folder cache for
// the next process, unless that is empty.
func NewRuntime(ctx context.Context, cache string) (*Runtime, error) {
	config := wazero.NewRuntimeConfigCompiler()
	if cache != "" {
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return nil, fmt.Errorf("wasm: folder of compiled modules: %w", err)
		}
		kept, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, fmt.Errorf("wasm: folder of compiled modules: %w", err)
		}
		config = config.WithCompilationCache(kept)
	}
	r := &Runtime{wazero: wazero.NewRuntimeWithConfig(ctx, config)}
	system := r.wazero.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(system)
	export(system, systemDoors)
	if _, err := system.Instantiate(ctx); err != nil {
		return nil, fmt.Errorf("wasm: system functions: %w", err)
	}
	if err := r.openDoors(ctx); err != nil {
		return nil, fmt.Errorf("wasm: doors: %w", err)
	}
	return r, nil
}

// Close drops the runtime and all it compiled.
func (r *Runtime) Close(ctx context.Context) error { return r.wazero.Close(ctx) }

// Module is a compiled node.
type Module struct {
	// Hash is the SHA-256 of its bytes, in hexadecimal.
	Hash string

	later    func() (*Module, error)
	compiled wazero.CompiledModule
	runtime  *Runtime
}

// Compile compiles the bytes of a module.
func (r *Runtime) Compile(ctx context.Context, text []byte) (*Module, error) {
	few, err := joined(text)
	if err != nil {
		return nil, err
	}
	compiled, err := r.wazero.CompileModule(experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)), few)
	if err != nil {
		return nil, fmt.Errorf("wasm: compile the node: %w", err)
	}
	return &Module{Hash: hashOf(text), compiled: compiled, runtime: r}, nil
}

// hashOf is the hash of a module's bytes.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
