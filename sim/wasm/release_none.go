//go:build !release

package wasm

// packed is empty: this is no release, and the node is built from a checkout.
var packed []byte
