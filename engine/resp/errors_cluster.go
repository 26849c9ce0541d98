package resp

// Errors of CLUSTER and of commands about it.
const (
	ErrClusterDown      Error = "CLUSTERDOWN The cluster is down"
	ErrClusterInExec    Error = "ERR this command waits for the cluster, and no transaction can wait for that"
	ErrClusterOff       Error = "ERR This instance has cluster support disabled"
	ErrConfigEpochKnows Error = "ERR The user can assign a config epoch only when the node does not know any other node."
	ErrConfigEpochSet   Error = "ERR Node config epoch is already non-zero"
	ErrCrossSlot        Error = "CROSSSLOT Keys in request don't hash to the same slot"
	ErrFailoverMaster   Error = "ERR You should send CLUSTER FAILOVER to a replica"
	ErrFlushSlotsKeys   Error = "ERR DB must be empty to perform CLUSTER FLUSHSLOTS."
	ErrForgetMyself     Error = "ERR I tried hard but I can't forget myself..."
	ErrGetKeysInSlot    Error = "ERR Invalid slot or number of keys"
	ErrInvalidSlot      Error = "ERR Invalid slot"
	ErrNoReplication    Error = "ERR there is no replication in this version"
	ErrNotAMaster       Error = "ERR The specified node is not a master"
	ErrNotAMember       Error = "CLUSTERDOWN This node is no member of its cluster any more: CLUSTER MEET brings it back"
	ErrNotFormed        Error = "ERR this node is in no cluster yet: CLUSTER MEET, or CLUSTER ADDSLOTS of all slots, make one"
	ErrReplicateMyself  Error = "ERR Can't replicate myself"
	ErrReplicateReplica Error = "ERR I can only replicate a master, not a replica."
	ErrReplicateSlots   Error = "ERR To set a master the node must be empty and without assigned slots."
	ErrResetHard        Error = "ERR a node keeps its id as long as its disk: to make another one of it, stop it and remove the folder cluster in dir"
	ErrResetKeys        Error = "ERR CLUSTER RESET can't be called with master nodes containing keys"
	ErrSamePlace        Error = "CLUSTERDOWN The owner of the hash slot was last known at the address that this node has now"
	ErrSetSlotAction    Error = "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP"
	ErrSetSlotReplica   Error = "ERR Please use SETSLOT only with masters."
	ErrSlotRange        Error = "ERR Invalid or out of range slot"
	ErrSlotUnserved     Error = "CLUSTERDOWN Hash slot not served"
	ErrTargetNotMaster  Error = "ERR Target node is not a master"
	ErrTryAgain         Error = "TRYAGAIN Multiple keys request during rehashing of slot"
)

// Moved sends the client to the owner of a slot.
func Moved(slot uint16, address string) Error { return redirect("MOVED ", slot, address) }

// Ask sends one request to the node that a slot is moving to.
func Ask(slot uint16, address string) Error { return redirect("ASK ", slot, address) }

func redirect(code string, slot uint16, address string) Error {
	return Error(code + decimal(int64(slot)) + " " + address)
}

// UnknownNode names a node that is no member.
func UnknownNode(id []byte) Error { return plain("Unknown node " + shown(id, len(id))) }

// NoNode is UnknownNode as CLUSTER SETSLOT has it.
func NoNode(id []byte) Error { return plain("I don't know about node " + shown(id, len(id))) }

// SlotBusy is a slot that has an owner already.
func SlotBusy(slot uint16) Error { return plain("Slot " + decimal(int64(slot)) + " is already busy") }

// SlotUnassigned is a slot that has no owner.
func SlotUnassigned(slot uint16) Error {
	return plain("Slot " + decimal(int64(slot)) + " is already unassigned")
}

// SlotTwice is a slot that one command names twice.
func SlotTwice(slot uint16) Error {
	return plain("Slot " + decimal(int64(slot)) + " specified multiple times")
}

// SlotsBackwards is a range that ends before it begins.
func SlotsBackwards(first, last uint16) Error {
	return plain("start slot number " + decimal(int64(first)) + " is greater than end slot number " + decimal(int64(last)))
}

// NotMySlot is a slot of another owner.
func NotMySlot(slot uint16) Error {
	return plain("I'm not the owner of hash slot " + decimal(int64(slot)))
}

// NotItsSlot is a slot that another node is said to own, and does not.
func NotItsSlot(id []byte, slot uint16) Error {
	return plain("Node " + shown(id, len(id)) + " is not the owner of hash slot " + decimal(int64(slot)))
}

// NotMigrating is a slot that cannot come to a node as it does not migrate to it.
func NotMigrating(slot uint16, id []byte) Error {
	return plain("Hash slot " + decimal(int64(slot)) + " does not migrate to node " + shown(id, len(id)) +
		": CLUSTER SETSLOT with MIGRATING or IMPORTING first")
}

// SlotHasKeys is a slot that is to be given away and has keys here.
func SlotHasKeys(slot uint16) Error {
	return plain("Can't assign hashslot " + decimal(int64(slot)) + " to a different node while I still hold keys for this hash slot.")
}

// NoCommandYet is a command of Redis that a node of a cluster is asked for to move
// keys, and does not have.
func NoCommandYet(name []byte) Error {
	return plain(shown(name, len(name)) +
		" is not in this version: whoever moves a slot copies its keys by GET, PTTL, ASKING and SET, and removes them by DEL")
}

// MySlot is a slot that this node owns.
func MySlot(slot uint16) Error {
	return plain("I'm already the owner of hash slot " + decimal(int64(slot)))
}

// NoBasePort is what CLUSTER MEET takes for no port of clients.
func NoBasePort(text []byte) Error {
	return plain("Invalid TCP base port specified: " + shown(text, len(text)))
}

// NoBusPort is what CLUSTER MEET takes for no port of a bus.
func NoBusPort(text []byte) Error {
	return plain("Invalid TCP bus port specified: " + shown(text, len(text)))
}

// NoNodeAddress is what CLUSTER MEET takes for no address.
func NoNodeAddress(host, port []byte) Error {
	return plain("Invalid node address specified: " + shown(host, len(host)) + ":" + shown(port, len(port)))
}

// NoConfigEpoch is an epoch below zero.
func NoConfigEpoch(n int64) Error { return plain("Invalid config epoch specified: " + decimal(n)) }

// Undecided tells why the cluster did not do what a command asked for.
func Undecided(why string) Error { return plain(why) }
