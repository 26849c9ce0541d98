package config

import (
	"slices"
	"strings"
)

// Option is a row of the table.
type Option struct {
	Name    string
	Aliases []string // other names, accepted everywhere
	Group   string
	Default string
	Help    string // Markdown
	Secret  bool   // the value must not reach logs, listings or monitors
	kind    kind
	change  change
}

// change says whether CONFIG SET may change an option.
type change uint8

const (
	live change = iota
	immutable
	protected // changing it at run time would let a client write files elsewhere
)

// refusals are Redis's reasons not to change an option.
var refusals = [...]reason{
	immutable: "can't set immutable config",
	protected: "can't set protected config",
}

// Live tells whether CONFIG SET may change the option.
func (o *Option) Live() bool { return o.change == live }

// Describe tells what values the option takes.
func (o *Option) Describe() string { return o.kind.describe() }

// Variable is the option's environment variable.
func (o *Option) Variable() string { return variable(o.Name) }

// names are all names that the option answers to.
func (o *Option) names() []string { return append([]string{o.Name}, o.Aliases...) }

// prefix starts the names of all our environment variables.
const prefix = "IRONCACHE_"

func variable(name string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Grouped lists all options by group, and by name within one. They must not be
// changed.
func Grouped() []*Option {
	var options []*Option
	for _, group := range groups {
		for i := range table {
			if table[i].Group == group {
				options = append(options, &table[i])
			}
		}
	}
	return options
}

// find finds an option by one of its names, in any case.
func find(name string) (int, bool) {
	name = strings.ToLower(name)
	i := slices.IndexFunc(table, func(o Option) bool {
		return o.Name == name || slices.Contains(o.Aliases, name)
	})
	return i, i >= 0
}

// findSpelled is find for files and flags, where "_" may stand for "-".
func findSpelled(name string) (int, bool) {
	return find(strings.ReplaceAll(name, "_", "-"))
}

// Secret tells whether the values of the option so named must be hidden.
func Secret(name string) bool {
	i, ok := find(name)
	return ok && table[i].Secret
}
