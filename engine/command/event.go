package command

// Event is what happened to a key, as keyspace notifications name it.
type Event uint8

// The events.
const (
	EventNone Event = iota // the key changed; nothing is published about it
	EventAppend
	EventCopyTo
	EventDel
	EventEvicted
	EventExpire
	EventExpired
	EventIncrBy
	EventIncrByFloat
	EventMoveFrom
	EventMoveTo
	EventPersist
	EventRenameFrom
	EventRenameTo
	EventSet
	EventSetRange
)

// eventNames has the name of every Event.
var eventNames = [...]string{
	EventNone:        "",
	EventAppend:      "append",
	EventCopyTo:      "copy_to",
	EventDel:         "del",
	EventEvicted:     "evicted",
	EventExpire:      "expire",
	EventExpired:     "expired",
	EventIncrBy:      "incrby",
	EventIncrByFloat: "incrbyfloat",
	EventMoveFrom:    "move_from",
	EventMoveTo:      "move_to",
	EventPersist:     "persist",
	EventRenameFrom:  "rename_from",
	EventRenameTo:    "rename_to",
	EventSet:         "set",
	EventSetRange:    "setrange",
}

// String is the name of the event; empty if nothing is published about it.
func (e Event) String() string { return eventNames[e] }
