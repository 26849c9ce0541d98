package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Inputs are the layers that Load lays over the defaults.
type Inputs struct {
	File    string    // path of the configuration file; empty: none
	Text    []byte    // its contents
	Environ []string  // "NAME=value"; names that do not start with IRONCACHE_ are ignored
	Flags   []Setting // a later one wins over an earlier one of the same option
	Home    string    // absolute folder that a relative dir starts from; empty: dir stays as it is
}

// FileVariable names the configuration file. It is no option itself.
const FileVariable = prefix + "CONFIG"

// Load makes a Store of all layers: flags win over the environment, that over
// the file, that over the defaults. An error is one line that names the place
// and, for an unknown name, the nearest one that exists.
func Load(in Inputs) (*Store, error) {
	s := New()
	s.file = in.File
	values := *s.values
	for _, layer := range []func(*Store, *Values, Inputs) error{
		(*Store).loadFile, (*Store).loadEnvironment, (*Store).loadFlags,
	} {
		if err := layer(s, &values, in); err != nil {
			return nil, err
		}
	}
	if in.Home != "" && !filepath.IsAbs(values.Dir) {
		values.Dir = filepath.Join(in.Home, values.Dir)
	}
	s.values = &values
	return s, nil
}

func (s *Store) loadFile(v *Values, in Inputs) error {
	entries, err := parse(in.Text)
	var at *lineError
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%w", in.File, at)
	}
	lines := make(map[int]int) // place in the table to line
	for _, e := range entries {
		i, why := placeOf(e, lines)
		if why == "" {
			lines[i] = e.line
			place := fmt.Sprintf("%s:%d", in.File, e.line)
			err := s.load(v, i, e.text, Source{LayerFile, place})
			if err == nil {
				continue
			}
			why = e.key + ": " + err.Error()
		}
		return fmt.Errorf("%s:%w", in.File, &lineError{e.line, why})
	}
	return nil
}

// placeOf finds an entry's option, or tells why there is none. Lines holds
// those of the options seen before.
func placeOf(e entry, lines map[int]int) (place int, why string) {
	i, ok := findSpelled(e.key)
	if !ok {
		return i, fmt.Sprintf("unknown option %q%s", e.key, didYouMean(e.key, optionNames(func(name string) string { return name })))
	}
	if line, again := lines[i]; again {
		return i, fmt.Sprintf("%s: set already at line %d", e.key, line)
	}
	if why := misshapen(&table[i], e); why != "" {
		return i, e.key + ": " + why
	}
	return i, ""
}

func (s *Store) loadEnvironment(v *Values, in Inputs) error {
	environ := slices.Sorted(slices.Values(in.Environ)) // the system's order is no order
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		rest, ours := strings.CutPrefix(name, prefix)
		if !ours || name == FileVariable || isServiceLink(rest, value) {
			continue
		}
		i, ok := find(strings.ReplaceAll(rest, "_", "-"))
		if !ok || strings.ToUpper(name) != name {
			return fmt.Errorf("unknown variable %s%s", name, didYouMean(name, optionNames(variable)))
		}
		if err := s.load(v, i, value, Source{LayerEnvironment, name}); err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
	}
	return nil
}

// isServiceLink recognises what Kubernetes and Docker links add to the
// environment of a container next to a service called ironcache, such as
// IRONCACHE_PORT=tcp://10.0.0.1:6379 and IRONCACHE_SERVICE_HOST. Name is
// without the prefix.
func isServiceLink(name, value string) bool {
	if strings.HasSuffix(name, "SERVICE_HOST") || strings.Contains(name, "SERVICE_PORT") {
		return true
	}
	if strings.HasSuffix(name, "PORT") {
		return strings.Contains(value, "://")
	}
	_, number, found := strings.Cut(name, "PORT_")
	return found && strings.ContainsAny(number[:min(1, len(number))], "0123456789")
}

func (s *Store) loadFlags(v *Values, in Inputs) error {
	for _, flag := range in.Flags {
		i, ok := findSpelled(flag.Name)
		if !ok {
			dashed := optionNames(func(name string) string { return "--" + name })
			return fmt.Errorf("unknown flag --%s%s", flag.Name, didYouMean("--"+flag.Name, dashed))
		}
		if err := s.load(v, i, flag.Value, Source{LayerFlag, "--" + flag.Name}); err != nil {
			return fmt.Errorf("flag --%s: %w", flag.Name, err)
		}
	}
	return nil
}

// load sets an option. An empty amount of memory, which CONFIG SET takes for 0,
// is more likely a variable that was left empty than a wish for no limit.
func (s *Store) load(v *Values, i int, text string, from Source) error {
	if _, bytes := table[i].kind.(memory); bytes && text == "" {
		return notMemory
	}
	if err := table[i].kind.set(v, text); err != nil {
		return err
	}
	s.sources[i] = from
	return nil
}
