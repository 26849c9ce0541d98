package differ

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"
)

// block is one directive of a script with its options.
//
// Directives:
//
//	reset   start of a named conversation: empty server, no connections. The
//	        comment line above it is the conversation's name.
//	do      each input line is a command; all go out as one pipeline
//	send    as do, without reading the replies
//	recv    read the replies of an earlier send
//	raw     bytes with \r\n and \xNN escapes go out as they are; lines are joined
//	        without a separator; the reply is printed byte for byte
//	quiet   nothing may arrive on the connection for ms milliseconds
//	close   the client closes the connection
//	sleep   wait ms milliseconds
//
// Options:
//
//	conn=NAME     the connection, made at its first use (default main)
//	resp=2|3      protocol of this block (default: that of the run)
//	since=X       redis-server 7.0 lacks this: only ours is asked. On reset, it
//	              holds for the whole conversation
//	sort[=pairs|deep]   print the elements of the outermost (every) array sorted
//	shape[=loose|kind]  print types only; loose leaves out lengths, kind elements
//	lines=(a,b)   of a reply made of name:value lines, k=v words or pairs, print
//	              whether these names are present
//	values=(a,b)  the same, with the values
//	round=N       print integers rounded to multiples of N
//	cut=N         print the first N elements of each element of an array
//	sweep         call SCAN again until its cursor is 0, print all keys sorted
//	mask          replace times, addresses and ids by <time>, <addr>, <id>
//	replies=N     number of replies to read (default: one a command)
//	partial       raw: send, read nothing
//	closing       raw: read until the server closes
//	ms=N          for sleep and quiet
type block struct {
	directive string
	input     []string
	pos       string
	conn      string
	resp      int
	since     string
	sort      string
	shape     string
	lines     []string
	values    []string
	round     int64
	mask      bool
	cut       int
	sweep     bool
	replies   int // -1: one a command
	ending    string
	ms        int
}

// setters has an entry for each option.
var setters = map[string]func(*block, []string) error{
	"conn":    func(b *block, v []string) error { return text(&b.conn, v) },
	"resp":    func(b *block, v []string) error { return number(&b.resp, v) },
	"since":   func(b *block, v []string) error { return text(&b.since, v) },
	"sort":    func(b *block, v []string) error { return flag(&b.sort, "plain", v) },
	"shape":   func(b *block, v []string) error { return flag(&b.shape, "plain", v) },
	"lines":   func(b *block, v []string) error { b.lines = v; return nil },
	"values":  func(b *block, v []string) error { b.values = v; return nil },
	"mask":    func(b *block, v []string) error { b.mask = true; return nil },
	"cut":     func(b *block, v []string) error { return number(&b.cut, v) },
	"sweep":   func(b *block, v []string) error { b.sweep = true; return nil },
	"replies": func(b *block, v []string) error { return number(&b.replies, v) },
	"partial": func(b *block, v []string) error { b.ending = "partial"; return nil },
	"closing": func(b *block, v []string) error { b.ending = "closing"; return nil },
	"ms":      func(b *block, v []string) error { return number(&b.ms, v) },
	"round": func(b *block, v []string) error {
		n := 0
		err := number(&n, v)
		b.round = int64(n)
		return err
	},
}

func text(to *string, vals []string) error {
	if len(vals) != 1 || vals[0] == "" {
		return fmt.Errorf("wants one value, has %q", vals)
	}
	*to = vals[0]
	return nil
}

func flag(to *string, plain string, vals []string) error {
	if len(vals) == 0 {
		*to = plain
		return nil
	}
	return text(to, vals)
}

func number(to *int, vals []string) error {
	var word string
	if err := text(&word, vals); err != nil {
		return err
	}
	n, err := strconv.Atoi(word)
	*to = n
	return err
}

// newBlock reads the options of a directive.
func newBlock(d *datadriven.TestData) (*block, error) {
	b := &block{directive: d.Cmd, pos: d.Pos, conn: "main", replies: -1, ms: 50}
	if d.Input != "" {
		b.input = strings.Split(d.Input, "\n")
	}
	for _, arg := range d.CmdArgs {
		set := setters[arg.Key]
		if set == nil {
			return nil, fmt.Errorf("differ: %s: unknown option %q", d.Pos, arg.Key)
		}
		if err := set(b, arg.Vals); err != nil {
			return nil, fmt.Errorf("differ: %s: option %s: %w", d.Pos, arg.Key, err)
		}
	}
	return b, nil
}

// commands are the input lines as argument vectors.
func (b *block) commands() ([][]string, error) {
	var all [][]string
	for _, line := range b.input {
		args, err := Split(line)
		if err != nil {
			return nil, fmt.Errorf("differ: %s: %w", b.pos, err)
		}
		if len(args) > 0 {
			all = append(all, args)
		}
	}
	return all, nil
}

// conversationNames reads the names a script gives its conversations: for the
// line of each reset directive, the comment above it.
func conversationNames(path string) (map[int]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("differ: script: %w", err)
	}
	names := map[int]string{}
	before := ""
	for i, line := range strings.Split(string(content), "\n") {
		if word, _, _ := strings.Cut(line, " "); word == "reset" && (before == "" || before[0] == '#') {
			names[i+1] = strings.TrimSpace(strings.TrimPrefix(before, "#"))
			if names[i+1] == "" {
				return nil, fmt.Errorf("differ: %s:%d: a reset without a name above it", path, i+1)
			}
		}
		before = line
	}
	return names, nil
}
