package report

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
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
	}
	return r.Virtual
}
