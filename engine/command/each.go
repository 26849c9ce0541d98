package command

import "github.com/elares/ironcache/engine/keyspace"

// window is how many keys' memory is asked for at once.
const window = 16

// each calls do for every key at the arguments from, from+step and so on below
// to, until it fails. The memory of many keys is asked for at the same time,
// so that a command waits for it once every window and not once a key.
func (c *Call) each(from, to, step int, do func(i int, k keyspace.Key) error) error {
	for i := from; i < to; {
		n := c.lookAhead(i, to, step)
		for j := range n {
			if err := do(i+j*step, c.ahead[j]); err != nil {
				return err
			}
		}
		i += n * step
	}
	return nil
}

// lookAhead fills a window with keys and asks for what they lead to.
func (c *Call) lookAhead(from, to, step int) int {
	n := 0
	for i := from; i < to && n < window; i += step {
		c.ahead[n] = c.Key(i)
		n++
	}
	if n == 1 {
		return n
	}
	keys := c.ahead[:n]
	for j := range keys {
		c.Space(keys[j]).AskTable(keys[j].Place)
	}
	for j := range keys {
		keys[j].Near = c.Space(keys[j]).AskEntry(keys[j].Place)
	}
	return n
}
