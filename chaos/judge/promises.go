package judge

import "fmt"

// promises looks at what the disk of a node has when a life begins: the term, the
// last vote and the log of the lives before it, or what comes after those. With less
// of it a node could vote twice in one term, or help to elect a leader that lacks
// what was committed (Ongaro and Ousterhout, "In Search of an Understandable
// Consensus Algorithm", figure 2: persistent state).
func promises(e *Evidence) (r Report) {
	applied := map[Life]uint64{} // the highest index
	for _, a := range e.Applied {
		applied[a.Life] = max(applied[a.Life], a.Index)
	}
	made := map[int]*promised{} // by node
	for _, s := range e.Standings {
		p := made[s.Node]
		if p == nil {
			p = &promised{life: s.Life}
			made[s.Node] = p
		}
		if s.Life != p.life {
			p.applied = max(p.applied, applied[p.life])
			if p.life = s.Life; !e.Nodes[s.Node].Emptied {
				r.Checks++
				r.Findings = append(r.Findings, p.forgotten(&s)...)
			}
		}
		p.term, p.voted = max(p.term, s.Term), max(p.voted, s.Voted)
	}
	return r
}

// promised is what the lives of a node have promised to remember.
type promised struct {
	life                 Life // the last one
	term, voted, applied uint64
}

// forgotten tells what of that the life lacks which begins.
func (p *promised) forgotten(s *Standing) (findings []string) {
	for _, f := range []struct {
		what     string
		was, has uint64
	}{
		{"was in term", p.term, s.Term}, {"voted in term", p.voted, s.Voted}, {"applied entry", p.applied, s.Kept},
	} {
		if f.has < f.was {
			findings = append(findings, fmt.Sprintf("node %d %s %d, and life %d begins at %d with %d", s.Node, f.what, f.was, s.Life.Life, s.At, f.has))
		}
	}
	return findings
}
