package play

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/sim"
)

// describe says in words what was sent. What it cannot tell is shown as bytes:
// the network cuts streams into pieces where it likes.
func (w *watcher) describe(p *sim.Passage) string {
	if p.Route.Port != fault.BusPort {
		return w.ofStream(p)
	}
	if text := ofRaft(p.Text); text != "" {
		return text
	}
	if text := ofCall(p.Text); text != "" {
		return text
	}
	return raw(p.Text)
}

// mostBegun bounds what is kept of a message that is not whole.
const mostBegun = 64 << 10

// ofStream says what the requests or replies are that are whole with what was sent
// now.
func (w *watcher) ofStream(p *sim.Passage) string {
	name := way{p.Link, p.Route.From}
	text := append(w.begun[name], p.Text...)
	say := reply
	if strings.HasPrefix(w.name(p.Route.To), nodePrefix) {
		say = request
	}
	said, rest, ok := ofClient(text, say)
	if !ok || len(rest) > mostBegun {
		delete(w.begun, name)
		return raw(p.Text)
	}
	w.begun[name] = rest
	if said == "" {
		return fmt.Sprintf("%d bytes, the beginning of something", len(p.Text))
	}
	if len(rest) > 0 {
		said += fmt.Sprintf("; and %d bytes, the beginning of something", len(rest))
	}
	return said
}

// mostShown bounds how many bytes of a message are shown.
const mostShown = 160

func raw(text []byte) string {
	if len(text) > mostShown {
		return fmt.Sprintf("%d bytes: %q...", len(text), text[:mostShown])
	}
	return fmt.Sprintf("%d bytes: %q", len(text), text)
}

// short is text that fits into a line.
func short(text string) string {
	if quoted := strconv.Quote(text); len(quoted) != len(text)+2 || strings.ContainsRune(text, ' ') {
		text = quoted
	}
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "..."
	}
	return text
}

// ofClient says what the values are that a text begins with, in the words of say, and
// gives what follows those that are whole; false if it does not begin so.
func ofClient(text []byte, say func(v wire.Value) (said string, ok bool)) (said string, rest []byte, ok bool) {
	values, rest, err := wire.ReadAll(text)
	if err != nil {
		return "", nil, false
	}
	var list []string
	for _, v := range values {
		one, ok := say(v)
		if !ok {
			return "", nil, false
		}
		list = append(list, one)
	}
	return strings.Join(list, "; "), bytes.Clone(rest), true
}

// request says what is asked for, if a value is a request.
func request(v wire.Value) (said string, ok bool) {
	var words []string
	for _, word := range v.List {
		if word.Kind != '$' {
			return "", false
		}
		words = append(words, short(word.Text))
	}
	return strings.Join(words, " "), v.Kind == '*'
}

// reply says what is replied.
func reply(v wire.Value) (said string, ok bool) { return "replies " + inWords(v), true }

func inWords(v wire.Value) string {
	switch {
	case v.Null():
		return "nothing"
	case v.Kind == '$':
		return strconv.Quote(v.Text)
	case v.List == nil:
		return short(v.Text)
	}
	var list []string
	for _, part := range v.List {
		list = append(list, inWords(part))
	}
	return "[" + strings.Join(list, " ") + "]"
}

// calls are the calls of nodes to each other, by their first byte.
var calls = map[byte]string{
	'h': "asks who the other is", 'p': "hands a proposal to the leader", 'r': "asks the leader for its lease to be renewed",
	'j': "asks the other to join", 'o': "asks the other to promise that it comes into a cluster", 'y': "asks the owner of a slot to hand it over",
	'k': "asks whether the other is there", 'u': "asks the leader to have a node that was forgotten out of the group",
	'+': "answers", '-': "refuses",
}

// callStart is how many bytes stand before the JSON of a call or an answer: a byte that
// tells which, a number and a length.
const callStart = 9

// ofCall says what a call between nodes or its answer says.
func ofCall(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("ICBUS\x00")):
		return fmt.Sprintf("greets, and proves that it knows the cluster's secret, %d bytes", len(text))
	case len(text) < callStart || int(binary.BigEndian.Uint32(text[5:])) != len(text)-callStart || calls[text[0]] == "":
		return ""
	}
	body := string(text[callStart:])
	if len(body) > mostShown {
		body = body[:mostShown] + "..."
	}
	return strings.TrimSpace(calls[text[0]] + " " + strings.ToValidUTF8(body, "?"))
}

// ofRaft says what a message of hashicorp/raft is: MessagePack with the names of
// its fields.
func ofRaft(text []byte) string {
	has := func(field string) bool { return bytes.Contains(text, named(field)) }
	term := number(text, "Term")
	switch {
	case has("PrevLogEntry") && bytes.Contains(text, append(named("Entries"), null)) && number(text, "PrevLogEntry") == 0:
		return fmt.Sprintf("heartbeat of the leader of term %d", term)
	case has("PrevLogEntry"):
		return fmt.Sprintf("append entries, term %d, after entry %d; %d is committed; %d bytes",
			term, number(text, "PrevLogEntry"), number(text, "LeaderCommitIndex"), len(text))
	case has("NoRetryBackoff"):
		return fmt.Sprintf("append entries: %s, term %d, the last entry here is %d", verdict(text, "Success"), term, number(text, "LastLog"))
	case has("Candidate"):
		return fmt.Sprintf("asks for a vote in term %d; its last entry is %d", term, number(text, "LastLogIndex"))
	case has("SnapshotVersion") && has("LastLogIndex"):
		return fmt.Sprintf("sends a snapshot up to entry %d, term %d", number(text, "LastLogIndex"), term)
	case has("LastLogIndex"):
		return fmt.Sprintf("asks whether a vote in term %d would be won; its last entry is %d", term, number(text, "LastLogIndex"))
	case has("Granted"):
		return fmt.Sprintf("vote: %s, term %d", verdict(text, "Granted"), term)
	case has("RPCHeader"):
		return fmt.Sprintf("message of Raft, or a part of one, %d bytes", len(text))
	}
	return ""
}

// null and yes are values of MessagePack.
const (
	null = 0xc0
	yes  = 0xc3
)

// named is a name as MessagePack writes it.
func named(field string) []byte { return append([]byte{0xa0 | byte(len(field))}, field...) }

// number is the number of a field, 0 if there is none.
func number(text []byte, field string) uint64 {
	_, v, _ := bytes.Cut(text, named(field))
	switch {
	case len(v) > 0 && v[0] < 0x80:
		return uint64(v[0])
	case len(v) > 1 && v[0] == 0xcc:
		return uint64(v[1])
	case len(v) > 2 && v[0] == 0xcd:
		return uint64(binary.BigEndian.Uint16(v[1:]))
	case len(v) > 4 && v[0] == 0xce:
		return uint64(binary.BigEndian.Uint32(v[1:]))
	case len(v) > 8 && v[0] == 0xcf:
		return binary.BigEndian.Uint64(v[1:])
	}
	return 0
}

// verdict is whether a field is true.
func verdict(text []byte, field string) string {
	if _, v, _ := bytes.Cut(text, named(field)); len(v) > 0 && v[0] == yes {
		return "yes"
	}
	return "no"
}
