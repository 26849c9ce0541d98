package netio

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
)

// number reads the number in a bulk reply; a missing value is 0.
func number(reply string) int {
	_, text, _ := strings.Cut(reply, "\r\n")
	n, _ := strconv.Atoi(strings.TrimSuffix(text, "\r\n"))
	return n
}

// relay has one connection write in pipelines of two shards, "SET data; DEL
// lock" and "SET data; SET ready", and others read them the other way round. It
// counts how often a reader saw the second write without the first.
func relay(t *testing.T, seed uint64, world *sim.World, options ...string) (broken int) {
	const rounds = 60
	d := newDice(seed)
	shards := 2 + 2*int(seed%2)
	place := newTownIn(t, world, shards, options...)
	if seed%4 < 2 {
		place.byHops()
	}
	first := d.below(shards)
	second := (first + 1 + d.below(shards-1)) % shards
	data, ready := keyOn(first, shards, "data"), keyOn(second, shards, "ready")

	var locks, writes, reads []string
	for i := 1; i <= rounds; i++ {
		lock := keyOn(second, shards, fmt.Sprintf("lock%d", i))
		locks = append(locks, "set "+lock+" x")
		writes = append(writes, fmt.Sprintf("set %s %d", data, i), "del "+lock, fmt.Sprintf("set %s %d", ready, i))
		reads = append(reads, "get "+ready, "get "+data, "exists "+lock, "get "+data)
	}
	writer, readers := place.dial(), []*caller{place.dial(), place.dial(), place.dial()}
	writer.pipeline(locks...)
	writer.next(len(locks))

	rest := [][]byte{requests(writes...)}
	for range readers {
		rest = append(rest, requests(reads...))
	}
	replies := make([][]string, 1+len(readers))
	place.until("the end of the relay", func() bool {
		left := false
		for i, c := range append([]*caller{writer}, readers...) {
			c.deal(d, &rest[i], 1+d.below(4000))
			replies[i] = append(replies[i], c.arrived()...)
			left = left || len(rest[i]) > 0 || len(replies[i]) < []int{len(writes), len(reads)}[min(i, 1)]
		}
		return !left
	})
	for _, list := range replies[1:] {
		broken += outOfOrder(list)
	}
	return broken
}

// outOfOrder counts the reads of a reader that contradict the writer's order.
func outOfOrder(list []string) (broken int) {
	for i := 0; i < len(list); i += 4 {
		round := i/4 + 1
		if number(list[i+1]) < number(list[i]) {
			broken++
		}
		if list[i+2] == ":0\r\n" && number(list[i+3]) < round {
			broken++
		}
	}
	return broken
}

// What follows in a pipeline takes effect after what comes before it, whichever
// loops own the keys.
func TestStrictPipelinesTakeEffectInOrder(t *testing.T) {
	eachSeed(t, 60, func(t *testing.T, seed uint64, world *sim.World) {
		if broken := relay(t, seed, world); broken > 0 {
			t.Errorf("%d reads out of order", broken)
		}
	})
}

// Where order is given up, some seeds must show it; else the test of the strict
// order could not fail.
func TestRelaxedPipelinesOverlap(t *testing.T) {
	broken := 0
	for seed := range uint64(20) {
		broken += relay(t, seed, sim.New(seed, sim.Mix{}), "pipeline-order=relaxed")
	}
	if broken == 0 {
		t.Error("no effects overlapped")
	}
}

// solo is a client that asks about keys of its own, and what it must be told.
type solo struct {
	*caller
	dice
	name  string
	asks  []byte
	want  resp.Writer
	got   []byte
	texts map[string]string
}

// askAll makes up a pipeline of single-key requests, with stretches of one key
// and here and there a request over several shards.
func (s *solo) askAll(count int) {
	var lines []string
	for len(lines) < count {
		key := fmt.Sprintf("%s:%d", s.name, s.below(40))
		for range 1 + s.below(3) {
			lines = append(lines, s.invent(key, len(lines)))
		}
		if s.below(50) == 0 {
			lines = append(lines, s.stretch(&lines, key))
		}
	}
	s.asks = requests(lines...)
}

// invent gives one request on a key.
func (s *solo) invent(key string, i int) string {
	switch s.below(5) {
	case 0:
		s.texts[key] = strconv.Itoa(i)
		s.want.OK()
		return "set " + key + " " + s.texts[key]
	case 1:
		s.texts[key] += "7"
		s.want.Int(int64(len(s.texts[key])))
		return "append " + key + " 7"
	case 2:
		s.wantText(key)
		return "get " + key
	case 3:
		s.want.Int(int64(len(s.texts[key])))
		return "strlen " + key
	}
	if rare := s.below(60); rare == 0 {
		other := s.name + ":0"
		s.want.Array(2)
		s.wantText(key)
		s.wantText(other)
		return "mget " + key + " " + other
	} else if rare == 1 {
		s.want.BulkString("x")
		return "echo x"
	}
	s.wantText(key)
	return "getex " + key
}

// stretch is a run of requests on one key, longer than any message between
// loops, and one more on another.
func (s *solo) stretch(lines *[]string, key string) string {
	for range 300 {
		s.wantText(key)
		*lines = append(*lines, "get "+key)
	}
	return s.invent(s.name+":1", len(*lines))
}

func (s *solo) wantText(key string) {
	if text, ok := s.texts[key]; ok {
		s.want.BulkString(text)
	} else {
		s.want.Null()
	}
}

// askedAlone has clients with keys of their own ask long pipelines.
func askedAlone(t *testing.T, seed uint64, world *sim.World, options ...string) {
	d := newDice(seed)
	place := newTownIn(t, world, 2+d.below(3), options...)
	if d.below(2) == 0 {
		place.byHops()
	}
	var all []*solo
	for i := range 2 + d.below(3) {
		s := &solo{caller: place.dial(), dice: dice{d.Fork()}, name: fmt.Sprintf("c%d", i), texts: map[string]string{}}
		s.want.Proto = 2
		s.askAll(1500)
		all = append(all, s)
	}
	place.until("every reply", func() bool {
		left := false
		for _, s := range all {
			s.deal(s.dice, &s.asks, 1+s.below(40_000))
			s.got = append(s.got, s.Receive()...)
			left = left || len(s.got) < s.want.Len()
		}
		return !left
	})
	for _, s := range all {
		if !bytes.Equal(s.got, s.want.Bytes()) {
			t.Errorf("%s: wrong replies", s.name)
		}
	}
}

// In both orders, replies come in the order of the requests, and requests on
// one key take effect in order.
func TestRepliesComeInOrder(t *testing.T) {
	for _, order := range []string{"strict", "relaxed"} {
		t.Run(order, func(t *testing.T) {
			eachSeed(t, 25, func(t *testing.T, seed uint64, world *sim.World) {
				askedAlone(t, seed, world, "pipeline-order="+order)
			})
		})
	}
}

// A relaxed pipeline that begins with more requests for the connection's own
// loop than one round takes must go on with the rest.
func TestRelaxedPipelineBeginsWithManyLocalRequests(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "pipeline-order=relaxed")
	c := place.dial()
	home := c.settle().id
	var lines []string
	for range 400 {
		lines = append(lines, "get "+keyOn(home, 2, "k"))
	}
	lines = append(lines, "get "+keyOn(1-home, 2, "k"))
	c.pipeline(lines...)
	c.next(len(lines))
}
