//go:build linux

package main

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/research/bench/load"
)

// commandPipeline is the pipeline at which the commands row measures.
const commandPipeline = 16

// otherShapes lists the commands measured beside GET and SET. They find the
// keys key:* with values of 64 B, and num:* with integers.
func otherShapes() []load.Shape {
	return []load.Shape{
		lineShape("ping", "PING", "key:", 2),
		lineShape("exists", "EXISTS", "key:", 1),
		lineShape("strlen", "STRLEN", "key:", 1),
		lineShape("getrange", "GETRANGE", "key:", 2, "0", "15"),
		lineShape("setrange", "SETRANGE", "key:", 1, "16", "12345678"),
		lineShape("getset", "GETSET", "key:", 2, load.Value(7, valueSize)),
		lineShape("setnx", "SETNX", "key:", 1, "there"),
		lineShape("incr", "INCR", "num:", 1),
		lineShape("incrby", "INCRBY", "num:", 1, "17"),
		lineShape("incrbyfloat", "INCRBYFLOAT", "dec:", 2, "0.5"),
		lineShape("append", "APPEND", "app:", 1, "12345678"),
		grouped("mget 10", "MGET", 10, getShape),
		grouped("mset 10", "MSET", 10, setShape),
		joined("set+del", setOf("", "del:"), lineShape("", "DEL", "del:", 1)),
		joined("set+getdel", setOf("", "del:"), lineShape("", "GETDEL", "del:", 2)),
		joined("multi-get-exec", fixedShape("MULTI", 1), lineShape("", "GET", "key:", 1), fixedShape("EXEC", 3)),
		lineShape("touch", "TOUCH", "key:", 1),
		lineShape("type", "TYPE", "key:", 1),
		lineShape("expire", "EXPIRE", "key:", 1, "100000"),
		lineShape("ttl", "TTL", "key:", 1),
		lineShape("persist", "PERSIST", "key:", 1),
		lineShape("setex", "SETEX", "key:", 1, "100000", load.Value(7, valueSize)),
	}
}

// fixedShape makes a shape of a command without a key.
func fixedShape(name string, lines int) load.Shape {
	text := string(load.Command(nil, name))
	return load.Shape{Lines: lines, Request: func(dst []byte, _ int) []byte { return append(dst, text...) }}
}

// joined makes one request of several commands over the same key.
func joined(name string, parts ...load.Shape) load.Shape {
	whole := load.Shape{Name: name, Commands: len(parts)}
	for _, part := range parts {
		whole.Lines += max(part.Lines, 1)
	}
	whole.Request = func(dst []byte, key int) []byte {
		for _, part := range parts {
			dst = part.Request(dst, key)
		}
		return dst
	}
	return whole
}

// grouped makes a command over n keys, the one drawn and others far from it,
// out of a shape of one key.
func grouped(name, command string, n int, one load.Shape) load.Shape {
	const stride = 9973
	header := len("*2\r\n$3\r\nGET\r\n")
	per := strings.Count(string(one.Request(nil, 0)), "$") - 1
	opening := fmt.Sprintf("*%d\r\n%s", 1+n*per, load.AppendBulk(nil, command))
	shape := load.Shape{Name: name, Lines: 1}
	if per == 1 {
		shape.Lines += 2 * n
	}
	shape.Request = func(dst []byte, key int) []byte {
		dst = append(dst, opening...)
		for i := range n {
			at := len(dst)
			dst = one.Request(dst, key+i*stride)
			dst = append(dst[:at], dst[at+header:]...)
		}
		return dst
	}
	return shape
}

// commands measures CPU per command of everything but plain GET and SET.
func commands(l *lab) error {
	all, err := l.launchAll(l.stores())
	defer stopAll(all)
	if err != nil {
		return err
	}
	if err := l.fillOthers(all); err != nil {
		return err
	}
	var trials []trial
	for _, shape := range otherShapes() {
		requests := load.Random(shape, min(l.opt.Keys, 200_000), l.opt.Keys, 5)
		for _, r := range all {
			trials = append(trials, l.closedTrial(shape.Name, r, requests, commandPipeline, l.opt.Time/2))
		}
	}
	t, err := l.rounds("commands", l.opt.Rounds, trials)
	if err != nil {
		return err
	}
	l.report.section(section{
		title:   fmt.Sprintf("Other commands, pipeline %d, %d keys", commandPipeline, l.opt.Keys),
		note:    "CPU is the server's time per command; mget 10 and mset 10 count as one, the joined ones as the commands they hold.",
		table:   t,
		columns: []column{rateColumn, cpuColumn, ratioTo(oursName), cleanColumn},
	})
	return nil
}

// fillOthers stores the keys that otherShapes expects.
func (l *lab) fillOthers(all []*running) error {
	if err := l.fillStores(all, l.opt.Keys+10*9973); err != nil {
		return err
	}
	for _, r := range all {
		for _, shape := range []load.Shape{
			lineShape("", "SET", "num:", 1, "1000000"),
			lineShape("", "SET", "dec:", 1, "10.5"),
			lineShape("", "SET", "app:", 1, "12345678"),
		} {
			if err := l.fill(r, shape, l.opt.Keys); err != nil {
				return err
			}
		}
	}
	return nil
}
