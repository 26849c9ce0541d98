package keyspace

import "sync/atomic"

// Ledger counts the memory of a node against its limit. It is safe for
// concurrent use: its single word of shared state is moved by compare-and-set.
//
// Each Store leases quota in steps of leaseStep and counts for itself below
// that. So the sum of what stores hold exceeds the limit at most by the growth
// of the commands that run right now, and reaches it short of the unused parts
// of the leases (below 2*leaseStep a store). When charges or a lower limit put
// the node over its limit, each store gives way in proportion to what it holds.
type Ledger struct {
	room     atomic.Int64 // limit - leases - charges; below 0: the node is over
	limit    atomic.Int64 // bytes, 0 for none
	charged  atomic.Int64
	accounts atomic.Pointer[[]*account]
}

const (
	leaseStep = 256 << 10
	unlimited = int64(1) << 62
)

// NewLedger makes a ledger with a limit in bytes, 0 for none.
func NewLedger(limit int64) *Ledger {
	l := &Ledger{}
	l.room.Store(bound(limit))
	l.limit.Store(limit)
	return l
}

func bound(limit int64) int64 {
	if limit <= 0 {
		return unlimited
	}
	return limit
}

// SetLimit changes the limit at runtime. When the node holds more than that,
// the stores see it at their next Over.
func (l *Ledger) SetLimit(limit int64) {
	old := l.limit.Swap(limit)
	l.room.Add(bound(limit) - bound(old))
}

// Limit is the limit in bytes, 0 for none.
func (l *Ledger) Limit() int64 { return l.limit.Load() }

// Used is the sum of what the stores last published, and of all charges.
func (l *Ledger) Used() int64 {
	sum := l.charged.Load()
	if all := l.accounts.Load(); all != nil {
		for _, a := range *all {
			sum += a.published.Load()
		}
	}
	return sum
}

// InHeap is what stores hold in the Go heap, as they last published.
func (l *Ledger) InHeap() int64 {
	var sum int64
	if all := l.accounts.Load(); all != nil {
		for _, a := range *all {
			sum += a.inHeap.Load()
		}
	}
	return sum
}

// Charge counts n bytes (-n when they are free again) held outside of stores:
// connection buffers, the Go heap. It never fails; the stores make way.
func (l *Ledger) Charge(n int64) {
	l.charged.Add(n)
	l.room.Add(-n)
}

// stores is how many stores share the limit.
func (l *Ledger) stores() int {
	if all := l.accounts.Load(); all != nil {
		return max(1, len(*all))
	}
	return 1
}

// take leases n bytes, or nothing.
func (l *Ledger) take(n int64) bool {
	for {
		room := l.room.Load()
		if room < n {
			return false
		}
		if l.room.CompareAndSwap(room, room-n) {
			return true
		}
	}
}

// open makes the account of one store.
func (l *Ledger) open() *account {
	a := &account{ledger: l}
	l.change(func(all []*account) []*account { return append(all, a) })
	return a
}

// change replaces the list of accounts.
func (l *Ledger) change(edit func(all []*account) []*account) {
	for {
		was := l.accounts.Load()
		var all []*account
		if was != nil {
			all = append(all, *was...)
		}
		all = edit(all)
		if l.accounts.CompareAndSwap(was, &all) {
			return
		}
	}
}

// account is what one store holds and has leased. Only its owner writes.
type account struct {
	ledger    *Ledger
	live      int64 // bytes in use
	lease     int64 // bytes taken from ledger.room
	goal      int64 // while yielding: what live must come down to
	yielding  bool
	published atomic.Int64 // live, as others see it
	inHeap    atomic.Int64 // what is held in the Go heap, likewise
}

func (a *account) over() bool {
	return a.live > a.lease || a.ledger.room.Load() < 0
}

// ensure makes the lease cover n bytes more than are in use.
func (a *account) ensure(n int64) bool {
	if a.ledger.room.Load() < 0 {
		a.trim(0)
	}
	if !a.yielded() {
		return false
	}
	need := a.live + n - a.lease
	return need <= 0 || a.borrow(need)
}

// yielded tells whether the account has given up its part of what the node
// holds too much; at least a byte, so that an account cannot grow meanwhile.
// What others have yet to give up is shared anew at the next call.
func (a *account) yielded() bool {
	excess := -a.ledger.room.Load()
	if excess <= 0 {
		a.yielding = false
		return true
	}
	if !a.yielding {
		part := float64(excess) * float64(a.live) / float64(max(a.ledger.Used(), 1))
		a.goal = a.live - max(int64(part), 1)
	}
	a.yielding = a.live > a.goal
	return !a.yielding
}

// borrow leases n bytes rounded up, or just n when there is no more.
func (a *account) borrow(n int64) bool {
	for _, want := range [...]int64{(n + leaseStep - 1) / leaseStep * leaseStep, n} {
		if a.ledger.take(want) {
			a.lease += want
			a.publish()
			return true
		}
	}
	return false
}

// trim returns all lease but keep bytes above what is in use.
func (a *account) trim(keep int64) {
	if surplus := a.lease - a.live - keep; surplus > 0 {
		a.lease -= surplus
		a.ledger.room.Add(surplus)
	}
	a.publish()
}

// publish shows the use to other threads and gives back what has become idle.
func (a *account) publish() {
	if a.published.Load() != a.live {
		a.published.Store(a.live)
	}
	if a.lease-a.live > 2*leaseStep {
		a.trim(leaseStep)
	}
}

// close ends the account; what it held no longer counts.
func (a *account) close() {
	a.ledger.room.Add(a.lease)
	a.live, a.lease = 0, 0
	a.published.Store(0)
	a.inHeap.Store(0)
	a.ledger.change(func(all []*account) []*account {
		for i, other := range all {
			if other == a {
				return append(all[:i], all[i+1:]...)
			}
		}
		return all
	})
}
