package linearize

// registerStep is the meaning of strings: https://redis.io/docs/latest/commands/set/
// and its neighbours.
func registerStep(c Cell, op *Operation) (Cell, Outcome) {
	written := Cell{Present: true, Text: op.Value}
	switch op.Kind {
	case Get:
		return c, c.content()
	case GetEx:
		if c.Present {
			c.Life, c.At, c.Timed = op.Life, op.At, op.timed() || op.Keep && c.Timed
		}
		return c, c.content()
	case Set:
		if !conditionHolds(c, op) {
			return c, replyNull
		}
		written.Life, written.At, written.Timed = op.Life, op.At, op.timed() || op.Keep && c.Timed
		return written, replyOK
	case SetNX:
		if c.Present {
			return c, replyZero
		}
		return written, replyOne
	case GetSet:
		return written, c.content()
	case GetDel:
		return Cell{}, c.content()
	case DelEx:
		if !c.Present || !conditionHolds(c, op) {
			return c, replyZero
		}
		return Cell{}, replyOne
	case DelIfEq:
		if !c.Present || c.Text != op.Old {
			return c, replyZero
		}
		return Cell{}, replyOne
	}
	return stepAny(c, op)
}

func conditionHolds(c Cell, op *Operation) bool {
	switch op.If {
	case nxOption:
		return !c.Present
	case xxOption:
		return c.Present
	case eqOption:
		return c.Present && c.Text == op.Old
	case neOption:
		return !c.Present || c.Text != op.Old
	}
	return true
}

// timed tells whether the operation sets a deadline.
func (o *Operation) timed() bool { return o.Life > 0 || o.At > 0 }
