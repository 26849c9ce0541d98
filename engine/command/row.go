package command

// Scope says which shards a command needs.
type Scope uint8

// The scopes.
const (
	// BySession: no keyspace at all.
	BySession Scope = iota
	// ByKey: the shard of the one key at Row.First.
	ByKey
	// ByKeys: the shards of all keys: one shard if they agree, else a barrier. A
	// function in netio runs while they stand still.
	ByKeys
	// ByCursor: the shard that the cursor at argument 1 points into.
	ByCursor
	// AllShards: a barrier over all shards; Do runs once and sees them all.
	AllShards
)

// Row is everything there is to know about one command or subcommand.
type Row struct {
	Name  string // lower case; "client|kill" for a subcommand
	Arity int    // exact number of arguments, name included; -n: at least n
	Flags Flag
	ACL   Category  // the categories that do not follow from Flags
	Keys  []KeySpec // where the keys are
	Scope Scope
	Do    func(*Call) error // nil when the function lives in netio
	// Many is Do for neighbours in their usual case; see Call.RunMany. It may be
	// nil.
	Many manyFunc
	// Variable works out the flags of a key whose spec has VariableFlags.
	Variable func(Args) KeyFlag
	Tips     []string
	Doc      Doc

	// The rest is worked out when the table is gathered.

	Group      string
	ID         uint16   // position in Table
	First      uint16   // argument of the first key when it never moves, else 0
	Parent     uint16   // ID of the command this is a subcommand of, else its own
	Subs       uint16   // number of subcommands, which follow in Table
	Categories Category // ACL and what Flags imply
}

// manyFunc runs those of the leading operations that have the row of the first
// and are its usual case, and tells how many. It ends when the replies are
// longer than limit.
type manyFunc func(c *Call, ops []Op, limit int) int

// Doc is what COMMAND DOCS tells.
type Doc struct {
	Summary, Since, Complexity  string
	DeprecatedSince, ReplacedBy string // empty unless deprecated
	System                      bool   // not meant for applications
	Args                        []Arg
}

// Arg documents an argument.
type Arg struct {
	Name  string
	Kind  ArgKind
	Token string // the literal word in front, or the whole of a pure token
	Since string
	// DeprecatedSince is empty unless the argument is deprecated.
	DeprecatedSince string

	Flags ArgFlag
	Key   int   // for KindKey: which of the row's key specs finds it
	Args  []Arg // of a oneof or a block
}

// ArgKind is the type of an argument.
type ArgKind uint8

// The types of arguments.
const (
	KindString ArgKind = iota
	KindInteger
	KindDouble
	KindKey
	KindPattern
	KindUnixTime
	KindPureToken
	KindOneOf
	KindBlock
)

// argKindNames has the name of every ArgKind.
var argKindNames = [...]string{
	"string", "integer", "double", "key", "pattern", "unix-time",
	"pure-token", "oneof", "block",
}

// ArgFlag says how often an argument may occur.
type ArgFlag uint8

// The flags of arguments.
const (
	Optional ArgFlag = 1 << iota
	Multiple
)

// argFlagNames has the name of every ArgFlag at its bit's position.
var argFlagNames = [...]string{"optional", "multiple"}

// ArityFits reports whether a request of argc arguments, name included, is
// neither too short nor too long.
func (r *Row) ArityFits(argc int) bool {
	return argc == r.Arity || argc >= -r.Arity && r.Arity < 0
}

// Sub returns the subcommand of that name, in any case; nil if there is none.
func (r *Row) Sub(name []byte) *Row {
	if r.Subs == 0 {
		return nil
	}
	return index.find(name, r.ID+1)
}

// Children returns the rows of the subcommands.
func (r *Row) Children() []Row {
	first := int(r.ID) + 1
	return Table[first : first+int(r.Subs)]
}

// IsSub reports whether the row is a subcommand.
func (r *Row) IsSub() bool { return r.Parent != r.ID }
