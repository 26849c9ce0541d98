package main

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// helpCommand is another spelling of --help.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command to explain."`
}

// Run prints the help of a command, or of all.
func (h *helpCommand) Run(p *program) error {
	_, err := parser(p).Parse(append(h.Command, "--help"))
	return usageError{err} // --help has ended the run unless the command is unknown
}

// printHelp prints the help of a command, with the flags of the one that it runs by
// itself, and in the end, as it stands, what the command has to say beside.
func printHelp(o kong.HelpOptions, c *kong.Context) error {
	command := c.Selected()
	if command == nil {
		return kong.DefaultHelpPrinter(o, c)
	}
	if itself := command.DefaultCmd; itself != nil {
		command.Flags = append(command.Flags, itself.Flags...)
		fmt.Fprintf(c.Stdout, "Usage: %s [<command>] [flags]\n", command.FullPath())
		o.NoAppSummary = true
	}
	detail := command.Detail
	command.Detail = ""
	if err := kong.DefaultHelpPrinter(o, c); err != nil || detail == "" {
		return err
	}
	_, err := fmt.Fprintf(c.Stdout, "\n%s", detail)
	return err
}
