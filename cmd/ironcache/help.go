package main

// helpCommand is another spelling of --help.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command to explain."`
}

// Run prints the help of a command, or of all.
func (h *helpCommand) Run(p *program) error {
	_, err := parser(p).Parse(append(h.Command, "--help"))
	return usageError{err} // --help has ended the run unless the command is unknown
}
