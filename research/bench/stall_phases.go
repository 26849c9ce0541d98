//go:build linux

package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/elares/ironcache/research/bench/load"
)

// A phase of the stall row puts one kind of strain on a server while a probe
// asks PING on a schedule. Most take up what the phase before them left.
type phase struct {
	name string
	run  func(on *strained, huge int) (load.Result, error)
}

var phases = []phase{
	{"idle", (*strained).idle},
	{"grow one hash tag", (*strained).growTag},
	{"scan it", (*strained).scan},
	{"delete its keys", (*strained).deleteTag},
	{"grow a database", (*strained).grow},
	{"scan the database", (*strained).scan},
	{"overwrite with other sizes", (*strained).overwrite},
	{"set deadlines", (*strained).setDeadlines},
	{"expire all at once", (*strained).expire},
	{"grow again", (*strained).grow},
	{"flush all", (*strained).flush},
	{"extend to a huge value", (*strained).extend},
	{"delete it untouched", (*strained).deleteHuge},
	{"append to a huge value", (*strained).appendHuge},
	{"read it", (*strained).readHuge},
	{"delete it", (*strained).deleteHuge},
	{"store a huge value", (*strained).storeHuge},
	{"overwrite it", (*strained).storeHuge},
	{"unlink it", (*strained).unlinkHuge},
}

// tagShare is the share of the large key space that the one hash tag gets.
const tagShare = 0.6

var (
	pingShape = load.Shape{
		Name:    "ping",
		Request: func(dst []byte, _ int) []byte { return load.Command(dst, "PING") },
		Reply:   func(dst []byte, _ int) []byte { return append(dst, "+PONG\r\n"...) },
	}
	tagShape     = setOf("set", "{t}:")
	deleteShape  = lineShape("del", "DEL", "{t}:", 1)
	unequalShape = load.Shape{ // values of 16 to 207 bytes
		Name: "set unequal",
		Request: func(dst []byte, key int) []byte {
			dst = appendKeyed(append(dst, "*3\r\n$3\r\nSET\r\n"...), "key:", key)
			return load.AppendBulk(dst, load.Value(key, 16+key*7%192))
		},
		Reply: appendOK,
	}
)

// once is a shape of one command.
func once(lines int, args ...string) load.Shape {
	return load.Shape{
		Name: args[0], Lines: lines,
		Request: func(dst []byte, _ int) []byte { return load.Command(dst, args...) },
	}
}

func (on *strained) idle(int) (load.Result, error) { return on.watch(2 * time.Second) }

// watch lets the probe run alone for a while.
func (on *strained) watch(long time.Duration) (load.Result, error) {
	probe := on.probe
	probe.For, probe.Conns = long, 1
	return on.client.Open(probe)
}

func (on *strained) growTag(int) (load.Result, error) {
	return on.each(tagShape, int(tagShare*float64(on.keys)))
}

func (on *strained) deleteTag(int) (load.Result, error) {
	return on.each(deleteShape, int(tagShare*float64(on.keys)))
}

func (on *strained) grow(int) (load.Result, error) { return on.each(setShape, on.keys) }

func (on *strained) overwrite(int) (load.Result, error) { return on.each(unequalShape, on.keys) }

func (on *strained) scan(int) (load.Result, error) {
	_, seen, err := on.client.ProbedScan("100", on.probe)
	return seen, err
}

// each sends a request for every key, rendered a piece at a time, and joins
// what the probe saw.
func (on *strained) each(shape load.Shape, keys int) (all load.Result, err error) {
	const piece = 500_000
	for from := 0; from < keys; from += piece {
		plan := load.Closed{Requests: load.InOrder(shape, from, min(from+piece, keys)), Pipeline: 16, Once: true}
		_, seen, err := on.client.Probed(plan, on.probe)
		if err != nil {
			return all, err
		}
		all.Join(seen)
	}
	return all, nil
}

// setDeadlines gives every key the same one, about when the last has got it.
func (on *strained) setDeadlines(int) (load.Result, error) {
	at := time.Now().Add(time.Duration(on.keys) * 4 * time.Microsecond).UnixMilli()
	return on.each(lineShape("pexpireat", "PEXPIREAT", "key:", 1, fmt.Sprint(at)), on.keys)
}

// expire watches until no key is left.
func (on *strained) expire(int) (all load.Result, err error) {
	for range 600 {
		seen, err := on.watch(100 * time.Millisecond)
		if err != nil {
			return all, err
		}
		all.Join(seen)
		if left, err := on.ask.Do("DBSIZE"); err != nil || left == ":0\r\n" {
			return all, on.settle(&all, err)
		}
	}
	return all, fmt.Errorf("keys are left a minute after they have expired")
}

// settle watches until the server's memory has not changed by 1% for a second.
func (on *strained) settle(all *load.Result, err error) error {
	for was, tries := 0.0, 0; err == nil && tries < 30; tries++ {
		now := float64(on.Resident())
		if math.Abs(now-was) <= was/100 {
			break
		}
		was = now
		var seen load.Result
		seen, err = on.watch(time.Second)
		all.Join(seen)
	}
	return err
}

func (on *strained) flush(int) (load.Result, error) {
	return on.single(once(1, "FLUSHALL"))
}

// single sends one request and watches until the server has settled.
func (on *strained) single(shape load.Shape) (load.Result, error) {
	plan := load.Closed{Requests: load.InOrder(shape, 0, 1), Pipeline: 1, Once: true}
	_, seen, err := on.client.Probed(plan, on.probe)
	return seen, on.settle(&seen, err)
}

func (on *strained) extend(huge int) (load.Result, error) {
	return on.single(once(1, "SETRANGE", "huge", fmt.Sprint(huge-1), "x"))
}

// appendHuge grows a value by 1 MB at a time.
func (on *strained) appendHuge(huge int) (load.Result, error) {
	const step = 1 << 20
	shape := once(1, "APPEND", "huge", strings.Repeat("v", step))
	plan := load.Closed{Requests: load.InOrder(shape, 0, 8), Pipeline: 1, Once: true}
	var all load.Result
	for done := 0; done < huge/step; done += 8 {
		_, seen, err := on.client.Probed(plan, on.probe)
		if err != nil {
			return all, err
		}
		all.Join(seen)
	}
	return all, nil
}

func (on *strained) readHuge(int) (load.Result, error) { return on.single(once(2, "GET", "huge")) }

func (on *strained) deleteHuge(int) (load.Result, error) { return on.single(once(1, "DEL", "huge")) }

func (on *strained) unlinkHuge(int) (load.Result, error) {
	return on.single(once(1, "UNLINK", "huge"))
}

func (on *strained) storeHuge(huge int) (load.Result, error) {
	return on.single(once(1, "SET", "huge", strings.Repeat("v", huge)))
}
