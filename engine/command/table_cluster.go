package command

var clusterRows = []Row{
	{
		Name: "asking", Arity: 1, Flags: Fast, ACL: AtConnection,
		Doc: Doc{Summary: "Lets the next command use a slot that is being imported", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster", Arity: -2,
		Doc: Doc{Summary: "Groups the subcommands about the cluster", Since: "3.0.0", Complexity: "That of the subcommand"},
	},
	{
		Name: "cluster|addslots", Arity: -3, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Makes this node the owner of the given slots", Since: "3.0.0", Complexity: "O(N) with N the slots given", Args: args(many(integer("slot")))},
	},
	{
		Name: "cluster|addslotsrange", Arity: -4, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Makes this node the owner of the given ranges of slots", Since: "7.0.0", Complexity: "O(N) with N the slots in the ranges", Args: args(many(block("start-slot_end-slot", integer("start-slot"), integer("end-slot"))))},
	},
	{
		Name: "cluster|bumpepoch", Arity: 2, Flags: NoAsyncLoading | Admin | Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Raises the configuration epoch", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|count-failure-reports", Arity: 3, Flags: Admin | Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Counts the reports that a node has failed", Since: "3.0.0", Complexity: "O(N) with N the reports", Args: args(str("node-id"))},
	},
	{
		Name: "cluster|countkeysinslot", Arity: 3, Flags: Stale,
		Doc: Doc{Summary: "Counts the keys in a slot", Since: "3.0.0", Complexity: "O(1)", Args: args(integer("slot"))},
	},
	{
		Name: "cluster|delslots", Arity: -3, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Takes the given slots from this node", Since: "3.0.0", Complexity: "O(N) with N the slots given", Args: args(many(integer("slot")))},
	},
	{
		Name: "cluster|delslotsrange", Arity: -4, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Takes the given ranges of slots from this node", Since: "7.0.0", Complexity: "O(N) with N the slots in the ranges", Args: args(many(block("start-slot_end-slot", integer("start-slot"), integer("end-slot"))))},
	},
	{
		Name: "cluster|failover", Arity: -2, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Makes this replica take over from its owner", Since: "3.0.0", Complexity: "O(1)", Args: args(opt(oneOf("options", token("FORCE"), token("TAKEOVER"))))},
	},
	{
		Name: "cluster|flushslots", Arity: 2, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Takes all slots from this node", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|forget", Arity: 3, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Removes a node from the cluster", Since: "3.0.0", Complexity: "O(1)", Args: args(str("node-id"))},
	},
	{
		Name: "cluster|getkeysinslot", Arity: 4, Flags: Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Lists keys of a slot", Since: "3.0.0", Complexity: "O(N) with N the keys asked for", Args: args(integer("slot"), integer("count"))},
	},
	{
		Name: "cluster|help", Arity: 2, Flags: Loading | Stale,
		Doc: Doc{Summary: "Lists the subcommands of CLUSTER", Since: "5.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|info", Arity: 2, Flags: Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Describes the state of the cluster", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|keyslot", Arity: 3, Flags: Stale,
		Doc: Doc{Summary: "Tells the slot of a key", Since: "3.0.0", Complexity: "O(N) with N the bytes of the key", Args: args(str("key"))},
	},
	{
		Name: "cluster|links", Arity: 2, Flags: Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Lists the connections between this node and its peers", Since: "7.0.0", Complexity: "O(N) with N the nodes"},
	},
	{
		Name: "cluster|meet", Arity: -4, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Introduces another node to the cluster", Since: "3.0.0", Complexity: "O(1)", Args: args(str("ip"), integer("port"), opt(since("4.0.0", integer("cluster_bus_port"))))},
	},
	{
		Name: "cluster|myid", Arity: 2, Flags: Stale,
		Doc: Doc{Summary: "Tells the id of this node", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|myshardid", Arity: 2, Flags: Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Tells the id of the shard this node belongs to", Since: "7.2.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|nodes", Arity: 2, Flags: Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Describes all nodes, one line each", Since: "3.0.0", Complexity: "O(N) with N the nodes"},
	},
	{
		Name: "cluster|replicas", Arity: 3, Flags: Admin | Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Lists the replicas of a node", Since: "5.0.0", Complexity: "O(1)", Args: args(str("node-id"))},
	},
	{
		Name: "cluster|replicate", Arity: 3, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Makes this node a replica of another", Since: "3.0.0", Complexity: "O(1)", Args: args(str("node-id"))},
	},
	{
		Name: "cluster|reset", Arity: -2, Flags: Admin | Stale | NoScript,
		Doc: Doc{Summary: "Makes this node forget the cluster", Since: "3.0.0", Complexity: "O(N) with N the known nodes", Args: args(opt(oneOf("hard_soft", token("HARD"), token("SOFT"))))},
	},
	{
		Name: "cluster|saveconfig", Arity: 2, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Writes the cluster's state to disk", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "cluster|set-config-epoch", Arity: 3, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Sets the configuration epoch of a node that has none", Since: "3.0.0", Complexity: "O(1)", Args: args(integer("config-epoch"))},
	},
	{
		Name: "cluster|setslot", Arity: -4, Flags: NoAsyncLoading | Admin | Stale,
		Doc: Doc{Summary: "Sets the state or owner of a slot", Since: "3.0.0", Complexity: "O(1)", Args: args(
			integer("slot"),
			oneOf("subcommand", word("IMPORTING", str("node-id")), word("MIGRATING", str("node-id")), word("NODE", str("node-id")), token("STABLE")),
		)},
	},
	{
		Name: "cluster|shards", Arity: 2, Flags: Loading | Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Describes the shards with their slots and nodes", Since: "7.0.0", Complexity: "O(N) with N the nodes"},
	},
	{
		Name: "cluster|slaves", Arity: 3, Flags: Admin | Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Lists the replicas of a node", Since: "3.0.0", Complexity: "O(1)", DeprecatedSince: "5.0.0", ReplacedBy: "CLUSTER REPLICAS", Args: args(str("node-id"))},
	},
	{
		Name: "cluster|slots", Arity: 2, Flags: Loading | Stale,
		Tips: tips("nondeterministic_output"),
		Doc:  Doc{Summary: "Lists the ranges of slots with the nodes that serve them", Since: "3.0.0", Complexity: "O(N) with N the nodes", DeprecatedSince: "7.0.0", ReplacedBy: "CLUSTER SHARDS"},
	},
	{
		Name: "readonly", Arity: 1, Flags: Fast | Loading | Stale, ACL: AtConnection,
		Doc: Doc{Summary: "Lets this connection read from a replica", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "readwrite", Arity: 1, Flags: Fast | Loading | Stale, ACL: AtConnection,
		Doc: Doc{Summary: "Ends what READONLY began", Since: "3.0.0", Complexity: "O(1)"},
	},
}
