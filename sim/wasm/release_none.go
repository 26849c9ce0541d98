//go:build !release

package wasm

// packed and packedLater are empty: this is no release, and the node is built from a
// checkout.
var packed, packedLater []byte
