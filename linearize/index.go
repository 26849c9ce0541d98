package linearize

// alike is what two configs must have in common for one to cover the other.
type alike struct {
	present, timed, fixed bool
	text                  string
	life, base, ahead     int64
	order                 uint64
}

func (c *config) alike() alike {
	return alike{c.present, c.timed, c.fixed, c.text, c.life, c.base, c.ahead, c.order}
}

// An index finds those of many configs that may cover another. Few are looked
// through one by one.
type index struct {
	all  []config
	kind map[alike][]int // nil while there are few
}

// few configs are looked through faster than they are sorted.
const few = 64

// newIndex takes configs over.
func newIndex(configs []config) *index {
	x := &index{all: configs}
	if len(configs) > few {
		x.sort()
	}
	return x
}

func (x *index) sort() {
	x.kind = make(map[alike][]int, len(x.all))
	for i := range x.all {
		x.note(i)
	}
}

func (x *index) note(i int) {
	k := x.all[i].alike()
	x.kind[k] = append(x.kind[k], i)
}

// add appends a config.
func (x *index) add(c config) {
	x.all = append(x.all, c)
	switch {
	case x.kind != nil:
		x.note(len(x.all) - 1)
	case len(x.all) > few:
		x.sort()
	}
}

// covers tells whether a config covers c, but for the one with the number not. It
// tells how many it looked at, too.
func (x *index) covers(c *config, not int) (covered bool, looked int) {
	if x.kind == nil {
		for i := range x.all {
			if i != not && x.all[i].covers(*c) {
				return true, i + 1
			}
		}
		return false, len(x.all)
	}
	kin := x.kind[c.alike()]
	for n, i := range kin {
		if i != not && x.all[i].covers(*c) {
			return true, n + 1
		}
	}
	return false, len(kin)
}
