package command

var connectionRows = []Row{
	{
		Name: "auth", Arity: -2, Flags: NoScript | Loading | Stale | Fast | NoAuth | AllowBusy | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Logs the connection in", Since: "1.0.0", Complexity: "O(N) with N the passwords of the user", Args: args(opt(since("6.0.0", str("username"))), str("password"))},
	},
	{
		Name: "client", Arity: -2, Flags: Sentinel,
		Doc: Doc{Summary: "Groups the subcommands about client connections", Since: "2.4.0", Complexity: "That of the subcommand"},
	},
	{
		Name: "client|getname", Arity: 2, Flags: NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Tells the name that was given to this connection", Since: "2.6.9", Complexity: "O(1)"},
	},
	{
		Name: "client|help", Arity: 2, Flags: Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Lists the subcommands of CLIENT", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "client|id", Arity: 2, Flags: NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Tells the unique number of this connection", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "client|info", Arity: 2, Flags: NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Describes this connection", Since: "6.2.0", Complexity: "O(1)"},
	},
	{
		Name: "client|kill", Arity: -3, Flags: Admin | NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Closes connections that match a filter", Since: "2.4.0", Complexity: "O(N) with N the connections", Args: args(
			oneOf("filter", until("2.8.12", str("ip:port")), many(oneOf("new-format", opt(since("2.8.12", word("ID", integer("client-id")))), opt(since("2.8.12", word("TYPE", oneOf("normal_master_slave_pubsub", token("NORMAL"), since("3.2.0", token("MASTER")), token("SLAVE"), since("5.0.0", token("REPLICA")), token("PUBSUB"))))), opt(word("USER", str("username"))), opt(word("ADDR", str("ip:port"))), opt(since("6.2.0", word("LADDR", str("ip:port")))), opt(word("SKIPME", str("yes/no"))), opt(since("7.4.0", word("MAXAGE", integer("maxage"))))))),
		)},
	},
	{
		Name: "client|list", Arity: -2, Flags: Admin | NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("nondeterministic_output"),
		Doc: Doc{Summary: "Describes all connections, or those that match a filter", Since: "2.4.0", Complexity: "O(N) with N the connections", Args: args(
			opt(since("5.0.0", word("TYPE", oneOf("normal_master_replica_pubsub", token("NORMAL"), token("MASTER"), token("REPLICA"), token("PUBSUB"))))),
			opt(since("6.2.0", word("ID", block("id", many(integer("client-id")))))),
		)},
	},
	{
		Name: "client|no-evict", Arity: 3, Flags: Admin | NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Exempts this connection from being closed under memory pressure", Since: "7.0.0", Complexity: "O(1)", Args: args(oneOf("enabled", token("ON"), token("OFF")))},
	},
	{
		Name: "client|no-touch", Arity: 3, Flags: NoScript | Loading | Stale, ACL: AtConnection,
		Doc: Doc{Summary: "Keeps the commands of this connection from refreshing the access clocks of keys", Since: "7.2.0", Complexity: "O(1)", Args: args(oneOf("enabled", token("ON"), token("OFF")))},
	},
	{
		Name: "client|pause", Arity: -3, Flags: Admin | NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Holds back the commands of clients for a while", Since: "3.0.0", Complexity: "O(1)", Args: args(integer("timeout"), opt(since("6.2.0", oneOf("mode", token("WRITE"), token("ALL")))))},
	},
	{
		Name: "client|reply", Arity: 3, Flags: NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Switches the replies to this connection on or off", Since: "3.2.0", Complexity: "O(1)", Args: args(oneOf("on_off_skip", token("ON"), token("OFF"), token("SKIP")))},
	},
	{
		Name: "client|setinfo", Arity: 4, Flags: NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("request_policy:all_nodes", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Records the name or version of the client library", Since: "7.2.0", Complexity: "O(1)", Args: args(oneOf("attr", word("LIB-NAME", str("libname")), word("LIB-VER", str("libver"))))},
	},
	{
		Name: "client|setname", Arity: 3, Flags: NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Tips: tips("request_policy:all_nodes", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Gives this connection a name", Since: "2.6.9", Complexity: "O(1)", Args: args(str("connection-name"))},
	},
	{
		Name: "client|unblock", Arity: -3, Flags: Admin | NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Releases another client from a command that waits", Since: "5.0.0", Complexity: "O(log N) with N the connections", Args: args(integer("client-id"), opt(oneOf("timeout_error", token("TIMEOUT"), token("ERROR"))))},
	},
	{
		Name: "client|unpause", Arity: 2, Flags: Admin | NoScript | Loading | Stale | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Ends CLIENT PAUSE", Since: "6.2.0", Complexity: "O(N) with N the paused clients"},
	},
	{
		Name: "echo", Arity: 2, Flags: Loading | Stale | Fast, ACL: AtConnection,
		Doc: Doc{Summary: "Replies with the given bytes", Since: "1.0.0", Complexity: "O(1)", Args: args(str("message"))},
	},
	{
		Name: "hello", Arity: -1, Flags: NoScript | Loading | Stale | Fast | NoAuth | AllowBusy | Sentinel, ACL: AtConnection,
		Doc: Doc{Summary: "Chooses the protocol and may log the connection in", Since: "6.0.0", Complexity: "O(1)", Args: args(
			opt(block("arguments", integer("protover"), opt(word("AUTH", block("username_password", str("username"), str("password")))), opt(word("SETNAME", str("clientname"))))),
		)},
	},
	{
		Name: "ping", Arity: -1, Flags: Fast | Sentinel, ACL: AtConnection,
		Tips: tips("request_policy:all_shards", "response_policy:all_succeeded"),
		Doc:  Doc{Summary: "Replies with PONG or with the given bytes", Since: "1.0.0", Complexity: "O(1)", Args: args(opt(str("message")))},
	},
	{
		Name: "quit", Arity: -1, Flags: AllowBusy | NoScript | Loading | Stale | Fast | NoAuth | InMulti | EndsMulti, ACL: AtConnection,
		Doc: Doc{Summary: "Closes the connection", Since: "1.0.0", Complexity: "O(1)", DeprecatedSince: "7.2.0", ReplacedBy: "closing the connection"},
	},
	{
		Name: "reset", Arity: 1, Flags: NoScript | Loading | Stale | Fast | NoAuth | AllowBusy | InMulti | EndsMulti, ACL: AtConnection,
		Doc: Doc{Summary: "Puts the connection back into its first state", Since: "6.2.0", Complexity: "O(1)"},
	},
	{
		Name: "select", Arity: 2, Flags: Loading | Stale | Fast, ACL: AtConnection,
		Doc: Doc{Summary: "Switches the connection to another database", Since: "1.0.0", Complexity: "O(1)", Args: args(integer("index"))},
	},
}
