package linearize

// A Model is the sequential meaning of one type of value. It sees one key and
// knows neither time nor nodes: what expiry, restarts and failovers do to a
// cell is the same for every type and lies in the code that steps models.
type Model struct {
	Name   string
	Covers string // one sentence
	Kinds  []Kind
	Reads  []Kind // those of Kinds that never change anything

	// Step applies an operation to a cell and tells the only reply that fits.
	// It is pure. A reply of Refused means that nothing changed.
	Step func(Cell, *Operation) (Cell, Outcome)

	// slow says that Step takes so long that its answers are worth keeping.
	slow bool

	// idle, if there, marks operations with unknown outcome without which the
	// verdict is the same.
	idle func([]*Operation) []bool

	// sees tells whether an operation that was answered shows what is held, and
	// whether that is something.
	sees func(*Operation) (shows, something bool)

	// texts tells the values that an operation may leave behind, and those that
	// its reply shows, with the names of those who hold them; nil for values that
	// nobody writes as they are.
	texts func(*Operation) (written, shown []string)
}

// Models lists the models. A key is judged by the first that covers all kinds
// of its operations. A further type is a file with its Step, a row here, its
// kinds beside the others, and rulings in the tests, which ask for them.
var Models = []Model{
	{
		Name:   "register",
		Covers: "A string that is written, read and removed, with conditions and expiry.",
		Kinds:  []Kind{Get, GetEx, Set, SetNX, GetSet, GetDel, Del, DelEx, DelIfEq, PExpire, PExpireAt, Persist},
		Reads:  []Kind{Get},
		Step:   registerStep,
		idle:   idleWrites,
		sees:   seesOne,
		texts:  registerTexts,
	},
	{
		Name:   "counter",
		Covers: "An integer that is added to, read and removed, with expiry.",
		Kinds:  []Kind{Get, IncrBy, DecrBy, Del, PExpire, PExpireAt, Persist},
		Reads:  []Kind{Get},
		Step:   counterStep,
		sees:   seesOne,
	},
	{
		Name:   "family",
		Covers: "Several keys that commands and transactions write, read and remove as one, with WATCH.",
		Kinds:  []Kind{Batch, Watch},
		Step:   familyStep,
		slow:   true,
		idle:   idleBatches,
		sees:   seesSome,
		texts:  familyTexts,
	},
}

// A MarkKind says what a mark stands for.
type MarkKind string

// The kinds of marks.
const (
	Wipe      MarkKind = "wipe"
	Failover  MarkKind = "failover"
	Loss      MarkKind = "loss"
	ClockJump MarkKind = "clock-jump"
	Crash     MarkKind = "crash"
	Partition MarkKind = "partition"
	Lease     MarkKind = "lease"
	Note      MarkKind = "note"
)

// A markRow is a kind of mark: whether a model takes part in it, and how it
// looks in a picture. Kinds without a row look like notes.
type markRow struct {
	kind    MarkKind
	meaning string
	colour  string
	on      func(Options) bool                      // nil: it is only shown
	step    func(*machine, config, *event) []config // what may be held afterwards
}

var marks = []markRow{
	{Wipe, "a node came back without its data: keys may be gone", "#f4c7c3", func(o Options) bool { return o.Wipes }, wiped},
	{Loss, "a slot changed hands: keys may be gone", "#f4c7c3", func(o Options) bool { return o.Wipes }, wiped},
	{Failover, "another node took over: the latest acknowledged writes may be gone", "#fce8b2", func(o Options) bool { return o.LostWrites }, fellBack},
	{ClockJump, "a node's civil clock was set: deadlines are nearer, or further away", "#d0e0e3", func(Options) bool { return true }, jumped},
	{Crash, "a node died", "#f4c7c3", nil, nil},
	{Partition, "nodes could not reach each other", "#d9d2e9", nil, nil},
	{Lease, "the right to answer for keys changed", "#c9daf8", nil, nil},
	{Note, "anything else", "#eeeeee", nil, nil},
}

// rowOf is the row of a kind of mark, that of notes if it has none.
func rowOf(kind MarkKind) markRow {
	for _, row := range marks {
		if row.kind == kind {
			return row
		}
	}
	return marks[len(marks)-1]
}
