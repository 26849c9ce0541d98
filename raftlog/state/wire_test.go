package state

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/elares/ironcache/slots"
)

// samples has an entry of each kind, with all fields set.
func samples() []Entry {
	address := Address{Host: "10.0.0.1", Hostname: "a-1.example", Port: 1, BusPort: 2, ReplicationPort: 65535,
		Endpoint: ByNothing, Flags: NoFailover, ShardPorts: []uint16{7, 8}}
	span, by := Span{at(3, 300), math.MaxUint64}, Stamp{1, math.MaxUint64}
	return []Entry{
		&Form{[]Founder{{idOf(1), address, 0, 255, Voter, 2, []slots.Range{at(0, 0), at(1, 16383)}}}},
		&Join{idOf(1), address, 9, 1, []slots.Range{at(0, 16383)}},
		&Forget{math.MaxUint32},
		&Announce{1, by, 1, address},
		&SetRole{1, 0},
		&SetSuffrage{1, Voter},
		&BumpEpoch{1},
		&Barrier{1, 1},
		&Renew{[]Request{{1, by}, {2, by}}},
		&Release{1, by, []Span{span, {at(301, 301), 0}}},
		&Assign{Promote, 1, 2, 3, 4, []Span{span}},
		&Unassign{1, 2, []Span{span}},
		&Grow{1, 2, []SyncSpan{{span, 3}}},
		&Shrink{1, []SyncSpan{{span, 3}}},
		&BeginMigration{1, 2, []Span{span}},
		&CancelMigration{[]MoveSpan{{at(0, 1), 2}}},
		&Flip{16383, 1, 2, 3, []Synced{{4, 5}}},
	}
}

// Every kind comes back as it went, and no part of it is read as a whole.
func TestEntriesRoundTrip(t *testing.T) {
	for i, e := range samples() {
		if want := kinds[i].kind; KindOf(e) != want || int(want) != i+1 || want.String() != kinds[i].name {
			t.Errorf("sample %d is of kind %v, want %v", i, KindOf(e), want)
		}
		data, err := Encode(e)
		if err != nil {
			t.Fatalf("%v: %v", KindOf(e), err)
		}
		checkDecode(t, data)
		for n := range data {
			if _, err := Decode(data[:n]); err == nil {
				t.Errorf("%v: %d of %d bytes are read", KindOf(e), n, len(data))
			}
		}
		if _, err := Decode(append(data, 0)); err == nil || !strings.Contains(err.Error(), "bytes follow") {
			t.Errorf("%v: with a byte more: %v", KindOf(e), err)
		}
	}
	if len(samples()) != len(kinds) {
		t.Errorf("%d samples for %d kinds", len(samples()), len(kinds))
	}
}

// checkDecode decodes, and encodes to the same bytes.
func checkDecode(t *testing.T, data []byte) {
	e, err := Decode(data)
	if err != nil {
		return
	}
	back, err := Encode(e)
	if err != nil || !bytes.Equal(back, data) {
		t.Errorf("%x is %+v, which is %x: %v", data, e, back, err)
	}
}

func TestUnknownEntries(t *testing.T) {
	for _, row := range []struct {
		why  Reason
		data []byte
		want string
	}{
		{Malformed, nil, "0 bytes"},
		{Malformed, []byte{1}, "1 bytes"},
		{Malformed, make([]byte, MaxEntry+1), "1048577 bytes"},
		{UnknownVersion, []byte{0, 1}, "version 0"},
		{UnknownVersion, []byte{2, 1}, "version 2"},
		{UnknownVersion, []byte{255, 255}, "version 255"},
		{UnknownKind, []byte{1, 0}, "kind 0"},
		{UnknownKind, []byte{1, byte(len(kinds)) + 1}, "kind 18"},
		{UnknownKind, []byte{1, 255}, "kind 255"},
		{Malformed, []byte{1, byte(KindForget)}, "forget: a node is cut off"},
		{Malformed, []byte{1, byte(KindForget), 0}, "a node is 0: it must be 1 to"},
		{Malformed, []byte{1, byte(KindForget), 0x81, 0}, "shortest form"},
		{Malformed, []byte{1, byte(KindForget), 1, 9}, "bytes follow"},
		{Malformed, append([]byte{1, byte(KindForget)}, bytes.Repeat([]byte{255}, 11)...), "64 bits"},
	} {
		r := newRig(t)
		if o := r.apply(row.data); o.Reason != row.why || !strings.Contains(o.Sentence, row.want) {
			t.Errorf("%x: %v, want %v with %q", row.data, o, row.why, row.want)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	host := func(change func(*Address)) Entry {
		j := join(7)
		change(&j.Address)
		return j
	}
	for _, row := range []struct {
		want string
		e    Entry
	}{
		{"host", host(func(a *Address) { a.Host = "" })},
		{"host", host(func(a *Address) { a.Host = "a b" })},
		{"host", host(func(a *Address) { a.Hostname = "a,b" })},
		{"host", host(func(a *Address) { a.Hostname = "a\n" })},
		{"length of a host", host(func(a *Address) { a.Host = strings.Repeat("a", 256) })},
		{"a port is 0", host(func(a *Address) { a.BusPort = 0 })},
		{"endpoint", host(func(a *Address) { a.Endpoint = endpoints })},
		{"flags", host(func(a *Address) { a.Flags = 128 })},
		{"shard ports", host(func(a *Address) { a.ShardPorts = make([]uint16, MaxShardPorts+1) })},
		{"number of founders is 0", &Form{}},
		{"number of requests is 0", &Renew{}},
		{"number of ranges is 0", &Unassign{1, 0, nil}},
		{"last slot of a range", &Unassign{1, 0, []Span{{at(5, 4), 1}}}},
		{"last slot of a range", &Unassign{1, 0, []Span{{at(5, slots.Count), 1}}}},
		{"first slot of a range", &Unassign{1, 0, []Span{{at(5, 9), 1}, {at(9, 10), 1}}}},
		{"first slot of a range", join(7, at(5, 9), at(1, 2))},
		{"do not fit", &Assign{How: Claim, To: 1, Incarnation: 1, From: 2, Spans: []Span{{at(0, 0), 0}}}},
		{"do not fit", &Assign{How: Claim, To: 1, Incarnation: 1, Waited: 2, Spans: []Span{{at(0, 0), 0}}}},
		{"do not fit", &Assign{How: Force, To: 1, Incarnation: 1, Spans: []Span{{at(0, 0), 0}}}},
		{"do not fit", &Assign{How: Force, To: 1, Incarnation: 1, From: 1, Spans: []Span{{at(0, 0), 0}}}},
		{"do not fit", &Assign{How: Resume, To: 1, Incarnation: 1, From: 2, Spans: []Span{{at(0, 0), 0}}}},
		{"a right is 4", &Assign{How: hows, To: 1, Incarnation: 1, Spans: []Span{{at(0, 0), 0}}}},
		{"a term is 0", &Barrier{1, 0}},
		{"a migration is 0", &CancelMigration{[]MoveSpan{{at(0, 0), 0}}}},
		{"an incarnation is 0", &Announce{1, Stamp{}, 1, addressOf(1)}},
		{"in-sync members is 17", &Flip{1, 1, 1, 1, make([]Synced, MaxInSync+1)}},
		{"a node is 0", &Flip{1, 1, 1, 1, make([]Synced, 1)}},
	} {
		if _, err := Encode(row.e); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.e, err, row.want)
		}
	}
}

// The largest entries fit: a topology of the most members, and a failover of as
// many ranges as there are slots.
func TestLargestEntriesFit(t *testing.T) {
	form, assign := &Form{}, &Assign{How: Force, To: math.MaxUint32, Incarnation: 1, From: 1}
	for n := range MaxMembers {
		f := founder(n, Voter, slots.None)
		f.Address.Host, f.Address.Hostname = strings.Repeat("a", 255), strings.Repeat("b", 255)
		form.Founders = append(form.Founders, f)
	}
	for slot := range uint16(slots.Count) {
		assign.Spans = append(assign.Spans, Span{at(slot, slot), math.MaxUint64})
	}
	for _, e := range []Entry{form, assign} {
		if data, err := Encode(e); err != nil {
			t.Errorf("%v: %v", KindOf(e), err)
		} else {
			t.Logf("%v: %d bytes", KindOf(e), len(data))
		}
	}
}

// A program that is behind what all members said they understand stops.
func TestEntriesOfALaterVersion(t *testing.T) {
	r := newRig(t)
	later := []byte{2, byte(KindForget), 6}
	for n := slots.Node(1); n <= 6; n++ {
		if r.Version() != 1 || r.apply(later).Reason != UnknownVersion {
			t.Fatalf("version %d after %d members", r.Version(), n-1)
		}
		e := r.restart(n)
		e.Speaks = 2
		r.must(e)
	}
	before := r.Snapshot()
	if o, err := r.State.Apply(r.index+1, later); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("%v, %v", o, err)
	}
	if !bytes.Equal(before, r.Snapshot()) {
		t.Error("the state changed")
	}
	r.must(join(7)) // understands version 1 only; no later entry was accepted
	if r.Version() != 1 {
		t.Errorf("version %d", r.Version())
	}
}

// FuzzApply: no bytes break the state, and what is read is written the same.
func FuzzApply(f *testing.F) {
	for _, e := range samples() {
		data, err := Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkDecode(t, data)
		r := newRig(t)
		r.must(r.grow(3, 0, 99))
		r.must(r.renew(1, 2), r.begin(6, 98, 99))
		r.apply(data)
	})
}
