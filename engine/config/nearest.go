package config

import "strings"

// didYouMean is the end of a message about an unknown word: the nearest of the
// known ones, or nothing if none is near.
func didYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// optionNames lists all names that options answer to, each as spell spells it.
func optionNames(spell func(string) string) []string {
	var names []string
	for _, option := range table {
		for _, name := range option.names() {
			names = append(names, spell(name))
		}
	}
	return names
}

// longest bounds the work for a word.
const longest = 100

// Nearest is the known word with the fewest edits from word, if those are at
// most a third of its letters; empty if none is so near. Case, "_" and "." do not
// count. A word that is far longer than any option is near to none.
func Nearest(word string, known []string) string {
	if len(word) > longest {
		return ""
	}
	word = fold(word)
	best, limit := "", len(word)/3+1
	for _, candidate := range known {
		if d := distance(word, fold(candidate)); d < limit {
			best, limit = candidate, d
		}
	}
	return best
}

func fold(word string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(word))
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between a and b (optimal string alignment).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
