package netio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

func clientInfo(r *Request) {
	r.Reply.Verbatim("txt", describe(r.Conn, r.Loop.mono)+"\n")
}

// clientList describes all clients, or those of a type or with given ids. All
// loops stand still.
func clientList(r *Request) {
	want, e := readClientList(r)
	if e != "" {
		r.Reply.Error(e)
		return
	}
	var text strings.Builder
	for _, c := range r.Loop.node.everybody() {
		if want(c) {
			text.WriteString(describe(c, r.Loop.mono))
			text.WriteByte('\n')
		}
	}
	r.Reply.Verbatim("txt", text.String())
}

// readClientList reads the filter of CLIENT LIST.
func readClientList(r *Request) (want func(*Conn) bool, e resp.Error) {
	switch {
	case r.Len() == 2:
		return func(*Conn) bool { return true }, ""
	case r.Len() == 4 && is(r.At(2), "type"):
		kind, ok := clientTypes[strings.ToLower(string(r.At(3)))]
		if !ok {
			return nil, resp.UnknownClientType(r.At(3))
		}
		return func(c *Conn) bool { return c.kind() == kind }, ""
	case r.Len() > 3 && is(r.At(2), "id"):
		return readClientIDs(r)
	}
	return nil, resp.ErrSyntax
}

func readClientIDs(r *Request) (want func(*Conn) bool, e resp.Error) {
	ids := map[int64]bool{}
	for i := 3; i < r.Len(); i++ {
		id, ok := resp.ParseInt(r.At(i))
		if !ok {
			return nil, resp.ErrClientID
		}
		ids[id] = true
	}
	return func(c *Conn) bool { return ids[c.client] }, ""
}

// clientKind is a type of client as CLIENT LIST TYPE names it.
type clientKind uint8

const (
	kindNormal clientKind = iota
	kindMaster
	kindReplica
	kindPubSub
)

var clientTypes = map[string]clientKind{
	"normal": kindNormal, "master": kindMaster, "replica": kindReplica, "slave": kindReplica, "pubsub": kindPubSub,
}

// kind is what the client is. There are only normal ones.
func (c *Conn) kind() clientKind { return kindNormal }

// everybody lists the connections of all loops and between them, oldest first,
// without those that are killed. All loops stand still.
func (n *Node) everybody() []*Conn {
	all := n.between()
	for _, l := range n.loops {
		all = append(all, l.conns...)
	}
	all = slices.DeleteFunc(all, func(c *Conn) bool { return c == nil || c.closed || c.killed })
	sortByClient(all)
	return all
}

// age is for how many seconds the client has been connected, whatever was done
// to the civil time meanwhile.
func (c *Conn) age(mono int64) int64 { return (mono - c.created) / 1e9 }

// describe is a client's line in CLIENT LIST.
func describe(c *Conn, mono int64) string {
	queued, multiBytes := -1, 0
	if c.tx != nil {
		queued, multiBytes = len(c.tx.ops), c.tx.bytes()
	}
	input, inputFree, output := 0, 0, cap(c.out)+c.backlog.bytes
	if c.batch != nil {
		input, inputFree = c.batch.end, c.batch.held()-c.batch.end
		output += c.batch.out.Len()
	}
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=%d name=%s age=%d idle=%d flags=%s db=%d sub=0 psub=0 ssub=0 "+
		"multi=%d qbuf=%d qbuf-free=%d argv-mem=0 multi-mem=%d rbs=%d rbp=0 obl=%d oll=%d omem=%d tot-mem=%d "+
		"events=%s cmd=%s user=%s redir=-1 resp=%d lib-name=%s lib-ver=%s",
		c.client, c.address(), c.localAddress(), c.id, c.name, c.age(mono), (mono-c.touched)/1e9, c.flags(), c.db,
		queued, input, inputFree, multiBytes, output, len(c.out)-c.outFrom, len(c.backlog.pieces), c.backlog.bytes, c.charged+input+inputFree,
		c.events(), c.lastCommand(), defaultUser, c.proto, c.libName, c.libVer)
}

func (c *Conn) localAddress() string {
	if c.peer.Unix {
		return "unix:" + c.peer.Local
	}
	return c.peer.Local
}

// flags are the letters that CLIENT LIST shows for a client's state.
func (c *Conn) flags() string {
	var letters []byte
	for _, flag := range []struct {
		on     bool
		letter byte
	}{
		{c.monitor, 'O'}, {c.tx != nil, 'x'}, {c.dirtyWatch(), 'd'}, {c.closing, 'c'},
		{c.peer.Unix, 'U'}, {c.readOnly, 'r'}, {c.noEvict, 'e'}, {c.noTouch, 'T'},
	} {
		if flag.on {
			letters = append(letters, flag.letter)
		}
	}
	if len(letters) == 0 {
		return "N"
	}
	return string(letters)
}

// dirtyWatch tells whether a watched key has changed. All loops stand still.
func (c *Conn) dirtyWatch() bool {
	for i := range c.watching {
		if c.watching[i].mark.Dirty() {
			return true
		}
	}
	return false
}

func (c *Conn) events() string {
	if c.writing {
		return "rw"
	}
	return "r"
}

func (c *Conn) lastCommand() string {
	if c.calls == 0 || c.lastRow == noRow {
		return "NULL"
	}
	return command.Table[c.lastRow].Name
}
