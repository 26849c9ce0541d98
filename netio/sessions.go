package netio

// sessionTable has the functions of the commands that concern the connection
// or the node, sorted by name. "still" is for those that look at other loops.
var sessionTable = []sessionRow{
	{"acl|whoami", here, aclWhoami},
	{"auth", here, auth},
	{"client|getname", here, clientGetName},
	{"client|help", here, help},
	{"client|id", here, clientID},
	{"client|info", here, clientInfo},
	{"client|kill", still, clientKill},
	{"client|list", still, clientList},
	{"client|no-evict", here, clientNoEvict},
	{"client|no-touch", here, clientNoTouch},
	{"client|pause", here, clientPause},
	{"client|reply", here, clientReply},
	{"client|setinfo", here, clientSetInfo},
	{"client|setname", here, clientSetName},
	{"client|unblock", here, clientUnblock},
	{"client|unpause", here, clientUnpause},
	{"command", here, commandAll},
	{"command|count", here, commandCount},
	{"command|docs", here, commandDocs},
	{"command|getkeys", here, commandGetKeys},
	{"command|getkeysandflags", here, commandGetKeysAndFlags},
	{"command|help", here, help},
	{"command|info", here, commandInfo},
	{"command|list", here, commandList},
	{"config|get", here, configGet},
	{"config|help", here, help},
	{"config|resetstat", still, configResetStat},
	{"config|rewrite", still, configRewrite},
	{"config|set", still, configSet},
	{"discard", here, discard},
	{"echo", here, echo},
	{"exec", here, nil}, // see Loop.exec
	{"hello", here, hello},
	{"info", still, info},
	{"latency|help", here, help},
	{"memory|help", here, help},
	{"module|list", here, moduleList},
	{"monitor", here, startMonitor},
	{"multi", here, multi},
	{"ping", here, ping},
	{"quit", here, quit},
	{"reset", here, reset},
	{"role", here, role},
	{"select", here, selectDB},
	{"shutdown", still, shutdownNode},
	{"slowlog|get", still, slowlogGet},
	{"slowlog|help", here, help},
	{"slowlog|len", still, slowlogLen},
	{"slowlog|reset", still, slowlogReset},
	{"time", here, timeNow},
	{"unwatch", here, unwatch},
	{"watch", here, watch}, // with the owners of its keys standing still
}

// Whether all loops stand still while a function runs.
const (
	here  = false
	still = true
)
