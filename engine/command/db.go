package command

import "github.com/elares/ironcache/engine/resp"

// dbsize counts the keys of the current database.
func dbsize(c *Call) error {
	c.Reply.Int(int64(c.size()))
	return nil
}

func (c *Call) size() int {
	n := 0
	for _, store := range c.stores {
		n += store.Space(c.DB).Len()
	}
	return n
}

// flushdb removes the keys of the current database. Memory is freed bit by bit
// afterwards, whether the client says ASYNC or SYNC.
func flushdb(c *Call) error {
	if err := c.flushOptions(); err != nil {
		return err
	}
	c.sweep(c.DB)
	c.Reply.OK()
	return nil
}

// flushall removes the keys of all databases.
func flushall(c *Call) error {
	if err := c.flushOptions(); err != nil {
		return err
	}
	for db := range c.Policy.Databases {
		c.sweep(db)
	}
	c.Reply.OK()
	return nil
}

func (c *Call) flushOptions() error {
	if c.Argc() > 2 || c.Argc() == 2 && !fold(c.Arg(1), "async") && !fold(c.Arg(1), "sync") {
		return resp.ErrSyntax
	}
	return nil
}

// sweep empties a database. It is told even if there was nothing, and then
// counts as no change.
func (c *Call) sweep(db int) {
	c.dirty++
	c.Changes--
	for _, store := range c.stores {
		space := store.Space(db)
		c.dirty += space.Len()
		space.Clear()
	}
	c.swept(db)
}

// swapdb exchanges the contents of two databases.
func swapdb(c *Call) error {
	if c.Policy.Cluster {
		return resp.ErrSwapCluster
	}
	first, err := c.int32(1)
	if err != nil {
		return resp.ErrSwapFirst
	}
	second, err := c.int32(2)
	if err != nil {
		return resp.ErrSwapSecond
	}
	limit := c.Policy.Databases
	if first < 0 || first >= limit || second < 0 || second >= limit {
		return resp.ErrDBIndex
	}
	c.swap(first, second)
	c.Reply.OK()
	return nil
}

func (c *Call) swap(first, second int) {
	c.dirty++
	if first == second {
		return
	}
	for _, store := range c.stores {
		store.SwapSpaces(first, second)
	}
	c.swept(first)
	c.swept(second)
}

// swept notes that a database changed as a whole.
func (c *Call) swept(db int) {
	if c.listen != nil {
		c.effect.Swept = append(c.effect.Swept, db)
	}
}
