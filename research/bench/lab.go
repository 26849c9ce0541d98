//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/elares/ironcache/research/bench/floor"
	"github.com/elares/ironcache/research/bench/load"
	"github.com/elares/ironcache/research/bench/machine"
)

// valueSize is the size of the values that the rows use, in bytes.
const valueSize = 64

// A server is a kind of server that can be started.
type server struct {
	name     string
	line     string // with {port}
	cpus     []int
	constant bool // answers constants; its values are not checked
}

// A lab holds what the rows share.
type lab struct {
	opt      options
	dir      string
	loadCPU  int
	progress *progress
	report   *report
}

func newLab(opt options) (*lab, error) {
	l := &lab{opt: opt, report: newReport(opt)}
	if err := l.place(); err != nil {
		return nil, err
	}
	var err error
	if l.dir, err = os.MkdirTemp("", "ironcache-bench-"); err != nil {
		return nil, fmt.Errorf("make a work folder: %w", err)
	}
	l.progress = newProgress(os.Stderr)
	if l.opt.Ours == "" {
		if err := l.build(); err != nil {
			l.close()
			return nil, err
		}
	}
	time.AfterFunc(opt.Limit, func() {
		fmt.Fprintf(os.Stderr, "\nbench: not done after %v\n", opt.Limit)
		os.Exit(1) // servers die with this program
	})
	if opt.Nice != 0 {
		if err := machine.Nice(opt.Nice); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, machine.Pin(l.loadCPU)
}

// place decides which CPUs the servers and the load get.
func (l *lab) place() error {
	cpus, err := machine.CPUs()
	if err != nil {
		return err
	}
	if len(l.opt.CPUs) == 0 {
		l.opt.CPUs = cpus[:1]
	}
	if len(l.opt.Shards) == 0 {
		l.opt.Shards = cpus[:min(2, len(cpus))]
	}
	l.loadCPU = l.opt.Load
	if l.loadCPU < 0 {
		l.loadCPU = cpus[len(cpus)-1]
	}
	return nil
}

// build compiles our server.
func (l *lab) build() error {
	program := filepath.Join(l.dir, "ironcache")
	l.progress.say("building cmd/ironcache")
	said, err := exec.Command("go", "build", "-o", program, "github.com/elares/ironcache/cmd/ironcache").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build cmd/ironcache (--ours names another program): %w\n%s", err, said)
	}
	l.opt.Ours = program + " server --port {port} --bind 127.0.0.1 --shards {shards} --pipeline-order {order}"
	return nil
}

func (l *lab) close() {
	l.progress.end()
	if err := os.RemoveAll(l.dir); err != nil {
		fmt.Fprintln(os.Stderr, "bench: remove work folder:", err)
	}
}

// ours is our server with a number of shards.
func (l *lab) ours(name string, shards int, order string) server {
	line := strings.NewReplacer("{shards}", strconv.Itoa(shards), "{order}", order).Replace(l.opt.Ours)
	cpus := l.opt.CPUs
	if shards > 1 {
		cpus = l.opt.Shards
	}
	return server{name: name, line: line, cpus: cpus}
}

// stores are the servers that hold data: ours, redis-server and those of --server.
func (l *lab) stores() []server {
	all := []server{l.ours(oursName, 1, "strict"), {name: theirsName, line: l.opt.Theirs, cpus: l.opt.CPUs}}
	for _, name := range sortedKeys(l.opt.Server) {
		all = append(all, server{name: name, line: l.opt.Server[name], cpus: l.opt.CPUs})
	}
	return all
}

// floorServer is the server of constants; ok is false, with a note in the
// report, where it cannot be built.
func (l *lab) floorServer() (s server, ok bool) {
	program, err := floor.Build(l.dir)
	if err != nil {
		l.report.note("no floor row: " + err.Error())
		return server{}, false
	}
	return server{name: floorName, line: program + " {port}", cpus: l.opt.CPUs, constant: true}, true
}

// A running server with its kind.
type running struct {
	server
	*machine.Process
	cpuSet []int // its CPUs and the load's
}

func (l *lab) launch(s server) (*running, error) {
	p, err := machine.Launch(s.line, l.dir, s.cpus)
	if err != nil {
		return nil, err
	}
	set := s.cpus
	if !contains(set, l.loadCPU) {
		set = append(append([]int(nil), set...), l.loadCPU)
	}
	return &running{s, p, set}, nil
}

// launchAll starts servers; stop them with stopAll also after an error.
func (l *lab) launchAll(servers []server) ([]*running, error) {
	var all []*running
	for _, s := range servers {
		r, err := l.launch(s)
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

func stopAll(all []*running) {
	for _, r := range all {
		r.Stop()
	}
}

// fill stores keys [0, n) of a shape, in pieces so that the rendered requests
// stay small.
func (l *lab) fill(r *running, shape load.Shape, n int) error {
	const piece = 250_000
	client, err := load.Dial(r.Port, 8)
	if err != nil {
		return err
	}
	defer client.Close()
	for from := 0; from < n; from += piece {
		requests := load.InOrder(shape, from, min(from+piece, n))
		if _, err := client.Closed(load.Closed{Requests: requests, Pipeline: 64, Once: true}); err != nil {
			return fmt.Errorf("fill %s: %w", r.name, err)
		}
	}
	return nil
}

// check sends a few requests and looks at every reply.
func (l *lab) check(r *running, requests *load.Requests) error {
	session, err := load.NewSession(r.Port)
	if err != nil {
		return err
	}
	defer session.Close()
	if err := session.Check(requests, 100, r.constant); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}
