package workload

import (
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize"
)

// A Workload is what clients ask for.
type Workload struct {
	Name string
	Does string // one sentence
	// next draws what a client asks of a key.
	next func(d fault.Dice, k *key, value string) linearize.Operation
}

// Table lists the workloads, sorted by name.
var Table = []Workload{
	{"counter", "Clients add to, read and remove integers, with expiry.", nextCounter},
	{"register", "Clients write, compare and set, read and remove strings, with expiry.", nextRegister},
}

// Find gives the workload of a name, nil if there is none.
func Find(name string) *Workload {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}

// Nearest is the name in the table that is most like another.
func Nearest(name string) string {
	var names []string
	for _, w := range Table {
		names = append(names, w.Name)
	}
	return fault.Closest(name, names)
}

// lifetime draws a time to live, in nanoseconds.
func lifetime(d fault.Dice) int64 { return d.Between(200, 3000) * 1_000_000 }

func nextRegister(d fault.Dice, k *key, value string) linearize.Operation {
	op := linearize.Operation{Kind: linearize.Set, Value: value}
	switch draw := d.Below(100); {
	case draw < 40:
		op = linearize.Operation{Kind: linearize.Get}
	case draw < 60: // a plain write
	case draw < 75:
		op.If, op.Old = "eq", k.seen
	case draw < 79:
		op.Life = lifetime(d)
	case draw < 82:
		op.If = []string{"nx", "xx"}[d.Below(2)]
	case draw < 84:
		op.Keep = true
	case draw < 87:
		op.Kind = linearize.SetNX
	case draw < 90:
		op.Kind = linearize.GetSet
	case draw < 92:
		op = linearize.Operation{Kind: linearize.GetDel}
	case draw < 94:
		op = linearize.Operation{Kind: linearize.DelIfEq, Old: k.seen}
	default:
		op = nextAny(d)
	}
	return op
}

func nextCounter(d fault.Dice, _ *key, _ string) linearize.Operation {
	switch draw := d.Below(100); {
	case draw < 35:
		return linearize.Operation{Kind: linearize.Get}
	case draw < 75:
		return linearize.Operation{Kind: linearize.IncrBy, Delta: d.Between(1, 1000)}
	case draw < 90:
		return linearize.Operation{Kind: linearize.DecrBy, Delta: d.Between(1, 1000)}
	}
	return nextAny(d)
}

// nextAny draws what can be asked of a key whatever it holds.
func nextAny(d fault.Dice) linearize.Operation {
	switch d.Below(4) {
	case 0:
		return linearize.Operation{Kind: linearize.PExpire, Life: lifetime(d)}
	case 1:
		return linearize.Operation{Kind: linearize.Persist}
	}
	return linearize.Operation{Kind: linearize.Del}
}

// words are a request for an operation.
func words(op *linearize.Operation) []string {
	ms := fmt.Sprint(op.Life / 1_000_000)
	list := []string{string(op.Kind), op.Key}
	switch op.Kind {
	case linearize.Set:
		list = append(list, op.Value)
		if op.If != "" {
			list = append(list, map[string]string{"nx": "NX", "xx": "XX", "eq": "IFEQ"}[op.If])
		}
		if op.If == "eq" {
			list = append(list, op.Old)
		}
		if op.Life > 0 {
			list = append(list, "PX", ms)
		}
		if op.Keep {
			list = append(list, "KEEPTTL")
		}
	case linearize.SetNX, linearize.GetSet:
		list = append(list, op.Value)
	case linearize.DelIfEq:
		list = append(list, op.Old)
	case linearize.PExpire:
		list = append(list, ms)
	case linearize.IncrBy, linearize.DecrBy:
		list = append(list, fmt.Sprint(op.Delta))
	}
	return list
}
