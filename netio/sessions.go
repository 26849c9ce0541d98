package netio

// sessionTable has the functions of the commands that concern the connection
// or the node, sorted by name. "still" is for those that look at other loops.
var sessionTable = []sessionRow{
	{"acl|whoami", here, aclWhoami},
	{"auth", here, auth},
	{"client|getname", here, clientGetName},
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
	{"discard", here, discard},
	{"echo", here, echo},
	{"exec", here, nil}, // see Loop.exec
	{"hello", here, hello},
	{"module|list", here, moduleList},
	{"monitor", here, startMonitor},
	{"multi", here, multi},
	{"ping", here, ping},
	{"quit", here, quit},
	{"reset", here, reset},
	{"role", here, role},
	{"select", here, selectDB},
	{"unwatch", here, unwatch},
	{"watch", here, watch}, // with the owners of its keys standing still
}

// Whether all loops stand still while a function runs.
const (
	here  = false
	still = true
)
