package command

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// draws gives, for every letter that stands for something in writers, how to
// draw it.
var draws = map[string]func(t *rapid.T) string{
	"k": func(t *rapid.T) string { return rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key") },
	"v": func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "1", "-5", "hello", "1.5", "9223372036854775807", strings.Repeat("x", 44), strings.Repeat("y", 60), strings.Repeat("z", 20_000)}).Draw(t, "value")
	},
	"n": func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"0", "1", "-7", "9223372036854775807"}).Draw(t, "number")
	},
	"f": func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"0", "0.1", "-2.5", "1e3"}).Draw(t, "float")
	},
	"o": func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(0, 70).Draw(t, "offset")) },
	"t": func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(-5, 30).Draw(t, "seconds")) },
	"T": func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(-5, 30_000).Draw(t, "ms")) },
	"u": func(t *rapid.T) string { return strconv.Itoa(1_700_000_000 + rapid.IntRange(-9, 60).Draw(t, "at")) },
	"U": func(t *rapid.T) string {
		return strconv.Itoa(1_700_000_000_000 + rapid.IntRange(-9_000, 60_000).Draw(t, "at"))
	},
}

// drawRequest draws one of writers and fills in its words.
func drawRequest(t *rapid.T) []string {
	form := rapid.SampledFrom(writers).Draw(t, "command")
	words := form[:1:1]
	for _, part := range form[1:] {
		if choice, ok := strings.CutPrefix(part, "["); ok {
			options := append(strings.Split(strings.TrimSuffix(choice, "]"), "|"), "")
			part = rapid.SampledFrom(options).Draw(t, "option")
		}
		for _, word := range strings.Fields(part) {
			if draw := draws[word]; draw != nil {
				word = draw(t)
			}
			words = append(words, word)
		}
	}
	return words
}
