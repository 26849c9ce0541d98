// Package endless holds nodes of a few bytes that never come to the end of their
// first step, for tests of what ends them. They are right modules: what runs nodes
// runs these as well.
package endless

import "slices"

// Computing computes and calls no door, so that nothing within its process can stop it:
//
//	(memory (export "memory") 1)
//	(func (export "_start") (loop (br 0)))
var Computing = slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
	[]byte("\x01\x04\x01\x60\x00\x00"),
	[]byte("\x03\x02\x01\x00"),
	[]byte("\x05\x03\x01\x00\x01"),
	[]byte("\x07\x13\x02\x06memory\x02\x00\x06_start\x00\x00"),
	[]byte("\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b"))

// Calling reads its clock:
//
//	(import "ironcache" "monotonic" (func (result i64)))
//	(memory (export "memory") 1)
//	(func (export "_start") (loop (drop (call 0)) (br 0)))
var Calling = slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
	[]byte("\x01\x08\x02\x60\x00\x00\x60\x00\x01\x7e"),
	[]byte("\x02\x17\x01\x09ironcache\x09monotonic\x00\x01"),
	[]byte("\x03\x02\x01\x00"),
	[]byte("\x05\x03\x01\x00\x01"),
	[]byte("\x07\x13\x02\x06memory\x02\x00\x06_start\x00\x01"),
	[]byte("\x0a\x0c\x01\x0a\x00\x03\x40\x10\x00\x1a\x0c\x00\x0b\x0b"))
