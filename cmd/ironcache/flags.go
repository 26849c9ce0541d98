package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/elares/ironcache/engine/config"
)

// flags are the flags that give a node its configuration: one for each option,
// made from the table of options, and the name of the file.
type flags struct {
	File         string `name:"config" env:"IRONCACHE_CONFIG" placeholder:"FILE" help:"TOML file with options."`
	kong.Plugins        // holds one struct, with a given for each option, in the order of config.Grouped
}

// given is the value of a flag, if it was given.
type given struct {
	text string
	ok   bool
}

// Decode takes the next word as the value. An option's value may start with
// one dash, as -1 does; two are more likely the next flag.
func (g *given) Decode(ctx *kong.DecodeContext) error {
	next := ctx.Scan.Peek()
	text, _ := next.Value.(string)
	if next.IsEOL() || next.Type != kong.FlagValueToken && strings.HasPrefix(text, "--") {
		return errors.New("a value must follow")
	}
	ctx.Scan.Pop()
	*g = given{text, true}
	return nil
}

func newFlags() flags {
	var fields []reflect.StructField
	for i, option := range config.Grouped() {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Option%d", i),
			Type: reflect.TypeFor[given](),
			Tag:  tagOf(option),
		})
	}
	return flags{Plugins: kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}}
}

// tagOf describes an option's flag to kong.
func tagOf(o *config.Option) reflect.StructTag {
	help := strings.ReplaceAll(o.Help, "`", "")
	help = fmt.Sprintf("%s (%s)", help, strings.ReplaceAll(o.Describe(), "`", ""))
	return reflect.StructTag(fmt.Sprintf("name:%q group:%q placeholder:%q aliases:%q help:%q",
		o.Name, o.Group, placeholder(o), strings.Join(o.Aliases, ","), help))
}

func placeholder(o *config.Option) string {
	if o.Default == "" {
		return "TEXT"
	}
	if strings.Contains(o.Default, " ") {
		return "LIST"
	}
	return o.Default
}

// settings are the options given as flags.
func (f *flags) settings() []config.Setting {
	var settings []config.Setting
	values := reflect.ValueOf(f.Plugins[0]).Elem()
	for i, option := range config.Grouped() {
		if value := values.Field(i).Interface().(given); value.ok {
			settings = append(settings, config.Setting{Name: option.Name, Value: value.text})
		}
	}
	return settings
}

// load reads all layers of the configuration.
func (f *flags) load(p *program) (*config.Store, error) {
	in := config.Inputs{File: f.File, Environ: p.environ, Flags: f.settings()}
	if f.File != "" {
		text, err := os.ReadFile(f.File)
		if err != nil {
			return nil, usageError{fmt.Errorf("configuration file: %w", err)}
		}
		in.Text = text
	}
	home, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	in.Home = home
	store, err := config.Load(in)
	if err != nil {
		return nil, usageError{err}
	}
	return store, checkDir(store.Values().Dir)
}

// checkDir makes sure that the folder of the data files is there.
func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	if err != nil {
		return usageError{fmt.Errorf("option dir: %w", err)}
	}
	return nil
}
