package main

// serverCommand runs a node until it is told to stop.
type serverCommand struct {
	flags
	Portable bool `help:"Use the portable network runtime even where epoll exists."`
}

// Run loads the configuration and runs the node.
func (c *serverCommand) Run(p *program) error {
	store, err := c.load(p)
	if err != nil {
		return err
	}
	log, flush, err := openLog(store)
	if err != nil {
		return err
	}
	return runServer(store, log, flush, c.Portable)
}
