package linearize

// A Cell is what a key holds, as a model sees it. The zero Cell holds nothing.
type Cell struct {
	Present bool
	Text    string // the value, in a form of the model's choice that is equal for equal values
	Timed   bool   // it has a deadline
	Life    int64  // what Step sets to give it a new deadline: the lifetime in nanoseconds, above 0
	At      int64  // or the moment when it ends, as Operation.At
}

var (
	replyOK   = Replied("OK")
	replyOne  = Replied("1")
	replyZero = Replied("0")
	replyNull = Outcome{Result: Nothing}
)

// yes is the reply of commands that tell with a number whether they acted.
func yes(acted bool) Outcome {
	if acted {
		return replyOne
	}
	return replyZero
}

// content is the reply that shows the cell.
func (c Cell) content() Outcome {
	if !c.Present {
		return replyNull
	}
	return Replied(c.Text)
}

// stepAny does what is the same for values of every type.
func stepAny(c Cell, op *Operation) (Cell, Outcome) {
	switch op.Kind {
	case Del:
		return Cell{}, yes(c.Present)
	case PExpire:
		switch {
		case !c.Present:
			return c, replyZero
		case op.Life <= 0:
			return Cell{}, replyOne
		}
		c.Timed, c.Life = true, op.Life
		return c, replyOne
	case PExpireAt:
		if c.Present {
			c.Timed, c.At = true, op.At
		}
		return c, yes(c.Present)
	case Persist:
		had := c.Timed
		c.Timed = false
		return c, yes(had)
	}
	return c, Outcome{Result: Refused}
}
