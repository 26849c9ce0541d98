package wasm

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Pack compresses a module's bytes, for a release to hold. Equal bytes are packed
// equally.
func Pack(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("wasm: pack the node: %w", err)
	}
	return out.Bytes(), nil
}

// unpack undoes Pack.
func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("wasm: unpack the node of this release: %w", err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("wasm: unpack the node of this release: %w", err)
	}
	return text, nil
}
