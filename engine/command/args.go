package command

import "strings"

// The words in which rows document their arguments.

// aKey is an argument named key, found by the first key spec.
var aKey = keyArg("key", 0)

func args(list ...Arg) []Arg { return list }

func tips(list ...string) []string { return list }

func keyArg(name string, spec int) Arg { return Arg{Name: name, Kind: KindKey, Key: spec} }

func str(name string) Arg { return Arg{Name: name, Kind: KindString} }

func integer(name string) Arg { return Arg{Name: name, Kind: KindInteger} }

func double(name string) Arg { return Arg{Name: name, Kind: KindDouble} }

func pattern(name string) Arg { return Arg{Name: name, Kind: KindPattern} }

func unixTime(name string) Arg { return Arg{Name: name, Kind: KindUnixTime} }

// token is a literal word by itself.
func token(text string) Arg { return tokenNamed(strings.ToLower(text), text) }

func tokenNamed(name, text string) Arg { return Arg{Name: name, Kind: KindPureToken, Token: text} }

// word is an argument that follows a literal word.
func word(text string, a Arg) Arg {
	a.Token = text
	return a
}

// oneOf is a choice among arguments.
func oneOf(name string, choice ...Arg) Arg { return Arg{Name: name, Kind: KindOneOf, Args: choice} }

// block is several arguments that go together.
func block(name string, parts ...Arg) Arg { return Arg{Name: name, Kind: KindBlock, Args: parts} }

// until says which version deprecated an argument.
func until(version string, a Arg) Arg {
	a.DeprecatedSince = version
	return a
}

func since(version string, a Arg) Arg {
	a.Since = version
	return a
}

func opt(a Arg) Arg {
	a.Flags |= Optional
	return a
}

func many(a Arg) Arg {
	a.Flags |= Multiple
	return a
}
