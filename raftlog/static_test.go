package raftlog

import (
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

func TestStaticNodesAgree(t *testing.T) {
	nodes := func() []state.Founder {
		return []state.Founder{
			{Address: state.Address{Host: "10.0.0.1", Port: 1, BusPort: 2, ReplicationPort: 3}, Owns: []slots.Range{{First: 0, Last: 99}}},
			{Address: state.Address{Host: "10.0.0.2", Port: 1, BusPort: 2, ReplicationPort: 3}, Owns: []slots.Range{{First: 100, Last: slots.Count - 1}}},
		}
	}
	var planes []*Static
	for i := range nodes() {
		p, err := NewStatic(&nodes()[i].Address, nodes())
		if err != nil {
			t.Fatal(err)
		}
		planes = append(planes, p)
	}
	now := int64(365 * 24 * time.Hour)
	for i, p := range planes {
		v := p.View()
		if v.Member().ID != p.ID() || v.State.Members()[1].ID != planes[1].ID() || !v.Holds(now) || !v.Map.ServedBy(uint16(i*100), v.Self) || v.Map.ServedBy(uint16(100-i*100), v.Self) {
			t.Errorf("node %d: %+v", i, v.Member())
		}
		if !v.Covered() || !v.Lively(1, now) || !v.Lively(2, now) || len(v.Owners()) != 2 {
			t.Errorf("node %d: covered %v, owners %v", i, v.Covered(), v.Owners())
		}
	}
	stranger := state.Address{Host: "10.0.0.3", Port: 1, BusPort: 2, ReplicationPort: 3}
	if _, err := NewStatic(&stranger, nodes()); err == nil {
		t.Error("a node that is not in the list has a place")
	}
	if _, err := NewStatic(&stranger, nil); err == nil {
		t.Error("an empty list makes a cluster")
	}
}
