package resp

import (
	"errors"
	"strings"
)

// Error is the text of an error reply without its leading "-": a code in
// capitals, a space, a sentence. It is a plain value: constants of it can be
// returned as an error without allocating, and two are the same reply when ==
// says so.
type Error string

// Error makes it Go's error too.
func (e Error) Error() string { return string(e) }

// Code is the first word, by which clients and INFO errorstats tell errors
// apart.
func (e Error) Code() string {
	code, _, _ := strings.Cut(string(e), " ")
	return code
}

// AsError turns any error into a reply. One that holds no Error keeps its text
// and gets the code ERR.
func AsError(err error) Error {
	if e, ok := err.(Error); ok {
		return e
	}
	var e Error
	if errors.As(err, &e) {
		return e
	}
	return plain(err.Error())
}

// plain is an error with the code ERR. As addReplyErrorFormat in Redis, line
// breaks are cut from the ends of the sentence and are spaces within it.
func plain(sentence string) Error {
	return Error("ERR " + lines.Replace(strings.Trim(sentence, "\r\n")))
}

var lines = strings.NewReplacer("\r", " ", "\n", " ")

// shown is how user text appears in an error: up to its first NUL, and at most
// max bytes, as C's "%.*s" prints it.
func shown[T string | []byte](text T, max int) string {
	cut := string(text[:min(len(text), max)])
	cut, _, _ = strings.Cut(cut, "\x00")
	return cut
}

// echoLimit is how many bytes of a name, and of all arguments together, an
// error repeats.
const echoLimit = 128
