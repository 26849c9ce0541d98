package main

import (
	"encoding/json"
	"fmt"

	"github.com/elares/ironcache/engine/config"
)

// configCommand prints the configuration that a server started with the same
// flags, environment and file would have.
type configCommand struct {
	flags
	Check bool `help:"Print nothing but errors."`
	JSON  bool `name:"json" help:"Print JSON instead of TOML."`
}

// Run prints the configuration; secrets are left out.
func (c *configCommand) Run(p *program) error {
	store, err := c.load(p)
	if err != nil || c.Check {
		return err
	}
	if c.JSON {
		return printJSON(p, store)
	}
	_, err = fmt.Fprint(p.out, store.TOML())
	return err
}

// setting is an option in the JSON listing. The value of a secret that is set
// is null.
type setting struct {
	Value  any    `json:"value"`
	Source string `json:"source"`
	Secret bool   `json:"secret,omitempty"`
}

func printJSON(p *program, store *config.Store) error {
	settings := make(map[string]setting)
	for _, line := range store.Listing() {
		settings[line.Option.Name] = setting{line.Value, line.Source.String(), line.Option.Secret}
	}
	text, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s\n", text)
	return err
}
