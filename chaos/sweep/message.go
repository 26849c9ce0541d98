package sweep

import (
	"github.com/elares/ironcache/chaos/play"
)

// A worker that is a process of its own hears orders from its standard input and
// answers on its standard output, in lines of JSON. Each order has one answer, which
// what happens in a run may precede.

// order is what a worker is to do.
type order struct {
	Node  int    `json:"node,omitempty"`  // compile the node: so many bytes, which follow the line
	Later int    `json:"later,omitempty"` // know its later version: so many bytes, which follow
	Cache string `json:"cache,omitempty"` // the folder for what is compiled
	Origin

	Plan  string `json:"plan,omitempty"` // run it; as package plan writes it
	Twice bool   `json:"twice,omitempty"`
	Watch bool   `json:"watch,omitempty"` // tell of what happens
	Tell  bool   `json:"tell,omitempty"`  // tell the lines of the trace

	File string `json:"file,omitempty"` // file what was run last in this folder

	bytes []byte // that follow
}

// answer is what a worker says.
type answer struct {
	Happened *play.Happening `json:"happened,omitempty"`
	Line     string          `json:"line,omitempty"`

	// The last one to an order.
	Done    bool     `json:"done,omitempty"`
	Outcome *Outcome `json:"outcome,omitempty"`
	Error   string   `json:"error,omitempty"` // why it could not be done
}
