// Command ironcache is a Redis-compatible cache: the server and its tools in
// one binary.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// program is what a subcommand may touch of the process it runs in.
type program struct {
	out, err io.Writer
	environ  []string
}

// commands are the subcommands, each in the file named after it.
type commands struct {
	Server  serverCommand  `cmd:"" help:"Run a node."`
	Config  configCommand  `cmd:"" help:"Print the configuration in effect and where each value comes from."`
	Sim     simCommand     `cmd:"" help:"Run whole clusters in a simulated world, with faults, and judge what clients saw."`
	Version versionCommand `cmd:"" help:"Print the version."`
	Help    helpCommand    `cmd:"" help:"Explain a command."`
}

func main() {
	os.Exit(run(&program{os.Stdout, os.Stderr, os.Environ()}, os.Args[1:]))
}

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // something went wrong at run time
	exitUsage   = 2 // the command line or the configuration is at fault
)

// exited carries the exit code that kong asks for, after --help, up to run.
type exited int

// minding is a writer that keeps in mind why something could not be written, so that a
// command does not end well whose words are lost.
type minding struct {
	io.Writer
	failed error
}

func (m *minding) Write(text []byte) (int, error) {
	n, err := m.Writer.Write(text)
	if m.failed == nil && err != nil {
		m.failed = fmt.Errorf("write to standard output: %w", err)
	}
	return n, err
}

// run executes a command line and gives the exit code.
func run(p *program, args []string) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			code = int(r)
		default:
			panic(r)
		}
	}()
	if len(args) == 0 {
		args = []string{"help"}
	}
	if len(args) == 1 && (args[0] == "--version" || args[0] == "-v") { // as redis-server has it
		args = []string{"version"}
	}
	out := &minding{Writer: p.out}
	p.out = out
	parsed, err := parser(p).Parse(args)
	if err != nil {
		err = usageError{errors.New(strings.Replace(err.Error(), ", did you mean", "; did you mean", 1) + habit(args))}
	} else {
		err = cmp.Or(parsed.Run(p), out.failed)
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(p.err, "ironcache: %s\n", explain(err))
	return codeOf(err)
}

func parser(p *program) *kong.Kong {
	return kong.Must(&commands{Server: serverCommand{flags: newFlags()}, Config: configCommand{flags: newFlags()}},
		kong.Name("ironcache"),
		kong.Description("A Redis-compatible cache."),
		kong.Writers(p.out, p.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Help(printHelp),
		kong.WithHyphenPrefixedParameters(true), // so that --slowlog-log-slower-than -1 works
	)
}
