// Package strict decodes JSON that people may have written by hand: a field that
// nobody knows is a slip of theirs, and so is what follows the value. It does no I/O.
//
// The promise that callers rely on: what is accepted was understood to its end.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Unmarshal is json.Unmarshal that refuses fields it does not know.
func Unmarshal(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows behind the value")
	}
	return nil
}
