package workload

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/elares/ironcache/linearize"
)

// request writes words as RESP.
func request(words []string) []byte {
	text := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, word := range words {
		text = fmt.Appendf(text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text
}

// reply reads one reply that is no array: how many bytes it took, 0 if it is not
// all there, below 0 if it is no reply at all.
func reply(text []byte) (size int, o linearize.Outcome) {
	end := bytes.Index(text, []byte("\r\n"))
	switch {
	case end < 0:
		return 0, o
	case end == 0:
		return -1, o
	}
	line, size := string(text[1:end]), end+2
	switch text[0] {
	case '+', ':':
		return size, linearize.Replied(line)
	case '-':
		return size, linearize.Outcome{Result: linearize.Refused, Text: line}
	case '$':
		n, err := strconv.Atoi(line)
		switch {
		case err != nil:
			return -1, o
		case n < 0:
			return size, linearize.Outcome{Result: linearize.Nothing}
		case len(text) < size+n+2:
			return 0, o
		}
		return size + n + 2, linearize.Replied(string(text[size : size+n]))
	}
	return -1, o
}
