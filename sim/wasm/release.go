//go:build release

package wasm

import _ "embed"

// packed is the node that this release holds, as Pack made it of the same source.
//
//go:embed node.wasm.gz
var packed []byte

// packedLater is a later version of it.
//
//go:embed later.wasm.gz
var packedLater []byte
