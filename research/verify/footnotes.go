package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Footnotes stand between these lines of a document.
const (
	footnotesBegin = "<!-- footnotes: written by research/verify -->"
	footnotesEnd   = "<!-- end of footnotes -->"
)

var footnotes = regexp.MustCompile(`(?s)` + regexp.QuoteMeta(footnotesBegin) + `.*?` + regexp.QuoteMeta(footnotesEnd))

// withFootnotes gives a document with the footnotes of the claims it names, in
// the order it names them, and whether they differ from those it has.
func (b *book) withFootnotes(name string) (text string, changed bool) {
	text = b.texts[name]
	var notes strings.Builder
	seen := map[string]bool{}
	for _, id := range references(text) {
		if claim, ok := b.claims[id]; ok && !seen[id] {
			seen[id] = true
			fmt.Fprintf(&notes, "[^%s]: %s\n", id, claim.footnote())
		}
	}
	block := footnotesBegin + "\n\n" + notes.String() + "\n" + footnotesEnd
	fresh := text
	if footnotes.MatchString(text) {
		fresh = footnotes.ReplaceAllLiteralString(text, block)
	} else if notes.Len() > 0 {
		fresh = strings.TrimRight(text, "\n") + "\n\n" + block + "\n"
	}
	return fresh, fresh != text
}

func (c Claim) footnote() string {
	says := strings.TrimRight(strings.Join(strings.Fields(c.Says), " "), ".") + "."
	if c.Source != "" {
		return says + " Source: " + c.Source
	}
	return fmt.Sprintf("%s Measured by `%s`, in `%s`.", says, strings.TrimSpace(strings.ReplaceAll(c.Script, " --json {json}", "")), c.Result)
}

func (b *book) writeFootnotes() error {
	for _, name := range b.names() {
		text, changed := b.withFootnotes(name)
		if !changed {
			continue
		}
		if err := os.WriteFile(filepath.Join(b.root, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write footnotes: %w", err)
		}
		b.texts[name] = text
	}
	return nil
}
