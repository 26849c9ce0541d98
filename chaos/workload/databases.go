package workload

import (
	"fmt"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/linearize"
)

// databases is how many are used.
const databases = 2

// nextDatabases draws an ask of a string in one of two databases, or of a family
// whose members are one key in both.
func nextDatabases(c *Client) *job {
	k := pick(c.dice, c.crowd.keys)
	if k.place%2 == 0 {
		db := k.place / 2 % databases // keys of two databases have the same names
		name := fmt.Sprintf("key:%d:%d", k.place/2/databases, k.turn)
		return one(singleOf(k, c.register(k), fmt.Sprintf("%d/%s", db, name), name).within(db))
	}
	var commands []string
	for n := c.dice.Between(1, 3); n > 0; n-- {
		commands = append(commands, c.twin())
	}
	return one(c.across(k, commands))
}

// twin draws a command on one key in one of two databases.
func (c *Client) twin() string {
	member := []string{"a0", "a1"}[c.dice.Below(2)]
	switch draw := c.dice.Below(100); {
	case draw < 40:
		return "get " + member
	case draw < 65:
		return "set " + member + " " + c.fresh(false)
	case draw < 75:
		return "del " + member
	}
	other := map[string]string{"a0": "a1", "a1": "a0"}[member]
	return "move " + member + " " + other
}

// across is an ask for commands on members in two databases: each is behind a
// SELECT. Several are a transaction.
func (c *Client) across(k *key, commands []string) *ask {
	a := c.batch(k, "", commands...)
	tell, chosen := a.tell, "OK"
	if len(commands) > 1 {
		chosen = "QUEUED"
	}
	var sends [][]string
	at := []int{} // places of answers that are not those to SELECT
	for _, send := range a.sends {
		if len(send) > 1 {
			db, key := send[1][len(send[1])-1:], send[1][:len(send[1])-1]
			sends = append(sends, []string{"select", db})
			send[1] = key
			if send[0] == "move" {
				send[2] = send[2][len(send[2])-1:]
			}
		}
		at = append(at, len(sends))
		sends = append(sends, send)
	}
	a.sends = sends
	a.tell = func(answers []wire.Value) (linearize.Outcome, string) {
		if last := &answers[len(answers)-1]; last.Kind == '*' && len(last.List) == 2*len(commands) {
			last.List = everySecond(last.List)
		}
		var kept []wire.Value
		for _, i := range at {
			kept = append(kept, answers[i])
		}
		o, odd := tell(kept)
		for i, send := range sends {
			if send[0] == "select" && answers[i].Text != chosen {
				odd += fmt.Sprintf("the reply to another request than SELECT: %v", answers[i])
			}
		}
		return o, odd
	}
	return a
}
