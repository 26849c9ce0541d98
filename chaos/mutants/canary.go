package mutants

import "fmt"

// Canary is a node that forgets one plain SET in so many, on average, and answers OK.
// A sweep that reports nothing of such nodes reports nothing.
func Canary(odds int) *Mutant {
	const begin = "\tif c.Argc() != 3 {\n\t\treturn setWithOptions(c)\n\t}\n"
	return &Mutant{
		ID:   "canary",
		Name: "a SET is forgotten now and then", File: "engine/command/string_set.go", Old: begin,
		New:   begin + fmt.Sprintf("\tif c.Rand.Uint64()%%%d == 0 {\n\t\tc.Reply.OK()\n\t\treturn nil\n\t}\n", odds),
		Judge: "linearizable",
	}
}
