// Command verify holds the documents to research/claims.yaml: each
// figure in them names a claim by a footnote, each claim has a source or a
// script that measured it, and text, claim and measurement say the same number.
//
// What is no claim but a constant of the design, such as a size limit or a
// default, stands in a code span and is not checked.
package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

type options struct {
	Root  string   `help:"Root of the repository." default:"." type:"existingdir"`
	Write bool     `help:"Write the footnotes into the documents."`
	Run   bool     `help:"Measure again and compare, within each claim's tolerance."`
	Only  []string `help:"With --run: scripts of these claims only." placeholder:"ID,..."`
}

// documents are the texts that carry figures.
var documents = []string{"README.md", "PRIOR_ART.md", "docs/simulator.md"}

func main() {
	var opt options
	kong.Parse(&opt, kong.Name("verify"), kong.Description("Checks that every figure in the documents is a claim with a source."))
	faults, err := verify(opt)
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(2)
	}
	for _, fault := range faults {
		fmt.Println(fault)
	}
	if len(faults) > 0 {
		fmt.Printf("%d faults\n", len(faults))
		os.Exit(1)
	}
	fmt.Println("every figure has its claim, every claim its source")
}

func verify(opt options) ([]string, error) {
	b, err := loadBook(opt.Root)
	if err != nil {
		return nil, err
	}
	if opt.Write {
		if err := b.writeFootnotes(); err != nil {
			return nil, err
		}
	}
	faults := b.check()
	if opt.Run {
		again, err := b.rerun(opt.Only)
		return append(faults, again...), err
	}
	return faults, nil
}
