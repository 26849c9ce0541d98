package netio

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// clientForm is a line of CLIENT LIST as redis-server 7 writes it, with the
// library's name and version of later ones.
var clientForm = regexp.MustCompile(`^id=\d+ addr=\S+ laddr=\S+ fd=\d+ name=\S* age=\d+ idle=\d+ flags=[A-Za-z]+ db=\d+ ` +
	`sub=\d+ psub=\d+ ssub=\d+ multi=-?\d+ (watch=\d+ )?qbuf=\d+ qbuf-free=\d+ argv-mem=\d+ multi-mem=\d+ rbs=\d+ rbp=\d+ ` +
	`obl=\d+ oll=\d+ omem=\d+ tot-mem=\d+ events=(r|w|rw) cmd=\S+ user=\S+ redir=-?\d+ resp=[23] lib-name=\S* lib-ver=\S*$`)

// fieldsOf reads lines of CLIENT LIST, by client name.
func fieldsOf(t *testing.T, reply string) map[string]map[string]string {
	t.Helper()
	_, text, _ := strings.Cut(reply, "\r\n")
	clients := map[string]map[string]string{}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		if !clientForm.MatchString(line) {
			t.Fatalf("%q is not in the form of redis-server", line)
		}
		fields := map[string]string{}
		for _, field := range strings.Fields(line) {
			name, value, _ := strings.Cut(field, "=")
			fields[name] = value
		}
		clients[fields["name"]] = fields
	}
	return clients
}

func TestClientList(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
	chief := place.dial().at(0)
	chief.line("client setname chief")
	busy := place.dial().at(1)
	busy.pipeline("client setname busy", "hello 3", "select 2", "client no-evict on", "client no-touch on",
		"client setinfo lib-name lib", "client setinfo lib-ver 1.2", "watch k", "multi", "set k 123456789")
	busy.next(10)
	place.pass(3000)
	lister := place.dial().at(0)
	lister.line("client setname lister")
	chief.line("select 2")
	chief.line("set k x")
	clients := fieldsOf(t, lister.line("client list"))
	for name, want := range map[string]map[string]string{
		"busy": {
			"flags": "xdeT", "db": "2", "multi": "1", "cmd": "set", "resp": "3", "lib-name": "lib", "lib-ver": "1.2",
			"age": "3", "idle": "3", "user": "default", "redir": "-1", "events": "r", "laddr": townAddress, "sub": "0",
		},
		"chief":  {"flags": "N", "db": "2", "multi": "-1", "cmd": "set", "age": "3", "idle": "0", "resp": "2"},
		"lister": {"flags": "N", "db": "0", "cmd": "client|list", "age": "0", "idle": "0", "lib-name": ""},
	} {
		for field, value := range want {
			if clients[name][field] != value {
				t.Errorf("%s of %s is %q, want %q", field, name, clients[name][field], value)
			}
		}
	}
	if len(clients) != 3 || atoi(clients["busy"]["multi-mem"]) == 0 || atoi(clients["busy"]["tot-mem"]) == 0 {
		t.Errorf("%v", clients)
	}
	monitor := place.dial()
	monitor.pipeline("client setname monitor", "monitor")
	monitor.next(2)
	if got := fieldsOf(t, lister.line("client list"))["monitor"]; got["flags"] != "O" || got["cmd"] != "monitor" {
		t.Errorf("%v", got)
	}
}

func TestClientListFilters(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 3)
	var callers []*caller
	var ids []string
	for i := range 5 {
		c := place.dial()
		c.line(fmt.Sprint("client setname c", i))
		callers = append(callers, c)
		ids = append(ids, strings.Trim(c.line("client id"), ":\r\n"))
	}
	names := func(reply string) (list []string) {
		if reply == "$0\r\n\r\n" {
			return nil
		}
		for name := range fieldsOf(t, reply) {
			list = append(list, name)
		}
		slices.Sort(list)
		return list
	}
	for line, want := range map[string]string{
		"client list":                                   "c0 c1 c2 c3 c4",
		"client list type normal":                       "c0 c1 c2 c3 c4",
		"client list type pubsub":                       "",
		"client list id " + ids[3] + " " + ids[1]:       "c1 c3",
		"client list id " + ids[0] + " 99999 " + ids[0]: "c0",
		"client list id 99999":                          "",
		"client info":                                   "c4",
	} {
		if got := strings.Join(names(callers[4].line(line)), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	callers[0].check([2]string{"client list id x", "-ERR Invalid client ID\r\n"},
		[2]string{"client list type foo", "-ERR Unknown client type 'foo'\r\n"},
		[2]string{"client list id", "-ERR syntax error\r\n"}, [2]string{"client list foo", "-ERR syntax error\r\n"},
		[2]string{"client list type", "-ERR syntax error\r\n"})
	if callers[2].Close(); len(names(callers[4].line("client list"))) > 5 {
		t.Error("more clients than there are")
	}
	place.pass(10)
	if got := strings.Join(names(callers[4].line("client list")), " "); got != "c0 c1 c3 c4" {
		t.Errorf("after one left: %q", got)
	}
	if got := callers[4].line("hello 3"); got[0] != '%' {
		t.Fatal(got)
	}
	if got := callers[4].line("client info"); !strings.HasPrefix(got, "=") || !strings.Contains(got, "\r\ntxt:id=") {
		t.Errorf("not verbatim: %q", got)
	}
}

// kill is CLIENT KILL with a filter, and whether the victim goes.
var kills = []struct {
	line  string
	reply string
	dies  bool
}{
	{"client kill ADDR", "+OK|", true},
	{"client kill id ID", ":1|", true},
	{"client kill addr ADDR", ":1|", true},
	{"client kill laddr " + townAddress, ":2|", true},
	{"client kill type normal", ":2|", true},
	{"client kill user default", ":2|", true},
	{"client kill skipme yes", ":2|", true},
	{"client kill id ID addr ADDR type normal user default skipme yes", ":1|", true},
	{"client kill id ID type pubsub", ":0|", false},
	{"client kill id 9999", ":0|", false},
	{"client kill addr 1.2.3.4:5", ":0|", false},
	{"client kill type pubsub", ":0|", false},
	{"client kill maxage 1000", ":0|", false},
	{"client kill maxage 2", ":2|", true},
	{"client kill 1.2.3.4:5", "-ERR No such client|", false},
	{"client kill id x", "-ERR client-id should be greater than 0|", false},
	{"client kill id 0", "-ERR client-id should be greater than 0|", false},
	{"client kill addr", "-ERR No such client|", false},
	{"client kill type normal skipme maybe", "-ERR syntax error|", false},
	{"client kill type foo", "-ERR Unknown client type 'foo'|", false},
	{"client kill user nobody", "-ERR No such user 'nobody'|", false},
	{"client kill foo bar", "-ERR syntax error|", false},
}

func TestClientKill(t *testing.T) {
	for _, k := range kills {
		t.Run(k.line, func(t *testing.T) {
			place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
			killer, victim := place.dial().at(0), place.dial().at(1)
			_ = place.dial().at(0)
			place.pass(5000)
			line := strings.NewReplacer("ID", fmt.Sprint(victim.conn().client), "ADDR", victim.conn().peer.Remote).Replace(k.line)
			if got := strings.ReplaceAll(killer.line(line), "\r\n", "|"); got != k.reply {
				t.Errorf("%q, want %q", got, k.reply)
			}
			place.pass(10)
			if dead := victim.Err() != nil; dead != k.dies {
				t.Errorf("the victim is dead: %v", dead)
			}
			killer.check([2]string{"ping", "+PONG\r\n"})
		})
	}
}

// Who kills itself is told, and nothing that it sent behind that runs.
func TestClientKillsItself(t *testing.T) {
	for _, line := range []string{"client kill id ID", "client kill ADDR", "client kill id ID skipme no"} {
		place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
		c := place.dial().at(0)
		line = strings.NewReplacer("ID", fmt.Sprint(c.conn().client), "ADDR", c.conn().peer.Remote).Replace(line)
		if strings.HasPrefix(line, "client kill id") && !strings.Contains(line, "skipme") {
			line += " skipme no"
		}
		c.pipeline("get "+keyOn(1, 2, "k"), line, "set x 1")
		if got := c.ended(); got != "$-1\r\n:1\r\n" && got != "$-1\r\n+OK\r\n" {
			t.Errorf("%s: %q", line, got)
		}
		if got := place.dial().line("exists x"); got != ":0\r\n" {
			t.Errorf("%s: what came behind ran", line)
		}
	}
}

// Clients are killed while they wait for an answer of another loop, at a
// barrier of their own, with a relaxed batch out, or held back by a pause; the
// node goes on, and nothing stays behind.
func TestClientKillHitsWaitingClients(t *testing.T) {
	for _, order := range []string{"strict", "relaxed"} {
		t.Run(order, func(t *testing.T) {
			eachSeed(t, 25, func(t *testing.T, seed uint64, world *sim.World) {
				massacre(t, seed, newTownIn(t, world, 2+int(seed%3), "pipeline-order="+order))
			})
		})
	}
}

func massacre(t *testing.T, seed uint64, place *town) {
	d := newDice(seed)
	shards := len(place.node.loops)
	work := func() (lines []string) {
		for range 30 {
			lines = append(lines, "incr "+keyOn(d.below(shards), shards, "n"), "mget a b c d", "get big",
				"multi", "incr a", "incr b", "exec", "watch a b c")
		}
		return lines
	}
	killer := place.dial()
	killer.line("set big " + strings.Repeat("x", 5000))
	for round := range 12 {
		var victims []*caller
		for range 4 {
			v := place.dial()
			v.pipeline(work()...)
			victims = append(victims, v)
		}
		if round%4 == 3 {
			killer.line("client pause 5 write")
		}
		for range d.below(30) {
			place.turn()
		}
		killer.line("client kill type normal skipme yes")
		place.pass(50)
		for _, v := range victims {
			if v.Err() == nil {
				// It was connecting when the others were killed.
				v.Close()
			}
		}
	}
	place.pass(1000)
	place.watchesGone(t)
	if n := place.node.clients(); n != 1 {
		t.Errorf("%d clients", n)
	}
	if got := killer.line("ping"); got != "+PONG\r\n" {
		t.Errorf("%q", got)
	}
}

// turn gives each loop one turn.
func (t *town) turn() {
	t.tb.Helper()
	turns := 0
	if err := t.world.Run(func() bool { turns++; return turns > 1 }, t.actors...); err != nil {
		t.tb.Fatal(err)
	}
}
