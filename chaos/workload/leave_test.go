package workload

import (
	"testing"

	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
)

// Writes that are under way when the work ends are written down as such: somebody
// may have read what they wrote.
func TestLeaveWritesDownWhatIsUnderWay(t *testing.T) {
	w := sim.New(1, sim.Mix{})
	m := w.Machine()
	p, err := m.Doors().Network.Poller()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Listen(env.ListenAddress{Network: "tcp", Address: m.Host() + ":6379", Backlog: 100}); err != nil {
		t.Fatal(err)
	}
	c := NewCrowd(Options{World: w, Nodes: []string{m.Host() + ":6379"}, Clients: 20, Workload: Find("register")})
	w.Advance(300 * million) // all have begun, and nobody answers
	c.Step()
	c.Leave()
	waited := 0
	for _, client := range c.Clients {
		if client.waiting {
			t.Errorf("client %d waits still", client.id)
		}
		waited += client.asked
	}
	if len(c.History.Operations) == 0 {
		t.Errorf("%d values were asked to be written, and nothing is written down", waited)
	}
	for i := range c.History.Operations {
		if op := &c.History.Operations[i]; op.Outcome.Result != linearize.Lost || op.Return != linearize.Infinite || op.Kind == linearize.Get {
			t.Errorf("written down: %v", op)
		}
	}
}
