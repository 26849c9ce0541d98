package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// check tells every fault of claims and documents.
func (b *book) check() (faults []string) {
	used := map[string]bool{}
	for _, name := range b.names() {
		for _, id := range references(b.texts[name]) {
			used[id] = true
		}
		faults = append(faults, b.checkText(name)...)
	}
	for _, id := range b.ids() {
		for _, fault := range b.checkClaim(b.claims[id]) {
			faults = append(faults, fmt.Sprintf("claim %s: %s", id, fault))
		}
		if !used[id] {
			faults = append(faults, fmt.Sprintf("claim %s: no document names it", id))
		}
	}
	return faults
}

func (b *book) checkText(name string) (faults []string) {
	say := func(line int, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s:%d: ", name, line)+fmt.Sprintf(format, args...))
	}
	counted := map[string]int{}
	for _, f := range figuresOf(b.texts[name]) {
		counted[f.id]++
		claim, known := b.claims[f.id]
		switch {
		case f.id == "":
			say(f.line, "%s%s names no claim (a constant belongs into a code span)", f.number, f.unit)
		case !known:
			say(f.line, "no claim %s", f.id)
		case f.number != claim.Value:
			say(f.line, "%s where claim %s says %s", f.number, f.id, claim.Value)
		case f.unit != "" && f.unit != claim.Unit:
			say(f.line, "unit %q where claim %s has %q", f.unit, f.id, claim.Unit)
		}
	}
	for _, id := range references(b.texts[name]) {
		if counted[id]--; counted[id] < 0 {
			faults = append(faults, fmt.Sprintf("%s: a reference to claim %s follows no number", name, id))
		}
	}
	if text, changed := b.withFootnotes(name); changed && text != "" {
		faults = append(faults, name+": footnotes are not those of the claims (verify --write makes them)")
	}
	return faults
}

func (b *book) checkClaim(c Claim) (faults []string) {
	if c.Says == "" {
		faults = append(faults, "says nothing")
	}
	if _, err := strconv.ParseFloat(c.Value, 64); err != nil {
		faults = append(faults, fmt.Sprintf("value %q is no number", c.Value))
	}
	switch {
	case (c.Source == "") == (c.Script == ""):
		faults = append(faults, "needs either a source or a script")
	case c.Script != "":
		faults = append(faults, b.checkResult(c)...)
	}
	return faults
}

// checkResult compares a claim with the last measurement, to the precision
// that the claim is printed with.
func (b *book) checkResult(c Claim) (faults []string) {
	if !strings.Contains(c.Script, "{json}") || c.Tolerance <= 0 {
		faults = append(faults, "a script needs {json} for its result, and a tolerance")
	}
	r, err := readResult(filepath.Join(b.root, c.Result))
	if err != nil {
		return append(faults, "result: "+err.Error())
	}
	if r.Options.Quick {
		faults = append(faults, "its result is of a quick run, which proves nothing")
	}
	value, ok := r.Figures[c.Figure]
	if !ok {
		return append(faults, fmt.Sprintf("%s has no figure %q", c.Result, c.Figure))
	}
	if got := strconv.FormatFloat(value, 'f', decimals(c.Value), 64); got != c.Value {
		faults = append(faults, fmt.Sprintf("value %s where %s has %s", c.Value, c.Result, got))
	}
	return faults
}

// decimals counts the digits after the point.
func decimals(number string) int {
	_, after, _ := strings.Cut(number, ".")
	return len(after)
}
