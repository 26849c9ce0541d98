package resp

// Match tells whether s matches a glob pattern as Redis's stringmatchlen does:
// "*", "?", "[a-z]", "[^a]" and "\" as an escape. With fold, ASCII letters match
// in either case. Its time is at most len(pattern) * len(s).
func Match(pattern, s []byte, fold bool) bool { panic("unfinished") }
