package plan

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/workload"
)

// What is written is read as it was, and a seed draws one plan.
func TestPlanIsText(t *testing.T) {
	for seed := range uint64(50) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			p := Draw(seed, Options{})
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := p.Write(&text); err != nil {
				t.Fatal(err)
			}
			read, err := Read(&text)
			if err != nil {
				t.Fatal(err)
			}
			if again := Draw(seed, Options{}); !reflect.DeepEqual(p, again) || len(p.Events) > 0 && !reflect.DeepEqual(p, read) {
				t.Errorf("drawn %+v, drawn again %+v, read %+v", p, again, read)
			}
		})
	}
}

const good = `{"format":"ironcache-plan","version":1,"seed":7,"nodes":3,"shards":1,"clients":6,"workload":"register","heal":18000,"end":30000,"network":{}}
`

// A salt gives a plan another world, far from that of any other, and is written with
// it.
func TestSalt(t *testing.T) {
	worlds := map[uint64]string{}
	for seed := range uint64(50) {
		for salt := range uint64(50) {
			p := Draw(seed, Options{})
			p.Salt, p.Keys = salt, 2
			name := fmt.Sprintf("seed %d, salt %d", seed, salt)
			if other := worlds[p.World()]; other != "" {
				t.Fatalf("%s and %s have one world", other, name)
			}
			worlds[p.World()] = name
			if salt == 0 && p.World() != seed {
				t.Errorf("the world of %s is %d", name, p.World())
			}
			var text bytes.Buffer
			if err := p.Write(&text); err != nil {
				t.Fatal(err)
			}
			if read, err := Read(&text); err != nil || read.Salt != salt || read.KeysAtOnce() != 2 {
				t.Fatalf("read %+v, %v", read, err)
			}
		}
	}
}

func TestPlanErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "plan: it is empty"},
		{"# nothing\n\n", "plan: it is empty"},
		{`{"format":"x","version":1}`, `plan: line 1: format "x"`},
		{`{"format":"ironcache-plan","version":2}`, "plan: line 1: format"},
		{strings.Replace(good, `"nodes":3`, `"nodes":0`, 1), "plan: line 1: 0 nodes: it must be 1 to 15"},
		{strings.Replace(good, `"nodes":3`, `"nodes":3,"snapshot":-1`, 1), "-1 snapshot: it must be 0 to 1000000"},
		{strings.Replace(good, `"heal"`, `"keys":17,"heal"`, 1), "plan: line 1: 17 keys: it must be 0 to 16"},
		{strings.Replace(good, `"heal"`, `"drift":200000,"heal"`, 1), "plan: line 1: 200000 drift: it must be 0 to 100000"},
		{strings.Replace(good, `"seed"`, `"seeds"`, 1), `unknown field "seeds"`},
		{strings.Replace(good, "register", "registers", 1), `plan: line 1: there is no workload "registers"`},
		{good + "\n# pause\n" + `{"at":4000,"fault":"pausse","node":2}`, `plan: line 4: there is no fault "pausse": did you mean "pause"?`},
		{good + `{"at":4000,"fault":"pause","node":3}`, "plan: line 2: fault pause of node 3: nodes are 0 to 2"},
		{good + `{"at":4000,"fault":"churn","node":1}`, "plan: line 2: fault churn needs a spare node"},
		{strings.Replace(good, `"nodes":3`, `"nodes":3,"spares":2`, 1), "plan: line 1: 2 spares"},
		{good + `{"at":18001,"fault":"pause","node":1}`, "plan: line 2: fault pause at 18001 ms"},
		{good + `{"at":4000,"fault":"pause","node":1,"amount":5}`, "plan: line 2: fault pause with amount 5: it has no amount"},
		{good + `{"at":4000,"fault":"clock-drift","node":1,"amount":-1000000}`, "runs fast): it must be -500000 to 500000"},
		{good + `{"at":4000,"fault":"crash-at-call","node":1,"amount":-1}`, "it must be 0 to 9223372036854775807"},
		{good + `{"at":4000,"fault":"disk-slow","node":1,"amount":3600001}`, "(by how many milliseconds): it must be 0 to 3600000"},
		{good + `{"at":4000,"fault":"pause","node":1,"for":-1}`, "fault pause for -1 ms: it must be 0 to 3600000"},
		{good + `{"at":4000,"fault":"pause","node":1,"for":"long"}`, "plan: line 2: string for: it must be a whole number"},
		{good + `{"at":4000,"fault":"upgrade","node":1}` + "\n" + `{"at":5000,"fault":"upgrade","node":1}`, "fault upgrade once more: a run has it at most once"},
		{strings.Replace(good, `"nodes":3`, `"nodes":1,"alone":true`, 1) + `{"at":4000,"fault":"move","node":0}`, "fault move needs a cluster"},
		{strings.Replace(good, `"nodes":3`, `"nodes":1,"alone":true`, 1) + `{"at":4000,"fault":"split-partition","node":0}`, "fault split-partition needs a cluster"},
		{strings.Replace(good, `"nodes":3`, `"nodes":1,"spares":1,"alone":true`, 1), "1 spares: a node that is alone"},
		{strings.Replace(good, `"end":30000`, `"end":9000`, 1), "18000 heal: it must be 0 to 9000"},
		{strings.Replace(good, `"nodes":3`, `"nodes":3.5`, 1), "plan: line 1: number 3.5 nodes: it must be a whole number"},
		{strings.Replace(good, `"seed":7`, `"seed":-7`, 1), "number -7 seed: it must be a whole number that is not negative"},
		{strings.Replace(good, `"nodes":3`, `"nodes":3,"rush":1`, 1), "number rush: it must be true or false"},
		{strings.Replace(good, `{}`, `7`, 1), "number network: it must be an object"},
		{strings.Replace(good, `{}`, `{"ShortRead":NaN}`, 1), "plan: line 1: invalid character 'N'"},
		{strings.Replace(good, `{}`, `{"Shortest":1}`, 1), `unknown field "Shortest"`},
		{strings.Replace(good, `{}`, `{"Window":0.5}`, 1), "number 0.5 network.Window: it must be a whole number"},
		{strings.Replace(good, `{}`, `{"MinDelay":2000,"MaxDelay":1000}`, 1), "1000 network.MaxDelay: it must be 2000 to 60000000000"},
		{strings.Replace(good, `{}`, `{"SyncFails":1}`, 1), "1 network.SyncFails: it must be 0 to 0"},
		{good + `{"at":4000,"fault":"pause","node":1} {}`, "plan: line 2: something follows"},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// Of all faults that may happen, each does in some run, and no more than one
// node is spoiled.
func TestDrawHasAll(t *testing.T) {
	seen, none, voided := map[string]bool{}, 0, 0
	for seed := range uint64(200) {
		p := Draw(seed, Options{Nodes: 3})
		spoiled := 0
		for _, e := range p.Events {
			seen[e.Fault] = true
			if fault.Find(e.Fault).Spoils {
				spoiled++
			}
		}
		if spoiled == 1 && p.Events[0].At < formed {
			t.Errorf("seed %d spoils a node, and has a fault at %d", seed, p.Events[0].At)
		}
		upgrades := 0
		for _, e := range p.Events {
			if fault.Find(e.Fault).Once {
				upgrades++
			}
		}
		if upgrades > 1 {
			t.Errorf("seed %d has %d upgrades", seed, upgrades)
		}
		if p.Voids() {
			voided++
		}
		if spoiled > 0 && p.Spares > 0 {
			t.Errorf("seed %d spoils a node while another one leaves for good", seed)
		}
		if spoiled > 1 {
			t.Errorf("seed %d spoils %d nodes", seed, spoiled)
		}
		if len(p.Events) == 0 {
			none++
		}
	}
	for _, f := range fault.Table {
		if !seen[f.Name] {
			t.Errorf("%s is not drawn", f.Name)
		}
	}
	if voided > 30 {
		t.Errorf("%d runs of 200 void what judges look at", voided)
	}
	if none > 20 {
		t.Errorf("%d runs of 200 had no fault", none)
	}
	if p := Draw(1, Options{Faults: []string{}}); len(p.Events) > 0 {
		t.Errorf("no fault was wanted: %+v", p.Events)
	}
	if p := Draw(3, Options{Faults: []string{"pause"}}); strings.Contains(fmt.Sprint(p.Events), "crash") {
		t.Errorf("only pauses were wanted: %+v", p.Events)
	}
}

// A node alone is drawn for every workload, and a cluster for those that can do with
// one; what contradicts itself is told.
func TestDrawOfNodesAlone(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(2000) {
		p := Draw(seed, Options{})
		if err := p.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		seen[fmt.Sprintf("%s alone=%v relaxed=%v", p.Workload, p.Alone, p.Relaxed)] = true
	}
	for _, w := range workload.Table {
		for _, alone := range []bool{true, false} {
			for _, relaxed := range []bool{true, false} {
				name := fmt.Sprintf("%s alone=%v relaxed=%v", w.Name, alone, relaxed)
				if want := !(w.Alone && !alone) && !(w.Strict && relaxed); seen[name] != want {
					t.Errorf("%s: drawn %v", name, seen[name])
				}
			}
		}
	}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Workload: "order"}, ""},
		{Options{Alone: true, Shards: 3}, ""},
		{Options{Alone: true, Nodes: 3}, "3 nodes: one that is alone"},
		{Options{Workload: "order", Nodes: 3}, "workload order needs a node that is alone"},
	} {
		if err := c.options.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.options, err)
		}
	}
	if flags := (&Options{Alone: true}).Flags(); flags != "--alone" {
		t.Errorf("flags %q", flags)
	}
}

// What is drawn for a fault does not depend on which others may happen.
func TestDrawsAreOfTheirOwn(t *testing.T) {
	compared := 0
	for seed := range uint64(60) {
		p, alone := Draw(seed, Options{}), Draw(seed, Options{Faults: []string{"pause"}}).Events
		all := p.Events
		if p.Spares > 0 || p.Drift > 0 || p.has(spoils) || p.has(once) {
			continue // some is left out, or happens to the spare
		}
		all = slices.DeleteFunc(all, func(e fault.Event) bool { return e.Fault != "pause" })
		if !slices.Equal(all, alone) {
			t.Errorf("seed %d: pauses %+v, and alone %+v", seed, all, alone)
		}
		compared += len(alone)
	}
	if compared == 0 {
		t.Error("no pause was compared")
	}
}

// A node alone has none of what happens to nodes of one cluster.
func TestNodesAloneHaveNoClustersFaults(t *testing.T) {
	alone, joined := 0, 0
	for seed := range uint64(200) {
		p := Draw(seed, Options{})
		for _, e := range p.Events {
			if f := fault.Find(e.Fault); f.Joined && p.Alone {
				t.Errorf("seed %d: a node alone has %s", seed, f.Name)
			} else if f.Joined {
				joined++
			}
		}
		if p.Alone {
			alone++
		}
	}
	if alone == 0 || joined == 0 {
		t.Errorf("%d plans of nodes alone, and %d such faults in the others", alone, joined)
	}
}

// Where leases allow for much drift, clocks drift far and within that, and nodes end.
// Slots are moved or clocks are set in a run, not both.
func TestDrawOfCoarseClocks(t *testing.T) {
	runs, moved, jumped := 0, 0, 0
	for seed := range uint64(300) {
		p := Draw(seed, Options{})
		if p.has(moves) && p.Jumps() {
			t.Errorf("seed %d moves slots and sets clocks", seed)
		}
		if p.has(moves) {
			moved++
		}
		if p.Jumps() {
			jumped++
		}
		if p.Drift == 0 {
			continue
		}
		runs++
		far, ends := false, false
		for _, e := range p.Events {
			far = far || e.Fault == fault.ClockDrift && e.Amount < -p.Drift/2
			ends = ends || e.Fault == fault.Crash
			if e.Fault == fault.ClockDrift && max(e.Amount, -e.Amount) >= p.Drift || fault.Find(e.Fault).Voids {
				t.Errorf("seed %d, leases allow for %d: %+v", seed, p.Drift, e)
			}
		}
		if !far || !ends || p.Lease().Drift != p.Drift {
			t.Errorf("seed %d: %+v", seed, p.Events)
		}
	}
	if runs < 15 || runs > 60 || moved < 100 || jumped < 50 {
		t.Errorf("of 300 runs %d have such clocks, %d move slots, %d set clocks", runs, moved, jumped)
	}
}
