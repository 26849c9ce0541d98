package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/slots"
)

// piece is a part of what a judge says: words, or a moment.
type piece struct {
	Text string
	At   int64 // nanoseconds; 0: words
}

// moment is how judges tell a time, in nanoseconds.
var moment = regexp.MustCompile(`(?:\b(?:at |from |to |until |since |by )|\.\.)(\d{7,})\b`)

// pieces takes a sentence of a judge apart.
func pieces(text string) (list []piece) {
	done := 0
	for _, at := range moment.FindAllStringSubmatchIndex(text, -1) {
		ns, err := strconv.ParseInt(text[at[2]:at[3]], 10, 64)
		if err != nil {
			continue
		}
		list = append(list, piece{Text: text[done:at[2]]}, piece{Text: text[at[2]:at[3]], At: ns})
		done = at[3]
	}
	return append(list, piece{Text: text[done:]})
}

// lapse is how judges tell how long something took.
var lapse = regexp.MustCompile(`\b(\d+) ?ns\b`)

// Readable is a sentence of a judge with its times in seconds, as the page has them.
func Readable(text string) string {
	var out strings.Builder
	for _, p := range pieces(text) {
		if p.At > 0 {
			out.WriteString(seconds(p.At))
			continue
		}
		out.WriteString(lapse.ReplaceAllStringFunc(p.Text, func(span string) string {
			ns, err := strconv.ParseInt(strings.TrimRight(span, " ns"), 10, 64)
			if err != nil {
				return span
			}
			return seconds(ns)
		}))
	}
	return out.String()
}

// seconds is a time as people read it.
func seconds(ns int64) string { return fmt.Sprintf("%.6f s", float64(ns)/1e9) }

// moments are the times that a sentence of a judge names.
func moments(text string) (list []int64) {
	for _, p := range pieces(text) {
		if p.At > 0 {
			list = append(list, p.At)
		}
	}
	return list
}

// gist is a sentence of a judge without what nodes wrote last, which may follow.
func gist(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	const most = 600
	if len(head) > most {
		head = strings.ToValidUTF8(head[:most], "") + "..."
	}
	return head
}

// first is the finding that gives a run its class, nil if nothing was found.
func first(r *play.Result) *judge.Finding {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Class == r.Class {
			return f
		}
	}
	return nil
}

// focus is the moment that a failure is about: the first one that is named, that of
// the operation that cannot be explained, or the end.
func focus(r *play.Result, violated []linearize.Verdict) int64 {
	f := first(r)
	if f != nil && f.Judge == "linearizable" {
		for _, v := range violated {
			if v.Blocked != nil && strings.HasPrefix(f.Text, "key "+strconv.Quote(v.Key)) {
				return v.Blocked.Call
			}
		}
	}
	if f != nil {
		for _, at := range moments(f.Text) {
			return min(at, r.Virtual)
		}
		if at := appliedAt(f.Text, r.Evidence); at > 0 {
			return at
		}
	}
	return r.Virtual
}

// How judges name a node, an entry of the log, slots and a client.
var (
	nodeNamed   = regexp.MustCompile(`\bnode (\d+)`)
	entryNamed  = regexp.MustCompile(`\bentry (\d+)`)
	slotsNamed  = regexp.MustCompile(`\bslots? \[?(\d+(?: \d+)*)`)
	clientNamed = regexp.MustCompile(`\bclient (\d+) at \d`)
)

// appliedAt is when the node that a sentence names first applied the entry that it
// names first, 0 if it does not.
func appliedAt(text string, e *judge.Evidence) int64 {
	node, entry := nodeNamed.FindStringSubmatch(text), entryNamed.FindStringSubmatch(text)
	if node == nil || entry == nil {
		return 0
	}
	for i := range e.Applied {
		if a := &e.Applied[i]; strconv.Itoa(a.Node) == node[1] && strconv.FormatUint(a.Index, 10) == entry[1] {
			return a.At
		}
	}
	return 0
}

// names tells whether a sentence of a judge is about an operation: it names a moment
// of it, and its client or the slot of its key.
func names(text string, o *linearize.Operation) bool {
	within := func(at int64) bool { return o.Call <= at && at <= o.Return }
	if !slices.ContainsFunc(moments(text), within) {
		return false
	}
	if client := clientNamed.FindStringSubmatch(text); client != nil {
		return client[1] == strconv.Itoa(o.Client)
	}
	named := slotsNamed.FindStringSubmatch(text)
	return named != nil && slices.Contains(strings.Fields(named[1]), strconv.Itoa(int(slots.Of([]byte(o.Key)))))
}
