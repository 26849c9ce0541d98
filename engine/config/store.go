// Package config holds the options of a node: one table row each, from which
// its flag, environment variable, TOML key, CONFIG GET and SET and the
// documentation come. It never reads the environment or a file by itself.
//
// The promise that callers rely on: a Values is immutable, and a change is
// published whole or not at all.
package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

// Store holds the current Values and where each came from. It is not safe for
// concurrent use: a node changes it from one place at a time and hands the
// published Values to its loops.
type Store struct {
	values  *Values
	sources []Source // by place in the table
	hooks   []subscription
	file    string // path of the configuration file; empty: none
}

type subscription struct {
	hook    Hook
	options []int // places in the table; empty: every option
}

// Hook hears of a change before it counts. When it fails, its error is the
// reason shown to the client, the change is dropped, and the hooks that had
// agreed hear of the reverse change.
type Hook func(before, after *Values) error

// Setting is a name and the value it shall have.
type Setting struct{ Name, Value string }

// Source tells where a value came from.
type Source struct {
	Layer Layer
	Place string // "ironcache.toml:7", "IRONCACHE_PORT", "--port"; empty for the others
}

// Layer is a source of values; a later one wins over an earlier one.
type Layer uint8

// Layers, in the order of layerNames.
const (
	LayerDefault Layer = iota
	LayerFile
	LayerEnvironment
	LayerFlag
	LayerSet
)

var layerNames = []string{"default", "file", "environment", "flag", "CONFIG SET"}

// String names the source in full.
func (s Source) String() string {
	if s.Place != "" {
		return s.Place
	}
	return layerNames[s.Layer]
}

// New makes a Store with the defaults.
func New() *Store {
	values := &Values{}
	for _, option := range table {
		if err := option.kind.set(values, option.Default); err != nil {
			panic("config: default of " + option.Name + ": " + err.Error())
		}
	}
	return &Store{values: values, sources: make([]Source, len(table))}
}

// Values is the current state.
func (s *Store) Values() *Values { return s.values }

// File is the path of the configuration file that Load read; empty if none.
func (s *Store) File() string { return s.file }

// Watch calls hook on every change of one of the named options, or of any if
// none is named. Hooks run in the order of their subscription.
func (s *Store) Watch(hook Hook, names ...string) {
	sub := subscription{hook: hook}
	for _, name := range names {
		i, ok := find(name)
		if !ok {
			panic("config: no option is named " + name)
		}
		sub.options = append(sub.options, i)
	}
	s.hooks = append(s.hooks, sub)
}

// Get is the current value in the form that CONFIG GET shows.
func (s *Store) Get(name string) (value string, ok bool) {
	i, ok := find(name)
	if !ok {
		return "", false
	}
	return table[i].kind.get(s.values), true
}

// Source tells where the current value came from.
func (s *Store) Source(name string) (source Source, ok bool) {
	i, ok := find(name)
	if !ok {
		return Source{}, false
	}
	return s.sources[i], true
}

// UnknownError says that CONFIG SET named no option.
type UnknownError struct{ Name string }

// Error is Redis's text.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("Unknown option or number of arguments for CONFIG SET - '%s'", e.Name)
}

// RefusedError says why CONFIG SET changed nothing.
type RefusedError struct {
	Name string // as the client spelled it
	Why  error
}

// Error is Redis's text.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("CONFIG SET failed (possibly related to argument '%s') - %s", e.Name, e.Why)
}

func (e *RefusedError) Unwrap() error { return e.Why }

// Set changes all the settings, or none and tells why. An error's text is the
// reply after the code ERR; it is an *UnknownError or a *RefusedError.
func (s *Store) Set(settings []Setting) error {
	places, err := changeable(settings)
	if err != nil {
		return err
	}
	after := *s.values
	for n, i := range places {
		if err := table[i].kind.set(&after, settings[n].Value); err != nil {
			return &RefusedError{settings[n].Name, err}
		}
	}
	if err := s.tell(&after, places, settings); err != nil {
		return err
	}
	s.values = &after
	for _, i := range places {
		s.sources[i] = Source{Layer: LayerSet}
	}
	return nil
}

// changeable finds the options to change. Names are judged before values, as
// in Redis.
func changeable(settings []Setting) ([]int, error) {
	var places []int
	for _, setting := range settings {
		i, ok := find(setting.Name)
		if !ok {
			return nil, &UnknownError{setting.Name}
		}
		if why := table[i].change; why != live {
			return nil, &RefusedError{setting.Name, refusals[why]}
		}
		if slices.Contains(places, i) {
			return nil, &RefusedError{setting.Name, reason("duplicate parameter")}
		}
		places = append(places, i)
	}
	return places, nil
}

// tell runs the hooks that the changed options concern.
func (s *Store) tell(after *Values, places []int, settings []Setting) error {
	for n, sub := range s.hooks {
		cause := sub.cause(places)
		if cause < 0 {
			continue
		}
		if err := sub.hook(s.values, after); err != nil {
			s.untell(after, places, n)
			return &RefusedError{settings[cause].Name, err}
		}
	}
	return nil
}

// untell reverses the change for the first n hooks. Those cannot refuse: the
// state they return to was theirs before.
func (s *Store) untell(after *Values, places []int, n int) {
	for _, sub := range slices.Backward(s.hooks[:n]) {
		if sub.cause(places) >= 0 {
			_ = sub.hook(after, s.values)
		}
	}
}

// cause is the first of the changed options that concerns the subscription, as
// an index into places; -1 if none does.
func (sub subscription) cause(places []int) int {
	return slices.IndexFunc(places, func(i int) bool {
		return len(sub.options) == 0 || slices.Contains(sub.options, i)
	})
}

// Match lists names and values for CONFIG GET. A pattern without a glob
// character is a name in any case, and is answered as spelled. Nothing is
// listed twice.
func (s *Store) Match(patterns ...string) []Setting {
	var found []Setting
	for _, pattern := range patterns {
		if !strings.ContainsAny(pattern, "*?[") {
			if value, ok := s.Get(pattern); ok {
				found = add(found, Setting{pattern, value})
			}
			continue
		}
		for _, option := range table {
			for _, name := range option.names() {
				if resp.Match([]byte(pattern), []byte(name), true) {
					found = add(found, Setting{name, option.kind.get(s.values)})
				}
			}
		}
	}
	return found
}

func add(list []Setting, setting Setting) []Setting {
	if slices.Contains(list, setting) {
		return list
	}
	return append(list, setting)
}
