package command

var serverRows = []Row{
	{
		Name: "acl", Arity: -2, Flags: Sentinel,
		Doc: Doc{Summary: "Groups the subcommands about access control", Since: "6.0.0", Complexity: "That of the subcommand"},
	},
	{
		Name: "acl|whoami", Arity: 2, Flags: NoScript | Loading | Stale | Sentinel,
		Doc: Doc{Summary: "Tells the name of the user this connection is logged in as", Since: "6.0.0", Complexity: "O(1)"},
	},
	{
		Name: "command", Arity: -1, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("nondeterministic_output_order"),
		Doc:  Doc{Summary: "Describes all commands", Since: "2.8.13", Complexity: "O(N) with N the commands"},
	},
	{
		Name: "command|count", Arity: 2, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Counts the commands", Since: "2.8.13", Complexity: "O(1)"},
	},
	{
		Name: "command|docs", Arity: -2, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("nondeterministic_output_order"),
		Doc:  Doc{Summary: "Documents commands", Since: "7.0.0", Complexity: "O(N) with N the commands asked for", Args: args(opt(many(str("command-name"))))},
	},
	{
		Name: "command|getkeys", Arity: -3, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Picks the keys out of a full command", Since: "2.8.13", Complexity: "O(N) with N the arguments"},
	},
	{
		Name: "command|getkeysandflags", Arity: -3, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Picks the keys out of a full command and says what it does with them", Since: "7.0.0", Complexity: "O(N) with N the arguments"},
	},
	{
		Name: "command|help", Arity: 2, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Lists the subcommands of COMMAND", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "command|info", Arity: -2, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("nondeterministic_output_order"),
		Doc:  Doc{Summary: "Describes the given commands", Since: "2.8.13", Complexity: "O(N) with N the commands asked for", Args: args(opt(many(str("command-name"))))},
	},
	{
		Name: "command|list", Arity: -2, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("nondeterministic_output_order"),
		Doc: Doc{Summary: "Lists the names of commands", Since: "7.0.0", Complexity: "O(N) with N the commands", Args: args(
			opt(word("FILTERBY", oneOf("filterby", word("MODULE", str("module-name")), word("ACLCAT", str("category")), word("PATTERN", pattern("pattern"))))),
		)},
	},
	{
		Name: "config", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about the configuration", Since: "2.0.0", Complexity: "That of the subcommand"},
	},
	{
		Name: "config|get", Arity: -3, Flags: Admin | NoScript | Loading | Stale,
		Doc: Doc{Summary: "Tells the values of the options that match a pattern", Since: "2.0.0", Complexity: "O(N) with N the options matched", Args: args(many(block("parameter", str("parameter"))))},
	},
	{
		Name: "config|help", Arity: 2, Flags: Loading | Stale,
		Doc: Doc{Summary: "Lists the subcommands of CONFIG", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "config|resetstat", Arity: 2, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Sets the statistics back to zero", Since: "2.0.0", Complexity: "O(1)"},
	},
	{
		Name: "config|rewrite", Arity: 2, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Writes the running configuration to its file", Since: "2.8.0", Complexity: "O(1)"},
	},
	{
		Name: "config|set", Arity: -4, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Changes options while the server runs", Since: "2.0.0", Complexity: "O(N) with N the options given", Args: args(many(block("parameter_value", str("parameter"), str("value"))))},
	},
	{
		Name: "dbsize", Arity: 1, Flags: ReadOnly | Fast, ACL: AtKeyspace,
		Scope: AllShards, Do: dbsize, Tips: tips("request_policy:all_shards", "response_policy:agg_sum"),
		Doc: Doc{Summary: "Counts the keys of the current database", Since: "1.0.0", Complexity: "O(1)"},
	},
	{
		Name: "debug", Arity: -2, Flags: Admin | NoScript | Loading | Stale | Protected,
		Doc: Doc{Summary: "Groups the subcommands for those who debug the server", Since: "1.0.0", Complexity: "That of the subcommand", System: true},
	},
	{
		Name: "flushall", Arity: -1, Flags: Write, ACL: AtKeyspace | AtDangerous,
		Scope: AllShards, Do: flushall, Tips: tips("request_policy:all_shards", "response_policy:all_succeeded"),
		Doc: Doc{Summary: "Removes the keys of all databases", Since: "1.0.0", Complexity: "O(1); memory is freed in the background", Args: args(opt(oneOf("async", since("4.0.0", token("ASYNC")), since("6.2.0", token("SYNC")))))},
	},
	{
		Name: "flushdb", Arity: -1, Flags: Write, ACL: AtKeyspace | AtDangerous,
		Scope: AllShards, Do: flushdb, Tips: tips("request_policy:all_shards", "response_policy:all_succeeded"),
		Doc: Doc{Summary: "Removes the keys of the current database", Since: "1.0.0", Complexity: "O(1); memory is freed in the background", Args: args(opt(oneOf("async", since("4.0.0", token("ASYNC")), since("6.2.0", token("SYNC")))))},
	},
	{
		Name: "info", Arity: -1, Flags: Loading | Stale | Sentinel, ACL: AtDangerous,
		Tips: tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special"),
		Doc:  Doc{Summary: "Reports the state and statistics of the server", Since: "1.0.0", Complexity: "O(1)", Args: args(opt(many(str("section"))))},
	},
	{
		Name: "latency", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about latency", Since: "2.8.13", Complexity: "That of the subcommand"},
	},
	{
		Name: "latency|doctor", Arity: 2, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("nondeterministic_output", "request_policy:all_nodes", "response_policy:special"),
		Doc:  Doc{Summary: "Reports in words on the latency seen", Since: "2.8.13", Complexity: "O(1)"},
	},
	{
		Name: "latency|graph", Arity: 3, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("nondeterministic_output", "request_policy:all_nodes", "response_policy:special"),
		Doc:  Doc{Summary: "Draws the latency of an event over time", Since: "2.8.13", Complexity: "O(1)", Args: args(str("event"))},
	},
	{
		Name: "latency|help", Arity: 2, Flags: Loading | Stale,
		Doc: Doc{Summary: "Lists the subcommands of LATENCY", Since: "2.8.13", Complexity: "O(1)"},
	},
	{
		Name: "latency|histogram", Arity: -2, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("nondeterministic_output", "request_policy:all_nodes", "response_policy:special"),
		Doc:  Doc{Summary: "Replies with the distribution of the times that commands took", Since: "7.0.0", Complexity: "O(N) with N the commands reported", Args: args(opt(many(str("command"))))},
	},
	{
		Name: "latency|history", Arity: 3, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("nondeterministic_output", "request_policy:all_nodes", "response_policy:special"),
		Doc:  Doc{Summary: "Lists the latency samples of an event", Since: "2.8.13", Complexity: "O(1)", Args: args(str("event"))},
	},
	{
		Name: "latency|latest", Arity: 2, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("nondeterministic_output", "request_policy:all_nodes", "response_policy:special"),
		Doc:  Doc{Summary: "Lists the latest latency sample of every event", Since: "2.8.13", Complexity: "O(1)"},
	},
	{
		Name: "latency|reset", Arity: -2, Flags: Admin | NoScript | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "response_policy:agg_sum"),
		Doc:  Doc{Summary: "Drops latency samples", Since: "2.8.13", Complexity: "O(1)", Args: args(opt(many(str("event"))))},
	},
	{
		Name: "lolwut", Arity: -1, Flags: ReadOnly | Fast,
		Doc: Doc{Summary: "Shows a small picture and the version", Since: "5.0.0", Complexity: "O(1)", Args: args(opt(word("VERSION", integer("version"))))},
	},
	{
		Name: "memory", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about memory", Since: "4.0.0", Complexity: "That of the subcommand"},
	},
	{
		Name: "memory|doctor", Arity: 2,
		Tips: tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special"),
		Doc:  Doc{Summary: "Reports in words on the use of memory", Since: "4.0.0", Complexity: "O(1)"},
	},
	{
		Name: "memory|help", Arity: 2, Flags: Loading | Stale,
		Doc: Doc{Summary: "Lists the subcommands of MEMORY", Since: "4.0.0", Complexity: "O(1)"},
	},
	{
		Name: "memory|malloc-stats", Arity: 2,
		Tips: tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special"),
		Doc:  Doc{Summary: "Shows the statistics of the allocator", Since: "4.0.0", Complexity: "Depends on how much memory is in use"},
	},
	{
		Name: "memory|purge", Arity: 2,
		Tips: tips("request_policy:all_shards", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Gives free memory back to the system", Since: "4.0.0", Complexity: "Depends on how much memory is in use"},
	},
	{
		Name: "memory|stats", Arity: 2,
		Tips: tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special"),
		Doc:  Doc{Summary: "Reports how memory is used", Since: "4.0.0", Complexity: "O(1)"},
	},
	{
		Name: "memory|usage", Arity: -3, Flags: ReadOnly | Quick,
		Keys: key(2, RO), Scope: ByKey, Do: memoryUsage,
		Doc: Doc{Summary: "Estimates the bytes that a key takes", Since: "4.0.0", Complexity: "O(1)", Args: args(aKey, opt(word("SAMPLES", integer("count"))))},
	},
	{
		Name: "module", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about modules", Since: "4.0.0", Complexity: "That of the subcommand"},
	},
	{
		Name: "module|help", Arity: 2, Flags: Loading | Stale,
		Doc: Doc{Summary: "Lists the subcommands of MODULE", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "module|list", Arity: 2, Flags: Admin | NoScript,
		Tips: tips("nondeterministic_output_order"),
		Doc:  Doc{Summary: "Lists the loaded modules", Since: "4.0.0", Complexity: "O(N) with N the modules"},
	},
	{
		Name: "monitor", Arity: 1, Flags: Admin | NoScript | Loading | Stale,
		Doc: Doc{Summary: "Streams every command that the server runs", Since: "1.0.0", Complexity: "O(1)"},
	},
	{
		Name: "role", Arity: 1, Flags: NoScript | Loading | Stale | Fast | Sentinel, ACL: AtAdmin | AtDangerous,
		Doc: Doc{Summary: "Tells the part this server plays in replication", Since: "2.8.12", Complexity: "O(1)"},
	},
	{
		Name: "shutdown", Arity: -1, Flags: Admin | NoScript | Loading | Stale | NoMulti | AllowBusy | Sentinel,
		Doc: Doc{Summary: "Stops the server, saving its data if wanted", Since: "1.0.0", Complexity: "O(N) with N the keys when it saves, else O(1)", Args: args(
			opt(oneOf("nosave_save", token("NOSAVE"), token("SAVE"))),
			opt(since("7.0.0", token("NOW"))),
			opt(since("7.0.0", token("FORCE"))),
			opt(since("7.0.0", token("ABORT"))),
		)},
	},
	{
		Name: "slowlog", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about the log of slow commands", Since: "2.2.12", Complexity: "That of the subcommand"},
	},
	{
		Name: "slowlog|get", Arity: -2, Flags: Admin | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "nondeterministic_output"),
		Doc:  Doc{Summary: "Lists the latest slow commands", Since: "2.2.12", Complexity: "O(N) with N the entries in the reply", Args: args(opt(integer("count")))},
	},
	{
		Name: "slowlog|help", Arity: 2, Flags: Loading | Stale,
		Doc: Doc{Summary: "Lists the subcommands of SLOWLOG", Since: "6.2.0", Complexity: "O(1)"},
	},
	{
		Name: "slowlog|len", Arity: 2, Flags: Admin | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"),
		Doc:  Doc{Summary: "Counts the entries of the slow log", Since: "2.2.12", Complexity: "O(1)"},
	},
	{
		Name: "slowlog|reset", Arity: 2, Flags: Admin | Loading | Stale,
		Tips: tips("request_policy:all_nodes", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Empties the slow log", Since: "2.2.12", Complexity: "O(N) with N the entries"},
	},
	{
		Name: "swapdb", Arity: 3, Flags: Write | Fast, ACL: AtKeyspace | AtDangerous,
		Scope: AllShards, Do: swapdb,
		Doc: Doc{Summary: "Exchanges the contents of two databases", Since: "4.0.0", Complexity: "O(1)", Args: args(integer("index1"), integer("index2"))},
	},
	{
		Name: "time", Arity: 1, Flags: Loading | Stale | Fast,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Tells the server's time", Since: "2.6.0", Complexity: "O(1)"},
	},
}
