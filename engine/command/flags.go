package command

// Flag is a bit set of what a row permits or demands.
type Flag uint32

// The flags, in the order in which COMMAND INFO lists them. The ones after
// AllowBusy are not shown to clients.
const (
	Write Flag = 1 << iota
	ReadOnly
	DenyOOM
	Module
	Admin
	PubSub
	NoScript
	Blocking
	Loading
	Stale
	SkipMonitor
	SkipSlowlog
	Asking
	Fast
	NoAuth
	MayReplicate
	NoMandatoryKeys
	NoAsyncLoading
	NoMulti
	MovableKeys
	AllowBusy
	Sentinel
	Protected // the option enable-debug-command says who may use it
	TouchesArbitraryKeys
	Quick     // takes about the same short time whatever its arguments are
	InMulti   // runs at once although the client has a transaction, which queues others
	EndsMulti // ends that transaction
)

// flagNames has the name of every flag that clients are shown at its bit's
// position.
var flagNames = [...]string{
	"write", "readonly", "denyoom", "module", "admin", "pubsub", "noscript",
	"blocking", "loading", "stale", "skip_monitor", "skip_slowlog", "asking",
	"fast", "no_auth", "may_replicate", "no_mandatory_keys",
	"no_async_loading", "no_multi", "movablekeys", "allow_busy",
}

// Category is a bit set of the ACL categories a row belongs to.
type Category uint32

// The categories, in the order in which ACL CAT and COMMAND INFO list them.
const (
	AtKeyspace Category = 1 << iota
	AtRead
	AtWrite
	AtSet
	AtSortedSet
	AtList
	AtHash
	AtString
	AtBitmap
	AtHyperLogLog
	AtGeo
	AtStream
	AtPubSub
	AtAdmin
	AtFast
	AtSlow
	AtBlocking
	AtDangerous
	AtConnection
	AtTransaction
	AtScripting
)

// CategoryNames has the name of every category at its bit's position.
var CategoryNames = [...]string{
	"keyspace", "read", "write", "set", "sortedset", "list", "hash", "string",
	"bitmap", "hyperloglog", "geo", "stream", "pubsub", "admin", "fast",
	"slow", "blocking", "dangerous", "connection", "transaction", "scripting",
}

// CategoryOf returns the category with that lower-case name, 0 if none.
func CategoryOf(name string) Category {
	for bit, known := range CategoryNames {
		if known == name {
			return 1 << bit
		}
	}
	return 0
}

// implied has, for each flag, the categories that follow from it.
var implied = []struct {
	flag Flag
	in   Category
}{
	{Write, AtWrite},
	{ReadOnly, AtRead},
	{Admin, AtAdmin | AtDangerous},
	{PubSub, AtPubSub},
	{Fast, AtFast},
	{Blocking, AtBlocking},
}

// categories adds to the explicit categories of a row those its flags imply.
func categories(explicit Category, flags Flag) Category {
	all := explicit
	for _, rule := range implied {
		if flags&rule.flag != 0 {
			all |= rule.in
		}
	}
	if flags&Fast == 0 {
		all |= AtSlow
	}
	if explicit&AtScripting != 0 && explicit&AtRead == 0 {
		all &^= AtRead
	}
	return all
}
