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

// Events has the class letter (of notify-keyspace-events) and the name of
// every Event.
var Events = [...]struct {
	Class byte
	Name  string
}{
	EventNone:        {0, ""},
	EventAppend:      {'$', "append"},
	EventCopyTo:      {'g', "copy_to"},
	EventDel:         {'g', "del"},
	EventEvicted:     {'e', "evicted"},
	EventExpire:      {'g', "expire"},
	EventExpired:     {'x', "expired"},
	EventIncrBy:      {'$', "incrby"},
	EventIncrByFloat: {'$', "incrbyfloat"},
	EventMoveFrom:    {'g', "move_from"},
	EventMoveTo:      {'g', "move_to"},
	EventPersist:     {'g', "persist"},
	EventRenameFrom:  {'g', "rename_from"},
	EventRenameTo:    {'g', "rename_to"},
	EventSet:         {'$', "set"},
	EventSetRange:    {'$', "setrange"},
}
