package command

var genericRows = []Row{
	{
		Name: "copy", Arity: -3, Flags: Write | DenyOOM, ACL: AtKeyspace,
		Keys: twoKeys(RO|Access, OW|Update), Scope: ByKeys, Do: copyKey,
		Doc: Doc{Summary: "Copies a key's value to another key", Since: "6.2.0", Complexity: "O(N) with N the elements of the value, O(1) for strings", Args: args(
			keyArg("source", 0),
			keyArg("destination", 1),
			opt(word("DB", integer("destination-db"))),
			opt(token("REPLACE")),
		)},
	},
	{
		Name: "del", Arity: -2, Flags: Write, ACL: AtKeyspace,
		Keys: at(1, -1, 1, RM|Delete), Scope: ByKeys, Do: del, Tips: tips("request_policy:multi_shard", "response_policy:agg_sum"),
		Doc: Doc{Summary: "Removes keys", Since: "1.0.0", Complexity: "O(N) with N the keys, and O(M) for each value of M elements", Args: args(many(aKey))},
	},
	{
		Name: "exists", Arity: -2, Flags: ReadOnly | Fast, ACL: AtKeyspace,
		Keys: at(1, -1, 1, RO), Scope: ByKeys, Do: exists, Tips: tips("request_policy:multi_shard", "response_policy:agg_sum"),
		Doc: Doc{Summary: "Counts how many of the given keys exist", Since: "1.0.0", Complexity: "O(N) with N the keys", Args: args(many(aKey))},
	},
	{
		Name: "expire", Arity: -3, Flags: Write | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RW|Update), Scope: ByKey, Do: expire,
		Doc: Doc{Summary: "Lets a key expire after some seconds", Since: "1.0.0", Complexity: "O(1)", Args: args(
			aKey,
			integer("seconds"),
			opt(since("7.0.0", oneOf("condition", token("NX"), token("XX"), token("GT"), token("LT")))),
		)},
	},
	{
		Name: "expireat", Arity: -3, Flags: Write | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RW|Update), Scope: ByKey, Do: expireat,
		Doc: Doc{Summary: "Lets a key expire at a Unix time in seconds", Since: "1.2.0", Complexity: "O(1)", Args: args(
			aKey,
			unixTime("unix-time-seconds"),
			opt(since("7.0.0", oneOf("condition", token("NX"), token("XX"), token("GT"), token("LT")))),
		)},
	},
	{
		Name: "expiretime", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RO|Access), Scope: ByKey, Do: expiretime,
		Doc: Doc{Summary: "Tells the Unix time in seconds at which a key expires", Since: "7.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "keys", Arity: 2, Flags: ReadOnly, ACL: AtKeyspace | AtDangerous,
		Scope: AllShards, Do: keys, Tips: tips("request_policy:all_shards", "nondeterministic_output_order"),
		Doc: Doc{Summary: "Lists the keys that match a pattern", Since: "1.0.0", Complexity: "O(N) with N the keys of the database", Args: args(pattern("pattern"))},
	},
	{
		Name: "move", Arity: 3, Flags: Write | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RW|Access|Update), Scope: ByKey, Do: move,
		Doc: Doc{Summary: "Moves a key to another database", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey, integer("db"))},
	},
	{
		Name: "object", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about how values are stored", Since: "2.2.3", Complexity: "That of the subcommand"},
	},
	{
		Name: "object|encoding", Arity: 3, Flags: ReadOnly | Quick, ACL: AtKeyspace,
		Keys: key(2, RO), Scope: ByKey, Do: objectEncoding, Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Tells how a value is stored", Since: "2.2.3", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "object|freq", Arity: 3, Flags: ReadOnly | Quick, ACL: AtKeyspace,
		Keys: key(2, RO), Scope: ByKey, Do: objectFreq, Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Tells the access frequency counter of a key", Since: "4.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "object|help", Arity: 2, Flags: Loading | Stale, ACL: AtKeyspace,
		Do:  objectHelp,
		Doc: Doc{Summary: "Lists the subcommands of OBJECT", Since: "6.2.0", Complexity: "O(1)"},
	},
	{
		Name: "object|idletime", Arity: 3, Flags: ReadOnly | Quick, ACL: AtKeyspace,
		Keys: key(2, RO), Scope: ByKey, Do: objectIdleTime, Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Tells the seconds since a key was last used", Since: "2.2.3", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "object|refcount", Arity: 3, Flags: ReadOnly | Quick, ACL: AtKeyspace,
		Keys: key(2, RO), Scope: ByKey, Do: objectRefCount, Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Tells how often a value is referenced", Since: "2.2.3", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "persist", Arity: 2, Flags: Write | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RW|Update), Scope: ByKey, Do: persist,
		Doc: Doc{Summary: "Keeps a key from expiring", Since: "2.2.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "pexpire", Arity: -3, Flags: Write | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RW|Update), Scope: ByKey, Do: pexpire,
		Doc: Doc{Summary: "Lets a key expire after some milliseconds", Since: "2.6.0", Complexity: "O(1)", Args: args(
			aKey,
			integer("milliseconds"),
			opt(since("7.0.0", oneOf("condition", token("NX"), token("XX"), token("GT"), token("LT")))),
		)},
	},
	{
		Name: "pexpireat", Arity: -3, Flags: Write | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RW|Update), Scope: ByKey, Do: pexpireat,
		Doc: Doc{Summary: "Lets a key expire at a Unix time in milliseconds", Since: "2.6.0", Complexity: "O(1)", Args: args(
			aKey,
			unixTime("unix-time-milliseconds"),
			opt(since("7.0.0", oneOf("condition", token("NX"), token("XX"), token("GT"), token("LT")))),
		)},
	},
	{
		Name: "pexpiretime", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RO|Access), Scope: ByKey, Do: pexpiretime,
		Doc: Doc{Summary: "Tells the Unix time in milliseconds at which a key expires", Since: "7.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "pttl", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RO|Access), Scope: ByKey, Do: pttl, Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Tells the milliseconds until a key expires", Since: "2.6.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "randomkey", Arity: 1, Flags: ReadOnly | TouchesArbitraryKeys, ACL: AtKeyspace,
		Scope: AllShards, Do: randomkey, Tips: tips("request_policy:all_shards", "response_policy:special", "nondeterministic_output"),
		Doc: Doc{Summary: "Replies with a key chosen by chance", Since: "1.0.0", Complexity: "O(1)"},
	},
	{
		Name: "rename", Arity: 3, Flags: Write, ACL: AtKeyspace,
		Keys: twoKeys(RW|Access|Delete, OW|Update), Scope: ByKeys, Do: rename,
		Doc: Doc{Summary: "Gives a key another name, replacing what is there", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey, keyArg("newkey", 1))},
	},
	{
		Name: "renamenx", Arity: 3, Flags: Write | Fast, ACL: AtKeyspace,
		Keys: twoKeys(RW|Access|Delete, OW|Insert), Scope: ByKeys, Do: renamenx,
		Doc: Doc{Summary: "Gives a key another name unless that is taken", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey, keyArg("newkey", 1))},
	},
	{
		Name: "scan", Arity: -2, Flags: ReadOnly | TouchesArbitraryKeys, ACL: AtKeyspace,
		Scope: ByCursor, Do: scan, Tips: tips("nondeterministic_output", "request_policy:special", "response_policy:special"),
		Doc: Doc{Summary: "Walks over the keys a few at a time", Since: "2.8.0", Complexity: "O(1) a call, O(N) for a whole walk over N keys", Args: args(
			integer("cursor"),
			opt(word("MATCH", pattern("pattern"))),
			opt(word("COUNT", integer("count"))),
			opt(since("6.0.0", word("TYPE", str("type")))),
		)},
	},
	{
		Name: "touch", Arity: -2, Flags: ReadOnly | Fast, ACL: AtKeyspace,
		Keys: at(1, -1, 1, RO), Scope: ByKeys, Do: touch, Tips: tips("request_policy:multi_shard", "response_policy:agg_sum"),
		Doc: Doc{Summary: "Refreshes the access clocks of keys and counts those that exist", Since: "3.2.1", Complexity: "O(N) with N the keys", Args: args(many(aKey))},
	},
	{
		Name: "ttl", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RO|Access), Scope: ByKey, Do: ttl, Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Tells the seconds until a key expires", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "type", Arity: 2, Flags: ReadOnly | Fast | Quick, ACL: AtKeyspace,
		Keys: key(1, RO), Scope: ByKey, Do: typeOf,
		Doc: Doc{Summary: "Tells the type of the value at a key", Since: "1.0.0", Complexity: "O(1)", Args: args(aKey)},
	},
	{
		Name: "unlink", Arity: -2, Flags: Write | Fast, ACL: AtKeyspace,
		Keys: at(1, -1, 1, RM|Delete), Scope: ByKeys, Do: del, Tips: tips("request_policy:multi_shard", "response_policy:agg_sum"),
		Doc: Doc{Summary: "Removes keys, as DEL does: memory of large values is given back in steps", Since: "4.0.0", Complexity: "O(N) with N the keys", Args: args(many(aKey))},
	},
}
