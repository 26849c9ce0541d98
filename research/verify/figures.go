package main

import (
	"regexp"
	"strings"
)

// A figure is a number in a text that is, or should be, a claim.
type figure struct {
	line   int
	number string // without thousands separators
	unit   string
	id     string // of its claim; empty if it names none
}

const (
	digits = `\d[\d,]*(?:\.\d+)?`
	units  = `x|×|%|ns|us|µs|ms|s|min|h|bytes?|B|[KMGT]i?B|[kKMG]|/s|ops/s|commands/s|requests/s|times|percent|seconds?|milliseconds?|microseconds?|nanoseconds?|minutes?|hours?`
)

var (
	// measured matches a number with a unit.
	measured = regexp.MustCompile(`(?:^|[^\w.,/-])(` + digits + `)\s?(` + units + `)(?:\*\*)?(?:[^\w/]|$)`)
	// claimed matches any number that names a claim.
	claimed = regexp.MustCompile(`(` + digits + `)\s?([a-zA-Z%×/µ]*)(?:\*\*)?\[\^([\w.-]+)\]`)
	// bare matches a table cell that is a number and nothing else.
	bare = regexp.MustCompile(`^(?:\*\*)?[~<>]?\s?(` + digits + `)(?:\*\*)?$`)
	// named matches a claim's reference.
	named = regexp.MustCompile(`\[\^([\w.-]+)\]`)

	codeSpan = regexp.MustCompile("`[^`]*`")
	link     = regexp.MustCompile(`\]\([^)]*\)|https?://[^\s)>]+|<!--.*?-->`)
)

// prose gives the lines of a Markdown text in which figures count: without
// code, links and footnotes. Lines keep their numbers; the others are empty.
func prose(text string) []string {
	lines := strings.Split(text, "\n")
	fenced := false
	for i, line := range lines {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
			lines[i] = ""
		case fenced, strings.HasPrefix(line, "[^"):
			lines[i] = ""
		default:
			lines[i] = link.ReplaceAllString(codeSpan.ReplaceAllString(line, "`"), "]")
		}
	}
	return lines
}

// figuresOf finds the figures of a text. A figure may be broken over two lines.
func figuresOf(text string) (all []figure) {
	lines := prose(text)
	whole := strings.Join(lines, "\n")
	for _, m := range claimed.FindAllStringSubmatchIndex(whole, -1) {
		all = append(all, figure{lineAt(whole, m[2]), plain(whole[m[2]:m[3]]), whole[m[4]:m[5]], whole[m[6]:m[7]]})
	}
	rest := claimed.ReplaceAllStringFunc(whole, func(m string) string {
		return "#" + strings.Repeat("\n", strings.Count(m, "\n"))
	})
	for _, m := range measured.FindAllStringSubmatchIndex(rest, -1) {
		all = append(all, figure{lineAt(rest, m[2]), plain(rest[m[2]:m[3]]), rest[m[4]:m[5]], ""})
	}
	return append(all, bareCells(lines)...)
}

func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

// bareCells finds the cells of tables that are a number without a claim.
func bareCells(lines []string) (all []figure) {
	for i, line := range lines {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, cell := range strings.Split(line, "|") {
			if m := bare.FindStringSubmatch(strings.TrimSpace(cell)); m != nil {
				all = append(all, figure{i + 1, plain(m[1]), "", ""})
			}
		}
	}
	return all
}

// references lists the claims that a text names, with and without a number.
func references(text string) (ids []string) {
	for _, line := range prose(text) {
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			ids = append(ids, m[1])
		}
	}
	return ids
}

func plain(number string) string { return strings.ReplaceAll(number, ",", "") }
