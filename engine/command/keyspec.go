package command

// KeyFlag says what a command does with the keys that a KeySpec finds.
type KeyFlag uint16

// The flags of key specs, in the order in which COMMAND INFO lists them. The
// first four speak of the key's metadata and value as a whole, the next four
// of the user's data in it.
const (
	RO KeyFlag = 1 << iota
	RW
	OW
	RM
	Access
	Update
	Insert
	Delete
	NotKey
	Incomplete
	VariableFlags
)

// keyFlagNames has the name of every key flag at its bit's position.
var keyFlagNames = [...]string{
	"RO", "RW", "OW", "RM", "access", "update", "insert", "delete", "not_key",
	"incomplete", "variable_flags",
}

// Changes reports whether keys with these flags may be written.
func (f KeyFlag) Changes() bool { return f&(RW|OW|RM) != 0 }

// KeySpec finds a group of keys among the arguments of a command: first
// where to begin, then which arguments from there on. (Redis documentation,
// "Command key specifications".)
type KeySpec struct {
	Flags KeyFlag
	Begin Begin
	Find  Find
	Notes string
}

// BeginKind tells how a KeySpec finds its first argument.
type BeginKind uint8

// The ways to begin.
const (
	BeginUnknown BeginKind = iota
	BeginIndex             // at argument Index
	BeginKeyword           // after the argument Keyword, searched from argument From on
)

// Begin is where a KeySpec starts. From < 0 searches from the end backwards.
type Begin struct {
	Kind    BeginKind
	Index   int
	Keyword string
	From    int
}

// FindKind tells how a KeySpec goes on from its first argument.
type FindKind uint8

// The ways to go on.
const (
	FindUnknown FindKind = iota
	FindRange            // Step apart until Last, Last counting from the first key
	FindKeyNum           // as many as argument NumAt says, Step apart, from First on
)

// Find is which arguments a KeySpec takes. In a range, Last < 0 counts from
// the end of the arguments, and Limit > 1 with Last -1 takes only 1/Limit of
// what is left. NumAt and First count from the beginning of the spec.
type Find struct {
	Kind              FindKind
	Last, Step, Limit int
	NumAt, First      int
}

// at is the spec of the keys at argument first, first+step, ..., first+last.
func at(first, last, step int, flags KeyFlag) []KeySpec {
	return []KeySpec{span(first, last, step, flags)}
}

// key is the spec of the single key at argument i.
func key(i int, flags KeyFlag) []KeySpec { return at(i, 0, 1, flags) }

// twoKeys is the specs of one key at argument 1 and one at argument 2.
func twoKeys(first, second KeyFlag) []KeySpec {
	return []KeySpec{span(1, 0, 1, first), span(2, 0, 1, second)}
}

// counted is the spec of keys whose number stands at argument i and that
// follow it, step apart.
func counted(i, step int, flags KeyFlag) []KeySpec {
	return []KeySpec{{
		Flags: flags,
		Begin: Begin{Kind: BeginIndex, Index: i},
		Find:  Find{Kind: FindKeyNum, First: 1, Step: step},
	}}
}

func span(first, last, step int, flags KeyFlag) KeySpec {
	return KeySpec{
		Flags: flags,
		Begin: Begin{Kind: BeginIndex, Index: first},
		Find:  Find{Kind: FindRange, Last: last, Step: step},
	}
}

// fixedFirst returns the index of the first key if it is the same in every
// request of a command with these specs, else 0.
func fixedFirst(specs []KeySpec) int {
	for i := range specs {
		spec := &specs[i]
		if spec.Flags&NotKey != 0 || spec.Begin.Kind != BeginIndex {
			continue
		}
		if spec.Find.Kind == FindKeyNum {
			return spec.Begin.Index + spec.Find.First
		}
		return spec.Begin.Index
	}
	return 0
}

// noted adds a remark to the first of some key specs.
func noted(text string, specs []KeySpec) []KeySpec {
	specs[0].Notes = text
	return specs
}
