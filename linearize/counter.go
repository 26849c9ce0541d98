package linearize

import "strconv"

// counterStep is the meaning of integers: an absent key counts as 0, and a sum
// beyond 64 bits is refused. The text of a cell is its decimal form.
func counterStep(c Cell, op *Operation) (Cell, Outcome) {
	switch op.Kind {
	case Get:
		return c, c.content()
	case IncrBy, DecrBy:
		sum, fits := count(c, op)
		if !fits {
			return c, Outcome{Result: Refused}
		}
		c.Present, c.Text = true, strconv.FormatInt(sum, 10)
		return c, Replied(c.Text)
	}
	return stepAny(c, op)
}

// count tells what a counter becomes, and whether that fits into 64 bits.
func count(c Cell, op *Operation) (sum int64, fits bool) {
	var held int64
	if c.Present {
		held, _ = strconv.ParseInt(c.Text, 10, 64) // counterStep wrote it
	}
	if op.Kind == IncrBy {
		sum = held + op.Delta
		return sum, (sum > held) == (op.Delta > 0)
	}
	sum = held - op.Delta
	return sum, (sum < held) == (op.Delta > 0)
}
