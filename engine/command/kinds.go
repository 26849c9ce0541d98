package command

import "github.com/elares/ironcache/engine/keyspace"

// kinds has the type of every keyspace.Kind as TYPE names it, and the encoding
// as OBJECT ENCODING does.
var kinds = [...]struct{ typ, encoding string }{
	keyspace.KindFree:   {"none", ""},
	keyspace.KindRaw:    {"string", "raw"},
	keyspace.KindEmbstr: {"string", "embstr"},
	keyspace.KindInt:    {"string", "int"},
	keyspace.KindExtent: {"string", "raw"},
}
