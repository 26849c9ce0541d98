package workload

import (
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
)

// key is one that is in use, or a family of them. After some operations, or some
// whose outcome is unknown, the clients go on to a fresh one: the judge's search is
// bounded.
type key struct {
	place, turn int
	asked, lost int
	most        int    // operations
	seen        string // a value that somebody saw or wrote
}

// Limits of a key, below those of the judge: clients that are under way with a
// key come on top. Families take more to judge.
const (
	mostAsked       = 110
	mostAskedFamily = 70
	mostLost        = 3
)

// name is the key's, or the family's: every second one has a hash tag.
func (k *key) name() string {
	if k.place%2 == 1 {
		return fmt.Sprintf("key:{%d:%d}", k.place, k.turn)
	}
	return fmt.Sprintf("key:%d:%d", k.place, k.turn)
}

// pick draws a key: the first ones are drawn more often.
func pick(d fault.Dice, keys []*key) *key {
	return use(keys, min(d.Below(len(keys)), d.Below(len(keys))))
}

// use gives the key of a place, a fresh one if that has had enough.
func use(keys []*key, at int) *key {
	if k := keys[at]; k.asked >= k.most || k.lost >= mostLost {
		keys[at] = &key{place: k.place, turn: k.turn + 1, most: k.most}
	}
	return keys[at]
}
