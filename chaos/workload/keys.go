package workload

import (
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
)

// key is one that is in use. After some operations, or some whose outcome is
// unknown, the clients go on to a fresh one: the judge's search is bounded.
type key struct {
	place, turn int
	asked, lost int
	seen        string // a value that somebody saw or wrote
}

// Limits of a key, below those of the judge: clients that are under way with a
// key come on top.
const (
	mostAsked = 110
	mostLost  = 3
)

func (k *key) name() string { return fmt.Sprintf("key:%d:%d", k.place, k.turn) }

// pick draws a key: the first ones are drawn more often.
func pick(d fault.Dice, keys []*key) *key {
	at := min(d.Below(len(keys)), d.Below(len(keys)))
	if k := keys[at]; k.asked >= mostAsked || k.lost >= mostLost {
		keys[at] = &key{place: k.place, turn: k.turn + 1}
	}
	keys[at].asked++
	return keys[at]
}
