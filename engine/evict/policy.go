// Package evict says which key goes when memory runs out: a row a policy, the
// pool in which the best candidates wait, and the exchange through which the
// shards of a node find out whose data is coldest. It holds no keyspace and
// removes nothing itself.
//
// The promise that callers rely on: a higher score is a better victim, and
// scores of one policy compare between shards.
package evict

// Policy is one way of choosing victims.
type Policy struct {
	Name     string // as maxmemory-policy spells it
	Volatile bool   // only keys that have an expiry may go
	// Score rates a key. It is nil when every key is as good as another.
	Score func(m *Moment, clock uint32, expiry int64) uint64
	// Margin is by how much scores must differ before it means anything:
	// sampling and coarse clocks blur them.
	Margin uint64
	Never  bool // nothing may go
}

// Moment is what a score depends on besides the key.
type Moment struct {
	Now   int64 // Unix milliseconds
	Decay int   // minutes after which an LFU counter falls by one; 0 never
}

// policies has a row for every value of maxmemory-policy, by name.
var policies = [...]Policy{
	{Name: "allkeys-lfu", Score: rarity, Margin: rarityMargin},
	{Name: "allkeys-lru", Score: idleness, Margin: idlenessMargin},
	{Name: "allkeys-random"},
	{Name: "noeviction", Never: true},
	{Name: "volatile-lfu", Volatile: true, Score: rarity, Margin: rarityMargin},
	{Name: "volatile-lru", Volatile: true, Score: idleness, Margin: idlenessMargin},
	{Name: "volatile-random", Volatile: true},
	{Name: "volatile-ttl", Volatile: true, Score: urgency, Margin: urgencyMargin},
}

// Named finds a policy. An unknown name is noeviction: the one that loses nothing.
func Named(name string) *Policy {
	for i := range policies {
		if policies[i].Name == name {
			return &policies[i]
		}
	}
	return Named("noeviction")
}

// Colder tells that other is clearly a better victim than own.
func (p *Policy) Colder(other, own Coldness) bool {
	if other == 0 || own == 0 {
		return other > own
	}
	return other > own && uint64(other-own) > p.Margin
}

// Coldness is a score plus one, so that 0 can mean: nothing may go.
type Coldness uint64

// Of is the coldness of a score. The two highest scores are the same.
func Of(score uint64) Coldness { return Coldness(max(score+1, score)) }
