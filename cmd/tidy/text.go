package main

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"regexp"
	"strings"
)

// openEnd is what a comment says when something was left for later. The words
// are cut so that this file does not contain them.
var openEnd = regexp.MustCompile(`\b(` + "TO" + `DO|` + "FIX" + `ME|` + "XX" + `X)\b|(?i)\bfor ` + `now\b|\bnot implemented ` + `yet\b`)

func noOpenEnds(t *Tree) (findings []string) {
	t.Go(true, func(f *File) {
		for _, group := range f.AST.Comments {
			for _, comment := range group.List {
				if found := openEnd.FindString(comment.Text); found != "" {
					findings = append(findings, fmt.Sprintf("%s: a comment says %q", t.at(comment.Pos()), found))
				}
			}
		}
	})
	return findings
}

// place matches paths and hosts that are true on one machine only. Its parts
// are split so that this file does not match.
var place = regexp.MustCompile(`(^|[^\w./-])/(wo` + `rk|ro` + `ot|ho` + `me/\w+)/|proxy\.gol` + `ang\.org|registry\.np` + `mjs|deb\.deb` + `ian\.org`)

func noPlaces(t *Tree) (findings []string) {
	for _, f := range t.Files {
		if path.Base(f.Path) == "go.sum" {
			continue
		}
		for number, line := range strings.Split(string(f.Text), "\n") {
			if found := place.FindString(line); found != "" {
				findings = append(findings, fmt.Sprintf("%s:%d: %q", f.Path, number+1, found))
			}
		}
	}
	return findings
}

func formatted(t *Tree) (findings []string) {
	t.Go(true, func(f *File) {
		want, err := format.Source(f.Text)
		if err != nil || !bytes.Equal(want, f.Text) {
			findings = append(findings, f.Path+": not as gofmt writes it")
		}
	})
	return findings
}
