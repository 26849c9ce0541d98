package command

var stringRows = []Row{
	{
		Name: "append", Arity: 3, Flags: Write | DenyOOM | Fast, ACL: AtString,
		Keys: key(1, RW|Insert), Scope: ByKey, Do: appendTo,
		Doc: Doc{Summary: "Adds bytes to the end of a string, creating it when absent", Since: "2.0.0", Complexity: "O(1) amortized for small additions", Args: args(aKey, str("value"))},
	},
	{
		Name: "decr", Arity: 2, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: decr,
		Doc: Doc{Summary: "Subtracts one from an integer, starting at 0 when absent", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "decrby", Arity: 3, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: decrby,
		Doc: Doc{Summary: "Subtracts a number from an integer, starting at 0 when absent", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey, integer("decrement"))},
	},
	{
		Name: "delex", Arity: -2, Flags: Write | Fast, ACL: AtString,
		Keys: key(1, RW|Delete|VariableFlags), Scope: ByKey, Variable: delexKeyFlags, Do: delex,
		Doc: Doc{Summary: "Removes a key if its value meets a condition", Since: "8.4.0", Complexity: "O(N) with N the bytes compared or hashed, O(1) without a condition", Args: args(
			aKey,
			opt(oneOf("condition", word("IFEQ", str("ifeq-value")), word("IFNE", str("ifne-value")), word("IFDEQ", str("ifdeq-digest")), word("IFDNE", str("ifdne-digest")))),
		)},
	},
	{
		Name: "delifeq", Arity: 3, Flags: Write | Fast, ACL: AtString,
		Keys: key(1, RW|Access|Delete), Scope: ByKey, Do: delifeq,
		Doc: Doc{Summary: "Removes a key if it holds the given string", Since: "9.0.0", Complexity: "O(N) with N the bytes compared", Args: args(aKey, str("value"))},
	},
	{
		Name: "digest", Arity: 2, Flags: ReadOnly | Fast, ACL: AtString,
		Keys: key(1, RO|Access), Scope: ByKey, Do: digest,
		Doc: Doc{Summary: "Tells the XXH3 hash of a string in hexadecimal", Since: "8.4.0", Complexity: "O(N) with N the bytes of the string", Args: args(aKey)},
	},
	{
		Name: "get", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtString,
		Keys: key(1, RO|Access), Scope: ByKey, Do: get, Many: getMany,
		Doc: Doc{Summary: "Replies with the string at a key", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "getdel", Arity: 2, Flags: Write | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Delete), Scope: ByKey, Do: getdel,
		Doc: Doc{Summary: "Replies with the string at a key and removes the key", Since: "6.2.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "getex", Arity: -2, Flags: Write | Fast | Quick, ACL: AtString,
		Keys: noted("It writes because the time to live may change", key(1, RW|Access|Update)), Scope: ByKey, Do: getex,
		Doc: Doc{Summary: "Replies with the string at a key and may change when it expires", Since: "6.2.0", Complexity: "O(1)", Args: args(
			aKey,
			opt(oneOf("expiration", word("EX", integer("seconds")), word("PX", integer("milliseconds")), word("EXAT", unixTime("unix-time-seconds")), word("PXAT", unixTime("unix-time-milliseconds")), token("PERSIST"))),
		)},
	},
	{
		Name: "getrange", Arity: 4, Flags: ReadOnly, ACL: AtString,
		Keys: key(1, RO|Access), Scope: ByKey, Do: getrange,
		Doc: Doc{Summary: "Replies with a part of a string", Since: "2.4.0", Complexity: "O(N) with N the bytes of the reply", Args: args(aKey, integer("start"), integer("end"))},
	},
	{
		Name: "getset", Arity: 3, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: getset,
		Doc: Doc{Summary: "Sets a string and replies with the one before it", Since: "1.0.0", Complexity: "O(1)", DeprecatedSince: "6.2.0", ReplacedBy: "SET with GET", Args: args(aKey, str("value"))},
	},
	{
		Name: "incr", Arity: 2, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: incr,
		Doc: Doc{Summary: "Adds one to an integer, starting at 0 when absent", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "incrby", Arity: 3, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: incrby,
		Doc: Doc{Summary: "Adds a number to an integer, starting at 0 when absent", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey, integer("increment"))},
	},
	{
		Name: "incrbyfloat", Arity: 3, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: incrbyfloat,
		Doc: Doc{Summary: "Adds a decimal number to a number, starting at 0 when absent", Since: "2.6.0", Complexity: "O(1)", Args: args(aKey, double("increment"))},
	},
	{
		Name: "lcs", Arity: -3, Flags: ReadOnly, ACL: AtString,
		Keys: at(1, 1, 1, RO|Access), Scope: ByKeys, Do: lcs,
		Doc: Doc{Summary: "Finds the longest common subsequence of two strings", Since: "7.0.0", Complexity: "O(N*M) with N and M the lengths of the strings", Args: args(
			keyArg("key1", 0),
			keyArg("key2", 0),
			opt(token("LEN")),
			opt(token("IDX")),
			opt(word("MINMATCHLEN", integer("len"))),
			opt(token("WITHMATCHLEN")),
		)},
	},
	{
		Name: "mget", Arity: -2, Flags: ReadOnly | Fast, ACL: AtString,
		Keys: at(1, -1, 1, RO|Access), Scope: ByKeys, Do: mget, Tips: tips("request_policy:multi_shard"),
		Doc: Doc{Summary: "Replies with the strings at several keys", Since: "1.0.0", Complexity: "O(N) with N the keys", Args: args(many(aKey))},
	},
	{
		Name: "mset", Arity: -3, Flags: Write | DenyOOM, ACL: AtString,
		Keys: at(1, -1, 2, OW|Update), Scope: ByKeys, Do: mset, Tips: tips("request_policy:multi_shard", "response_policy:all_succeeded"),
		Doc: Doc{Summary: "Sets several strings at once", Since: "1.0.1", Complexity: "O(N) with N the keys", Args: args(many(block("key_value", aKey, str("value"))))},
	},
	{
		Name: "msetex", Arity: -4, Flags: Write | DenyOOM | MovableKeys, ACL: AtString,
		Keys: counted(1, 2, OW|Update), Scope: ByKeys, Do: msetex, Tips: tips("request_policy:multi_shard", "response_policy:all_succeeded"),
		Doc: Doc{Summary: "Sets several strings at once, all with one expiry and condition", Since: "8.4.0", Complexity: "O(N) with N the keys", Args: args(
			integer("numkeys"),
			many(block("data", aKey, str("value"))),
			opt(oneOf("condition", token("NX"), token("XX"))),
			opt(oneOf("expiration", word("EX", integer("seconds")), word("PX", integer("milliseconds")), word("EXAT", unixTime("unix-time-seconds")), word("PXAT", unixTime("unix-time-milliseconds")), token("KEEPTTL"))),
		)},
	},
	{
		Name: "msetnx", Arity: -3, Flags: Write | DenyOOM, ACL: AtString,
		Keys: at(1, -1, 2, OW|Insert), Scope: ByKeys, Do: msetnx,
		Doc: Doc{Summary: "Sets several strings at once, provided that none of the keys exists", Since: "1.0.1", Complexity: "O(N) with N the keys", Args: args(many(block("key_value", aKey, str("value"))))},
	},
	{
		Name: "psetex", Arity: 4, Flags: Write | DenyOOM | Quick, ACL: AtString,
		Keys: key(1, OW|Update), Scope: ByKey, Do: psetex,
		Doc: Doc{Summary: "Sets a string that expires after some milliseconds", Since: "2.6.0", Complexity: "O(1)", DeprecatedSince: "2.6.12", ReplacedBy: "SET with PX", Args: args(aKey, integer("milliseconds"), str("value"))},
	},
	{
		Name: "set", Arity: -3, Flags: Write | DenyOOM | Quick, ACL: AtString,
		Keys: noted("It reads because GET may be given", key(1, RW|Access|Update|VariableFlags)), Scope: ByKey, Variable: setKeyFlags, Do: set, Many: setMany,
		Doc: Doc{Summary: "Sets a string, under conditions and with an expiry if wanted", Since: "1.0.0", Complexity: "O(1)", Args: args(
			aKey, str("value"),
			opt(since("2.6.12", oneOf("condition", token("NX"), token("XX"),
				since("8.4.0", word("IFEQ", str("ifeq-value"))), since("8.4.0", word("IFNE", str("ifne-value"))),
				since("8.4.0", word("IFDEQ", str("ifdeq-digest"))), since("8.4.0", word("IFDNE", str("ifdne-digest")))))),
			opt(since("6.2.0", token("GET"))),
			opt(oneOf("expiration", since("2.6.12", word("EX", integer("seconds"))), since("2.6.12", word("PX", integer("milliseconds"))),
				since("6.2.0", word("EXAT", unixTime("unix-time-seconds"))), since("6.2.0", word("PXAT", unixTime("unix-time-milliseconds"))),
				since("6.0.0", token("KEEPTTL")))),
		)},
	},
	{
		Name: "setex", Arity: 4, Flags: Write | DenyOOM | Quick, ACL: AtString,
		Keys: key(1, OW|Update), Scope: ByKey, Do: setex,
		Doc: Doc{Summary: "Sets a string that expires after some seconds", Since: "2.0.0", Complexity: "O(1)", DeprecatedSince: "2.6.12", ReplacedBy: "SET with EX", Args: args(aKey, integer("seconds"), str("value"))},
	},
	{
		Name: "setnx", Arity: 3, Flags: Write | DenyOOM | Fast | Quick, ACL: AtString,
		Keys: key(1, OW|Insert), Scope: ByKey, Do: setnx,
		Doc: Doc{Summary: "Sets a string unless the key exists", Since: "1.0.0", Complexity: "O(1)", DeprecatedSince: "2.6.12", ReplacedBy: "SET with NX", Args: args(aKey, str("value"))},
	},
	{
		Name: "setrange", Arity: 4, Flags: Write | DenyOOM, ACL: AtString,
		Keys: key(1, RW|Update), Scope: ByKey, Do: setrange,
		Doc: Doc{Summary: "Overwrites a part of a string, growing it when needed", Since: "2.2.0", Complexity: "O(N) with N the bytes written, or the length when it grows", Args: args(aKey, integer("offset"), str("value"))},
	},
	{
		Name: "strlen", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtString,
		Keys: key(1, RO), Scope: ByKey, Do: strlen,
		Doc: Doc{Summary: "Tells the length of a string", Since: "2.2.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "substr", Arity: 4, Flags: ReadOnly, ACL: AtString,
		Keys: key(1, RO|Access), Scope: ByKey, Do: getrange,
		Doc: Doc{Summary: "Replies with a part of a string", Since: "1.0.0", Complexity: "O(N) with N the bytes of the reply", DeprecatedSince: "2.0.0", ReplacedBy: "GETRANGE", Args: args(aKey, integer("start"), integer("end"))},
	},
}
