package command

var transactionRows = []Row{
	{
		Name: "discard", Arity: 1, Flags: NoScript | Loading | Stale | Fast | AllowBusy | InMulti | EndsMulti, ACL: AtTransaction,
		Doc: Doc{Summary: "Drops the commands queued since MULTI", Since: "2.0.0", Complexity: "O(N) with N the queued commands"},
	},
	{
		Name: "exec", Arity: 1, Flags: NoScript | Loading | Stale | SkipSlowlog | InMulti | EndsMulti, ACL: AtTransaction,
		Doc: Doc{Summary: "Runs the commands queued since MULTI", Since: "1.2.0", Complexity: "That of the queued commands"},
	},
	{
		Name: "multi", Arity: 1, Flags: NoScript | Loading | Stale | Fast | AllowBusy | InMulti, ACL: AtTransaction,
		Doc: Doc{Summary: "Starts to queue commands for EXEC", Since: "1.2.0", Complexity: "O(1)"},
	},
	{
		Name: "unwatch", Arity: 1, Flags: NoScript | Loading | Stale | Fast | AllowBusy, ACL: AtTransaction,
		Doc: Doc{Summary: "Forgets the keys of WATCH", Since: "2.2.0", Complexity: "O(1)"},
	},
	{
		Name: "watch", Arity: -2, Flags: NoScript | Loading | Stale | Fast | AllowBusy | InMulti, ACL: AtTransaction,
		Keys: at(1, -1, 1, RO), Scope: ByKeys,
		Doc: Doc{Summary: "Makes the next EXEC depend on keys staying unchanged", Since: "2.2.0", Complexity: "O(N) with N the keys", Args: args(many(aKey))},
	},
}
