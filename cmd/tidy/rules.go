package main

// A rule is one house rule.
type rule struct {
	name  string
	why   string
	check func(*Tree) []string // findings, each beginning with its place
}

// rules lists every house rule. Each has a test in rules_test.go that breaks it.
var rules = []rule{
	{"layering", "imports point from later rows of the layer table to earlier ones", layering},
	{"doors", "only the outer packages touch the network, the disk, the clock, chance and threads", doors},
	{"ownership", "a shard is owned by one loop: no mutex, atomic or channel in engine, slots and raftlog/state", ownership},
	{"functions", "no function has over 70 lines and nine of ten have at most 35", functionLengths},
	{"files", "a file has one topic and at most 500 lines", fileLengths},
	{"commands", "every command row has its documentation and its script", commandRows},
	{"init", "tables are explicit: no init functions", noInit},
	{"package docs", "every package says what it is for", packageDocs},
	{"docstrings", "every exported name is documented", docstrings},
	{"open ends", "nothing is left for later in a comment", noOpenEnds},
	{"places", "no path or host of a particular machine stands in the tree", noPlaces},
	{"gofmt", "files are as gofmt writes them", formatted},
	{"named tests", "tests that documents, Makefile and test.sh name are there", namedTests},
	{"codemap", "README lists every package", codemap},
}
