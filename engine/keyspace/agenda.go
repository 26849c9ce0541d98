package keyspace

// agenda lists the segments of a space that hold keys, as a heap by the time
// at which they may have something due. Segments without expiries are at its
// far end (never). It also serves to draw a segment at random. It grows by
// whole pages, so that nothing is ever copied.
type agenda struct {
	pages []*[agendaPage]item
	n     int
}

type item struct {
	due   int64
	table uint64 // ref
}

const (
	agendaPage  = 512
	agendaBytes = agendaPage * 16
)

func (a *agenda) at(i int) *item { return &a.pages[i/agendaPage][i%agendaPage] }

// first is the time of the first segment.
func (a *agenda) first() int64 {
	if a.n == 0 {
		return never
	}
	return a.at(0).due
}

// enlist adds a table to the agenda.
func (s *Space) enlist(ref uint64, t *table) {
	a := &s.agenda
	if a.n == len(a.pages)*agendaPage {
		a.pages = append(a.pages, new([agendaPage]item))
		s.store.chargeTables(agendaBytes)
	}
	a.n++
	s.settleItem(a.n-1, item{t.due, ref})
}

// strike takes a table off the agenda.
func (s *Space) strike(t *table) {
	a := &s.agenda
	last := *a.at(a.n - 1)
	a.n--
	if int(t.index) < a.n {
		s.settleItem(int(t.index), last)
	}
	if pages := len(a.pages); pages > 1 && a.n < (pages-2)*agendaPage {
		a.pages[pages-1] = nil
		a.pages = a.pages[:pages-1]
		s.store.chargeTables(-agendaBytes)
	}
}

// moved notes that a table has another ref.
func (s *Space) moved(ref uint64, t *table) { s.agenda.at(int(t.index)).table = ref }

// reschedule sets when a segment may have something due.
func (s *Space) reschedule(ref uint64, t *table, due int64) {
	if t.due != due {
		t.due = due
		s.settleItem(int(t.index), item{due, ref})
	}
}

// settleItem puts an item where i is, or above, or below.
func (s *Space) settleItem(i int, it item) {
	a := &s.agenda
	for i > 0 {
		up := (i - 1) / 2
		if a.at(up).due <= it.due {
			break
		}
		s.place(i, *a.at(up))
		i = up
	}
	for {
		down := 2*i + 1
		if down+1 < a.n && a.at(down+1).due < a.at(down).due {
			down++
		}
		if down >= a.n || a.at(down).due >= it.due {
			break
		}
		s.place(i, *a.at(down))
		i = down
	}
	s.place(i, it)
}

func (s *Space) place(i int, it item) {
	*s.agenda.at(i) = it
	s.store.table(it.table).index = uint32(i)
}
