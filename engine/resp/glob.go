package resp

// Match tells whether s matches a glob pattern as Redis's stringmatchlen does:
// "*", "?", "[a-z]", "[^a]" and "\" as an escape. With fold, ASCII letters match
// in either case. Its time is at most len(pattern) * len(s).
//
// A "*" takes as little as it can. When what follows it fails, only the last
// "*" has to take one byte more: an earlier one could only take away text from
// a later one, which may start anywhere anyhow. Empty text matches only an empty
// pattern, not even "*".
func Match(pattern, s []byte, fold bool) bool {
	if len(s) == 0 {
		return len(pattern) == 0
	}
	p, at := 0, 0
	star, from := -1, 0 // behind the last "*", and where its rest was last tried
	for at < len(s) {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, from = p, at
			continue
		}
		if p < len(pattern) {
			if next, ok := matchOne(pattern, p, s[at], fold); ok {
				p, at = next, at+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, at = star, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches one byte with the element of the pattern at p, which is no
// "*", and gives the offset behind that element.
func matchOne(pattern []byte, p int, c byte, fold bool) (next int, ok bool) {
	switch pattern[p] {
	case '?':
		return p + 1, true
	case '[':
		return matchClass(pattern, p+1, c, fold)
	case '\\':
		if p+1 < len(pattern) {
			p++
		}
	}
	return p + 1, folded(pattern[p], fold) == folded(c, fold)
}

// matchClass matches one byte with a class whose "[" is before p. A class that
// is not closed ends with the pattern. An escaped byte matches in its own case
// only.
func matchClass(pattern []byte, p int, c byte, fold bool) (next int, ok bool) {
	not := p < len(pattern) && pattern[p] == '^'
	if not {
		p++
	}
	for p < len(pattern) && pattern[p] != ']' {
		switch {
		case pattern[p] == '\\' && p+1 < len(pattern):
			p++
			ok = ok || pattern[p] == c
		case p+2 < len(pattern) && pattern[p+1] == '-':
			ok = ok || inRange(c, pattern[p], pattern[p+2], fold)
			p += 2
		default:
			ok = ok || folded(pattern[p], fold) == folded(c, fold)
		}
		p++
	}
	return min(p+1, len(pattern)), ok != not
}

// inRange tells whether c lies between two bytes, given in any order. Bytes are
// signed, as in C on amd64: 0x80 to 0xff come before 0.
func inRange(c, a, b byte, fold bool) bool {
	if int8(a) > int8(b) {
		a, b = b, a
	}
	at := int8(folded(c, fold))
	return int8(folded(a, fold)) <= at && at <= int8(folded(b, fold))
}

// folded is c in lower case, if fold is set.
func folded(c byte, fold bool) byte {
	if fold && c-'A' < 26 {
		return c | 0x20
	}
	return c
}
