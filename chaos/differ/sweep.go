package differ

import (
	"fmt"
	"slices"
	"strings"
)

// sweepLimit bounds the calls of one sweep: a cursor that never comes back to 0
// is a difference.
const sweepLimit = 1000

// sweep scans the whole keyspace of both servers and compares what was found.
// A key may come twice; none may be missing.
func (p *Player) sweep(step Step) (*Difference, error) {
	var seen [2]Reply
	for i, s := range p.sides {
		c, err := s.conn(step.Conn)
		if err != nil {
			return nil, err
		}
		if seen[i], err = sweepOne(c, step.Args[1:], p.counts); err != nil {
			return nil, fmt.Errorf("sweep of %s: %w", s.addr, err)
		}
	}
	if seen[0].equal(seen[1]) {
		return nil, nil
	}
	return &Difference{Args: step.Args, Redis: seen[0].Print(), Ours: seen[1].Print()}, nil
}

func sweepOne(c *Conn, options []string, counts *Counts) (Reply, error) {
	found := Reply{Kind: '*'}
	cursor := "0"
	for range sweepLimit {
		args := append([]string{"SCAN", cursor}, options...)
		r, err := c.Do(args...)
		if err != nil {
			return Reply{}, err
		}
		counts.Add(args, r)
		if len(r.Items) != 2 {
			return r, nil
		}
		found.Items = append(found.Items, r.Items[1].Items...)
		if cursor = r.Items[0].Text; cursor == "0" {
			return distinct(found), nil
		}
	}
	return Reply{Kind: lost, Text: "the cursor does not come back to 0"}, nil
}

func distinct(r Reply) Reply {
	slices.SortFunc(r.Items, func(a, b Reply) int { return strings.Compare(a.Text, b.Text) })
	r.Items = slices.CompactFunc(r.Items, Reply.equal)
	return r
}
