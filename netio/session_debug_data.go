package netio

import (
	"bytes"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// debugObject shows how a key's value is stored.
func debugObject(r *Request) { r.ask(2, command.DebugObject) }

// ask runs a function that is in no row on the shard of the key at an argument.
// All loops stand still.
func (r *Request) ask(key int, do func(*command.Call) error) {
	l := r.Loop
	place := l.node.hash.Place(r.At(key))
	op := command.Op{
		Row: r.Row.ID, Argc: uint32(r.Len()), Key: uint16(key), Place: place,
		DB: uint16(r.Conn.db), Proto: r.Conn.proto,
	}
	l.node.loops[l.shardOf(place)].shard.Ask(op, r.Args, r.Reply, do)
}

// populating makes the keys of DEBUG POPULATE.
type populating struct {
	loop       *Loop
	db         int
	next, last int64
	prefix     []byte
	value      []byte // of the wanted size; nil: as long as its text
	set        *command.Row
	args       command.Args // SET key value NX
	key, text  []byte       // scratch
	trash      resp.Writer  // for replies
}

// populatePiece is how many keys are made in one Step.
const populatePiece = 256

// debugPopulate makes string keys that do not exist yet.
func debugPopulate(r *Request) {
	count, ok := resp.ParseInt(r.At(2))
	size := int64(0)
	if ok && r.Len() == 5 {
		size, ok = resp.ParseInt(r.At(4))
	}
	switch {
	case !ok || count < 0 || size < 0:
		r.Reply.Error(resp.ErrNotPositive)
		return
	case size > r.Loop.cfg.ProtoMaxBulkLen:
		r.Reply.Error(resp.ErrStringSize)
		return
	}
	p := &populating{loop: r.Loop, db: r.Conn.db, last: count, prefix: []byte("key"), set: command.Named([]byte("set"))}
	if r.Len() > 3 {
		p.prefix = bytes.Clone(r.At(3))
	}
	if size > 0 {
		p.value = make([]byte, size)
	}
	r.runLater(p.piece)
	r.Reply.OK()
}

// piece makes some keys and tells whether more are to be made.
func (p *populating) piece() bool {
	bytesMade := 0
	for n := 0; n < populatePiece && p.next < p.last && bytesMade < flushAt; n++ {
		bytesMade += p.one()
	}
	return p.next < p.last
}

// one makes the next key on the shard that owns it, and tells the bytes of its
// request.
func (p *populating) one() int {
	p.write()
	l := p.loop
	place := l.node.hash.Place(p.args.At(1))
	op := command.Op{Row: p.set.ID, Argc: 4, Place: place, Key: 1, DB: uint16(p.db), Proto: 2}
	p.trash.Reset()
	l.node.loops[l.shardOf(place)].shard.Ask(op, p.args, &p.trash, p.set.Do)
	p.next++
	return len(p.args.Buf)
}

// write makes the request for the next key.
func (p *populating) write() {
	p.key = resp.AppendInt(append(append(p.key[:0], p.prefix...), ':'), p.next)
	p.text = resp.AppendInt(append(p.text[:0], "value:"...), p.next)
	value := p.text
	if p.value != nil {
		copy(p.value, p.text)
		value = p.value
	}
	p.args.Buf, p.args.Spans = p.args.Buf[:0], p.args.Spans[:0]
	for _, word := range [...][]byte{wordSet, p.key, value, wordNX} {
		p.args.Spans = append(p.args.Spans, resp.Span{Off: uint32(len(p.args.Buf)), Len: uint32(len(word))})
		p.args.Buf = append(p.args.Buf, word...)
	}
}

var wordSet, wordNX = []byte("SET"), []byte("NX")
