package config

import (
	"fmt"
	"strings"
)

// Line is an option's value for a listing.
type Line struct {
	Option *Option
	Value  any // int64, bool, string or []string; nil when it is a secret
	Source Source
}

// Listing lists all options by group, with secrets left out.
func (s *Store) Listing() []Line {
	var lines []Line
	for _, option := range Grouped() {
		i, _ := find(option.Name)
		line := Line{Option: option, Source: s.sources[i]}
		if !s.hidden(i) {
			line.Value = option.tomlValue(s.values)
		}
		lines = append(lines, line)
	}
	return lines
}

// hidden tells whether an option's value must not be shown: an empty secret
// is none.
func (s *Store) hidden(i int) bool {
	return table[i].Secret && table[i].kind.get(s.values) != ""
}

// TOML gives all options as a configuration file in which comments tell where
// each value came from. Secrets are left out.
func (s *Store) TOML() string {
	var text strings.Builder
	group := ""
	for _, line := range s.Listing() {
		if line.Option.Group != group {
			group = line.Option.Group
			fmt.Fprintf(&text, "\n# %s\n", group)
		}
		setting := line.Option.tomlLine(s.values)
		if line.Value == nil {
			setting = "# " + line.Option.Name + " is set and not shown"
		}
		fmt.Fprintf(&text, "%-40s # %s\n", setting, line.Source)
	}
	return strings.TrimPrefix(text.String(), "\n")
}
