package netio

import (
	"cmp"
	"slices"
	"strings"

	"github.com/elares/ironcache/engine/resp"
)

func sortByClient(all []*Conn) {
	slices.SortFunc(all, func(a, b *Conn) int { return cmp.Compare(a.client, b.client) })
}

// killFilter says whom CLIENT KILL means; all that is set must match.
type killFilter struct {
	id          int64
	addr, laddr string
	user        string
	kind        clientKind
	hasKind     bool
	maxAge      int64 // seconds; 0: any
	skipMe      bool
}

// clientKill closes connections. All loops stand still.
func clientKill(r *Request) {
	if r.Len() == 3 {
		killOne(r)
		return
	}
	filter, e := readKill(r)
	if e != "" {
		r.Reply.Error(e)
		return
	}
	killed := 0
	for _, c := range r.Loop.node.everybody() {
		if filter.fits(c, r) {
			killed++
			r.Loop.kill(c, r.Conn)
		}
	}
	r.Reply.Int(int64(killed))
}

// killOne is the form with an address alone.
func killOne(r *Request) {
	for _, c := range r.Loop.node.everybody() {
		if c.address() == string(r.At(2)) {
			r.Reply.OK()
			r.Loop.kill(c, r.Conn)
			return
		}
	}
	r.Reply.Error(resp.ErrNoSuchClient)
}

func (f *killFilter) fits(c *Conn, r *Request) bool {
	return (f.id == 0 || f.id == c.client) &&
		(f.addr == "" || f.addr == c.address()) &&
		(f.laddr == "" || f.laddr == c.localAddress()) &&
		(f.user == "" || f.user == defaultUser) &&
		(!f.hasKind || f.kind == c.kind()) &&
		(f.maxAge == 0 || c.age(r.Loop.mono) >= f.maxAge) &&
		(!f.skipMe || c != r.Conn)
}

func readKill(r *Request) (killFilter, resp.Error) {
	f := killFilter{skipMe: true}
	for i := 2; i < r.Len(); i += 2 {
		if i+1 >= r.Len() {
			return f, resp.ErrSyntax
		}
		if e := f.read(r.At(i), r.At(i+1)); e != "" {
			return f, e
		}
	}
	return f, ""
}

// read takes one pair of CLIENT KILL's arguments.
func (f *killFilter) read(name, value []byte) resp.Error {
	number, isNumber := resp.ParseInt(value)
	switch strings.ToLower(string(name)) {
	case "id":
		if !isNumber || number <= 0 {
			return resp.ErrClientIDPositive
		}
		f.id = number
	case "maxage":
		if !isNumber || number <= 0 {
			return resp.ErrMaxAge
		}
		f.maxAge = number
	case "type":
		kind, ok := clientTypes[strings.ToLower(string(value))]
		if !ok {
			return resp.UnknownClientType(value)
		}
		f.kind, f.hasKind = kind, true
	case "addr":
		f.addr = string(value)
	case "laddr":
		f.laddr = string(value)
	case "user":
		if string(value) != defaultUser {
			return resp.NoSuchUser(value)
		}
		f.user = string(value)
	case "skipme":
		if !is(value, "yes") && !is(value, "no") {
			return resp.ErrSyntax
		}
		f.skipMe = is(value, "yes")
	default:
		return resp.ErrSyntax
	}
	return ""
}

// kill closes a connection of any loop, before the killer is answered; the
// killer's own after that. None of the others' requests starts from now on. All
// loops stand still.
func (l *Loop) kill(c, killer *Conn) {
	if c == killer {
		l.hangUp(c)
		return
	}
	c.killed, c.closing = true, true
	switch c.loop {
	case nil: // it is between two loops: who takes it over closes it
	case l:
		l.close(c)
	default:
		b := killer.batch
		b.owed++
		l.tell(c.loop, func(owner *Loop) {
			owner.close(c)
			owner.tell(l, func(l *Loop) { l.heardOfKill(killer, b) })
		})
	}
}

// heardOfKill goes on with a client that killed others, once they are closed.
func (l *Loop) heardOfKill(c *Conn, b *batch) {
	b.owed--
	switch {
	case c.closed:
		l.abandon(c, b)
	case b.owed == 0 && !c.queued: // else it is resumed anyhow
		l.resume(c)
	}
}
