package judge

import "fmt"

// stuck looks at clients once every node served again: requests that were made
// before may be lost.
func stuck(e *Evidence) (r Report) {
	well := e.Healed
	for _, n := range e.Nodes {
		if n.Served == 0 && !n.Spoiled && !n.Spare {
			return r
		}
		well = max(well, n.Served, n.Stands)
	}
	if e.Ended-well < calm {
		return r
	}
	for i, c := range e.Clients {
		r.Checks++
		switch {
		case c.Answered < well:
			r.Findings = append(r.Findings, fmt.Sprintf("client %d has had no answer since %d; the cluster is well since %d", i+1, c.Answered, well))
		case c.Silent > well+calm/2:
			r.Findings = append(r.Findings, fmt.Sprintf("client %d waited in vain for an answer until %d; the cluster is well since %d", i+1, c.Silent, well))
		}
	}
	return r
}

// calm is how long, in nanoseconds, a cluster must have been well for its clients
// to be judged.
const calm = 4_000_000_000
