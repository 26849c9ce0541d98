package workload

import (
	"fmt"
	"strconv"
	"strings"
)

// A value is written once: it names the client and its operation. A long one is
// named by its beginning, "3-17.5000" with its length, in histories; the rest of it
// is that name again and again, so that one that was put together from two is seen.

// value is the name of a value of so many bytes; 0: as long as its name.
func value(client, operation, size int) string {
	if size == 0 {
		return fmt.Sprintf("%d-%d", client, operation)
	}
	return fmt.Sprintf("%d-%d.%d", client, operation, size)
}

// inFull is a value of a name.
func inFull(name string) string {
	_, length, long := strings.Cut(name, ".")
	size, err := strconv.Atoi(length)
	if !long || err != nil {
		return name
	}
	pattern := name + "|"
	return strings.Repeat(pattern, size/len(pattern)+1)[:size]
}

// named is the name of a value, false for one that nobody wrote like that.
func named(text string) (name string, whole bool) {
	name, _, long := strings.Cut(text, "|")
	return name, !long || inFull(name) == text
}
