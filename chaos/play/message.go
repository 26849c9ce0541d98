package play

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/elares/ironcache/sim"
)

// describe says in words what was sent. What it cannot tell is shown as bytes:
// the network cuts streams into pieces where it likes.
func (w *watcher) describe(p *sim.Passage) string {
	if p.Route.Port != fmt.Sprint(busPort) {
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
	read := reply
	if strings.HasPrefix(w.name(p.Route.To), nodePrefix) {
		read = request
	}
	said, rest, ok := ofClient(text, read)
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

// ofClient says what requests or replies say that a text begins with, and gives what
// follows those that are whole; false if it is neither.
func ofClient(text []byte, read reader) (said string, rest []byte, ok bool) {
	var list []string
	for len(text) > 0 {
		one, rest, s := read(text)
		if s == wrong {
			return "", nil, false
		}
		if s == part {
			break
		}
		list, text = append(list, one), rest
	}
	return strings.Join(list, "; "), bytes.Clone(text), true
}

// reader reads one thing and gives what follows it.
type reader func(text []byte) (said string, rest []byte, s wholeness)

// wholeness is how much of something a text begins with.
type wholeness int

const (
	whole wholeness = iota // it begins with something whole
	part                   // with a part of something
	wrong                  // with nothing that is known
)

// line cuts a line off.
func line(text []byte) (head string, rest []byte, s wholeness) {
	const longest = 1024
	before, after, ok := bytes.Cut(text, []byte("\r\n"))
	switch {
	case ok:
		return string(before), after, whole
	case len(text) > longest:
		return "", nil, wrong
	}
	return "", nil, part
}

// request reads one request of RESP, with what follows it.
func request(text []byte) (said string, rest []byte, s wholeness) {
	head, rest, s := line(text)
	if s != whole {
		return "", nil, s
	}
	count, err := strconv.Atoi(strings.TrimPrefix(head, "*"))
	if err != nil || head[0] != '*' {
		return "", nil, wrong
	}
	var words []string
	for range count {
		var word string
		if word, rest, s = bulk(rest); s != whole {
			return "", nil, s
		}
		words = append(words, short(word))
	}
	return strings.Join(words, " "), rest, whole
}

// bulk reads one string of RESP.
func bulk(text []byte) (word string, rest []byte, s wholeness) {
	head, rest, s := line(text)
	if s != whole {
		return "", nil, s
	}
	size, err := strconv.Atoi(strings.TrimPrefix(head, "$"))
	switch {
	case err != nil || size < 0 || size > mostBegun || !strings.HasPrefix(head, "$"):
		return "", nil, wrong
	case len(rest) < size+2:
		return "", nil, part
	}
	return string(rest[:size]), rest[size+2:], whole
}

// reply reads one reply of RESP2 or RESP3.
func reply(text []byte) (said string, rest []byte, s wholeness) {
	said, rest, s = value(text, 0)
	return "replies " + said, rest, s
}

// mostNested bounds how deep replies hold replies.
const mostNested = 8

// value reads one value of RESP2 or RESP3.
func value(text []byte, depth int) (said string, rest []byte, s wholeness) {
	head, rest, s := line(text)
	switch {
	case s != whole:
		return "", nil, s
	case head == "" || depth > mostNested:
		return "", nil, wrong
	case head == "$-1" || head == "*-1" || head == "_":
		return "nothing", rest, whole
	}
	switch head[0] {
	case '$':
		word, rest, s := bulk(text)
		return strconv.Quote(word), rest, s
	case '+', '-', ':', ',', '#', '(':
		return short(head[1:]), rest, whole
	case '*', '~', '>', '%':
		return several(head, rest, depth)
	}
	return "", nil, wrong
}

// several reads the values of an array, a set or a map.
func several(head string, rest []byte, depth int) (string, []byte, wholeness) {
	count, err := strconv.Atoi(head[1:])
	if err != nil || count < 0 {
		return "", nil, wrong
	}
	if head[0] == '%' {
		count *= 2
	}
	var list []string
	for range count {
		one, after, s := value(rest, depth+1)
		if s != whole {
			return "", nil, s
		}
		list, rest = append(list, one), after
	}
	return "[" + strings.Join(list, " ") + "]", rest, whole
}

// calls are the calls of nodes to each other, by their first byte.
var calls = map[byte]string{
	'h': "asks who the other is", 'p': "hands a proposal to the leader", 'r': "asks the leader for its lease to be renewed",
	'j': "asks the other to join", 'o': "asks the other to promise that it comes into a cluster", 'y': "asks the owner of a slot to hand it over",
	'+': "answers", '-': "refuses",
}

// ofCall says what a call between nodes or its answer says: a byte, a length and JSON.
func ofCall(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("ICBUS\x00")):
		return fmt.Sprintf("greets, and proves that it knows the cluster's secret, %d bytes", len(text))
	case len(text) < 5 || int(binary.BigEndian.Uint32(text[1:5])) != len(text)-5 || calls[text[0]] == "":
		return ""
	}
	body := string(text[5:])
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
