//go:build linux

// Command bench measures IronCache beside redis-server and any other RESP
// server, in one run on one machine. Servers get one CPU and the load another;
// within each round the servers take turns, and what is printed are medians
// over the rounds. A round in which other programs took more of these CPUs
// than a limit is left out, and said to be.
//
// Absolute times are this machine's; what README quotes are the ratios.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/alecthomas/kong"
)

// options are the flags.
type options struct {
	Rows    []string          `help:"Rows to run: ${rows}." placeholder:"ROW,..." default:"${defaults}"`
	Quick   bool              `help:"Under a minute in all, for a first look: one round, small key spaces. Its figures prove nothing."`
	Rounds  int               `help:"Rounds to take medians over." default:"5"`
	Time    time.Duration     `help:"Length of one measurement." default:"2s"`
	Conns   int               `help:"Connections." default:"50"`
	Keys    int               `help:"Keys in the key space." default:"1000000"`
	Many    int               `help:"Keys in the large key space (rows tail-large and stall)." default:"5000000"`
	Huge    int               `help:"Bytes of a huge value (row stall)." default:"524288000"`
	Alone   bool              `help:"Take only our server through row stall."`
	Phases  []string          `help:"Cases of row stall to run, in their order." placeholder:"CASE,..."`
	Ours    string            `help:"Command line of our server; {port}, {shards} and {order} (strict or relaxed) are filled in. Default: built from cmd/ironcache." placeholder:"CMD"`
	Theirs  string            `help:"Command line of redis-server." default:"redis-server --port {port} --bind 127.0.0.1 --save '' --appendonly no" placeholder:"CMD"`
	Server  map[string]string `help:"Another server to measure: name='cmd ... {port}'. May be repeated." mapsep:"none" placeholder:"NAME=CMD"`
	JSON    string            `name:"json" help:"Write every figure to a file." placeholder:"FILE"`
	CPUs    []int             `name:"server-cpus" help:"CPUs of a server with one shard (default: the first)." placeholder:"N,..."`
	Shards  []int             `name:"shard-cpus" help:"CPUs of a server with two shards (default: the first two)." placeholder:"N,..."`
	Load    int               `name:"load-cpu" help:"CPU of the load generator (default: the last)." default:"-1" placeholder:"N"`
	Foreign float64           `help:"Leave out rounds in which others took more than this share of the CPUs." default:"0.15"`
	Nice    int               `help:"Priority of servers and load alike, for a machine that others use too; below 0 takes root." default:"0"`
	Limit   time.Duration     `help:"Give up after this long." default:"60m"`
}

func main() {
	// Servers die with the thread that started them, so it must be one that stays.
	runtime.LockOSThread()
	debug.SetGCPercent(400)
	var opt options
	kong.Parse(&opt,
		kong.Name("bench"),
		kong.Description("Side-by-side measurements of IronCache and other RESP servers."),
		kong.Vars{"rows": rowHelp(), "defaults": defaultRows()},
		kong.UsageOnError())
	if err := run(opt); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(opt options) error {
	if opt.Quick {
		opt.shorten()
	}
	rows, err := chosen(opt.Rows)
	if err != nil {
		return err
	}
	lab, err := newLab(opt)
	if err != nil {
		return err
	}
	defer lab.close()
	for _, row := range rows {
		lab.progress.say("%s: %s", row.name, row.about)
		if err := row.run(lab); err != nil {
			return fmt.Errorf("row %s: %w", row.name, err)
		}
	}
	return lab.report.publish(os.Stdout, opt.JSON)
}

// shorten makes a run of a few seconds.
func (o *options) shorten() {
	o.Rounds = 1
	o.Time = 150 * time.Millisecond
	o.Keys = min(o.Keys, 100_000)
	o.Many = min(o.Many, 200_000)
	o.Huge = min(o.Huge, 32<<20)
	o.Foreign = 1 // nothing is measured again
}
