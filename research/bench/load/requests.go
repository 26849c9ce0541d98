package load

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A Shape says how to make the requests of a kind and how to know their
// replies. Append functions get a key number and append to dst.
type Shape struct {
	Name     string
	Commands int // in one request as appended; 0 counts as 1
	Request  func(dst []byte, key int) []byte
	// Reply appends the exact reply; all replies of a shape are equally long.
	// Without it a reply is known by Lines, and any but an error is right.
	Reply func(dst []byte, key int) []byte
	Lines int // lines of all replies to one request
}

// Requests are rendered requests of one shape, one after the other.
type Requests struct {
	shape  Shape
	keys   []uint32
	buf    []byte
	ends   []int // end in buf of every request
	answer int   // bytes of all replies to one request; 0: count lines
}

// Random renders n requests over keys drawn evenly from [0, keys).
func Random(shape Shape, n, keys int, seed uint64) *Requests {
	draw := rand.New(rand.NewPCG(seed, 0x1f))
	numbers := make([]uint32, n)
	for i := range numbers {
		numbers[i] = uint32(draw.IntN(keys))
	}
	return render(shape, numbers)
}

// InOrder renders one request for every key of [from, to).
func InOrder(shape Shape, from, to int) *Requests {
	numbers := make([]uint32, to-from)
	for i := range numbers {
		numbers[i] = uint32(from + i)
	}
	return render(shape, numbers)
}

func render(shape Shape, keys []uint32) *Requests {
	shape.Commands = max(shape.Commands, 1)
	r := &Requests{shape: shape, keys: keys, ends: make([]int, 0, len(keys))}
	if shape.Reply != nil {
		r.answer = len(shape.Reply(nil, 0))
	}
	one := len(shape.Request(nil, 0))
	r.buf = make([]byte, 0, (one+one/8)*len(keys))
	for _, key := range keys {
		r.buf = shape.Request(r.buf, int(key))
		r.ends = append(r.ends, len(r.buf))
	}
	return r
}

// Name is the name of the requests' shape.
func (r *Requests) Name() string { return r.shape.Name }

// Len is the number of requests.
func (r *Requests) Len() int { return len(r.keys) }

func (r *Requests) bytes(from, to int) []byte {
	start := 0
	if from > 0 {
		start = r.ends[from-1]
	}
	return r.buf[start:r.ends[to-1]]
}

// awaits tells what n requests are answered by.
func (r *Requests) awaits(n int) awaited {
	if r.answer > 0 {
		return awaited{form: byBytes, left: n * r.answer, requests: n}
	}
	return awaited{form: byLines, left: n * r.shape.Lines, requests: n}
}

// Command appends a command in RESP.
func Command(dst []byte, args ...string) []byte {
	dst = append(dst, '*')
	dst = strconv.AppendInt(dst, int64(len(args)), 10)
	dst = append(dst, "\r\n"...)
	for _, arg := range args {
		dst = AppendBulk(dst, arg)
	}
	return dst
}

// AppendBulk appends a bulk string in RESP.
func AppendBulk(dst []byte, text string) []byte {
	dst = append(dst, '$')
	dst = strconv.AppendInt(dst, int64(len(text)), 10)
	dst = append(dst, "\r\n"...)
	dst = append(dst, text...)
	return append(dst, "\r\n"...)
}

// Key names a key in 16 bytes, Value its value in size bytes: the key's number
// and padding, so that a wrong value is seen.
func Key(n int) string { return fmt.Sprintf("key:%012d", n) }

// Value is the value that a key holds.
func Value(n, size int) string {
	text := make([]byte, 0, size+16)
	text = fmt.Appendf(text, "%016d", n)
	for len(text) < size {
		text = append(text, 'v')
	}
	return string(text[:size])
}
