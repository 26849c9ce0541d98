package netio

// sessionTable has the functions of the commands that concern the connection
// or the node, sorted by name.
var sessionTable = []sessionRow{
	{"discard", false, discard},
	{"exec", false, nil}, // see Loop.exec
	{"multi", false, multi},
	{"ping", false, ping},
	{"unwatch", false, unwatch},
	{"watch", false, watch},
}
