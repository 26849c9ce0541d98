package differ

// group is a family of forms that are drawn together in one stream.
type group struct {
	name  string
	conns int
	forms []form
	// flashes: keys expire within the stream, at its pauses
	flashes bool
}

// form is a compiled form.
type form struct {
	text  string
	fixed bool // never mutated: a changed argument could block or bloat a server
	make  maker
}

// vary compiles forms that may be mutated.
func vary(texts ...string) []form { return compileAll(false, texts) }

// fixed compiles forms that are sent as drawn.
func fixed(texts ...string) []form { return compileAll(true, texts) }

func compileAll(fixed bool, texts []string) []form {
	forms := make([]form, len(texts))
	for i, text := range texts {
		forms[i] = form{text: text, fixed: fixed, make: compile(text)}
	}
	return forms
}

func together(lists ...[]form) []form {
	var all []form
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// groups are all streams.
var groups = []group{
	{name: "strings", conns: 1, forms: stringForms},
	{name: "numerics", conns: 1, forms: numericForms},
	{name: "expiry", conns: 1, forms: expiryForms},
	{name: "generic", conns: 1, forms: genericForms},
	{name: "transactions", conns: 2, forms: transactionForms},
	{name: "connection", conns: 2, forms: connectionForms},
	{name: "server", conns: 1, forms: serverForms},
	{name: "large", conns: 1, forms: largeForms},
	{name: "flashes", conns: 1, forms: flashForms, flashes: true},
}

var stringForms = vary(
	"append $key $val",
	"get $key",
	"getdel $key",
	"getex $key ?(ex $sec|px $ms|exat $at|pxat $atms|persist)",
	"getrange $key $index $index",
	"getset $key $val",
	"lcs $key $key ?(len|idx|idx withmatchlen|idx minmatchlen $index|idx minmatchlen $small withmatchlen)",
	"mget $key+",
	"mset ($key $val)+",
	"msetnx ($key $val)+",
	"psetex $key $ms $val",
	"set $key $val ?(nx|xx) ?get ?(ex $sec|px $ms|exat $at|pxat $atms|keepttl)",
	"set $key $val",
	"setex $key $sec $val",
	"setnx $key $val",
	"setrange $key $off $val",
	"strlen $key",
	"substr $key $index $index",
	"del $key+",
	"exists $key+",
	"type $key",
	"object encoding $key",
)

var numericForms = vary(
	"decr $key",
	"decrby $key $delta",
	"incr $key",
	"incrby $key $delta",
	"incrbyfloat $key $num",
	"incrbyfloat $key $delta",
	"set $key $int",
	"set $key $num",
	"get $key",
	"mset ($key $int)+",
	"object encoding $key",
	"append $key $small",
	"setrange $key $small $small",
	"getset $key $int",
	"del $key",
	"strlen $key",
)

var expiryForms = vary(
	"expire $key $sec ?(nx|xx|gt|lt)",
	"expire $key $past ?(nx|xx|gt|lt)",
	"pexpire $key $ms ?(nx|xx|gt|lt)",
	"expireat $key ($fixed|$at|$past) ?(nx|xx|gt|lt) ?(nx|xx|gt|lt)",
	"pexpireat $key ($atms|$past) ?(nx|xx|gt|lt)",
	"ttl $key",
	"pttl $key",
	"expiretime $key",
	"pexpiretime $key",
	"persist $key",
	"set $key $val ?get ?(ex $sec|px $ms|exat $at|pxat $atms|keepttl)",
	"set $key $val",
	"setex $key $sec $val",
	"psetex $key $ms $val",
	"getex $key ?(ex $sec|px $ms|exat ($fixed|$past)|pxat $atms|persist)",
	"getset $key $val",
	"mset ($key $val)+",
	"incr $key",
	"append $key $val",
	"setrange $key $off $val",
	"rename $key $key",
	"renamenx $key $key",
	"copy $key $key ?replace",
	"get $key",
	"exists $key+",
)

var genericForms = together(vary(
	"copy $key $key ?(db $db) ?replace",
	"del $key+",
	"exists $key+",
	"keys $pat",
	"move $key $db",
	"object encoding $key",
	"object freq $key",
	"object idletime $key",
	"object refcount $key",
	"object help",
	"object (nosuch|encoding) ?$key",
	"persist $key",
	"randomkey",
	"rename $key $key",
	"renamenx $key $key",
	"touch $key+",
	"type $key",
	"unlink $key+",
	"dbsize",
	"select $db",
	"swapdb $db $db",
	"set $key $val ?(nx|xx) ?(ex $sec|px $ms|keepttl)",
	"mset ($key $val)+",
	"memory usage $key ?(samples $small)",
	"pexpiretime $key",
	"set $key $int",
	"set $key $small",
	"append $key $val",
	"incrby $key $delta",
), fixed(
	"flushdb ?(async|sync|nosuch)",
	"flushall ?(async|sync|nosuch)",
	"scan ($weird|x|-5) nosuch",
	"scan 0 count (0|-1|x)",
	sweepWord+" ?(match $pat) ?(count ($small|100)) ?(type (string|list|STRING|nosuch))",
	sweepWord+" count 3",
))

// sweepWord stands for a whole SCAN from cursor 0 back to 0: cursors are no two
// servers' same, what they sweep up is.
const sweepWord = "@scan"

var transactionForms = together(vary(
	"multi",
	"multi",
	"exec",
	"exec",
	"discard",
	"watch $key+",
	"watch $key",
	"unwatch",
	"set $key $val",
	"set $key $val ?(nx|xx) ?get",
	"get $key",
	"mget $key+",
	"incr $key",
	"incrby $key $delta",
	"append $key $small",
	"del $key+",
	"rename $key $key",
	"expire $key ($sec|$past)",
	"pttl $key",
	"getex $key ?persist",
	"swapdb $near $near",
	"move $key $near",
	"copy $key $key ?(db $near) ?replace",
	"select $near",
	"nosuch $key",
	"keys $pat",
	"dbsize",
	"msetnx ($key $val)+",
	"ping",
	"object encoding $key",
	"touch $key+",
), fixed(
	"(flushdb|flushall)",
	"reset",
	"hello ?(2|3)",
))
