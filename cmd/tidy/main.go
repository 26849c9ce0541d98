// Command tidy holds the house rules and tells where the tree breaks them. Each
// rule is a row of a table; `go test ./cmd/tidy` runs them all, and checks that
// each one notices what it is there for. It reads source text only, so it works
// on a tree that does not compile.
package main

import (
	"fmt"
	"os"
)

func main() {
	tree, err := Load(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "tidy:", err)
		os.Exit(2)
	}
	broken := 0
	for _, rule := range rules {
		for _, finding := range rule.check(tree) {
			fmt.Printf("%s: %s\n", rule.name, finding)
			broken++
		}
	}
	if broken > 0 {
		fmt.Printf("%d findings\n", broken)
		os.Exit(1)
	}
}
