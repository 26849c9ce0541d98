package command

import (
	"math"

	"github.com/elares/ironcache/engine/resp"
)

// int reads argument i as an integer.
func (c *Call) int(i int) (int64, error) {
	n, ok := resp.ParseInt(c.Arg(i))
	if !ok {
		return 0, resp.ErrNotInteger
	}
	return n, nil
}

// int32 reads argument i as an integer of 32 bits.
func (c *Call) int32(i int) (int, error) {
	n, err := c.int(i)
	if err == nil && n != int64(int32(n)) {
		err = resp.NotBetween(math.MinInt32, math.MaxInt32)
	}
	return int(n), err
}

// db reads argument i as the number of a database.
func (c *Call) db(i int) (int, error) {
	n, err := c.int32(i)
	if err == nil && (n < 0 || n >= c.Policy.Databases) {
		err = resp.ErrDBIndex
	}
	return n, err
}

// smallCount reads a number of things.
func smallCount(b []byte) (int, bool) {
	n, ok := resp.ParseInt(b)
	return int(n), ok && n == int64(int32(n))
}
