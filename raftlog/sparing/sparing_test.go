package sparing

import (
	"fmt"
	"testing"
	"time"
)

// What goes on and on is told at once, then ever more seldom, and then once a minute.
func TestLinesGetFewer(t *testing.T) {
	for _, test := range []struct {
		every, lasts time.Duration
		want         string
	}{
		{time.Hour, 2 * time.Hour, "0s+0 1h0m0s+0"},
		{500 * time.Millisecond, 5 * time.Minute, "0s+0 1s+1 3s+3 7s+7 15s+15 31s+31 1m3s+63 2m3s+119 3m3s+119 4m3s+119"},
		{10 * time.Second, 5 * time.Minute, "0s+0 10s+0 20s+0 30s+0 40s+0 1m0s+1 1m40s+3 2m40s+5 3m40s+5 4m40s+5"},
	} {
		var k Kind
		if got := k.over(0, test.every, test.lasts); got != test.want {
			t.Errorf("every %v:\n got %s\nwant %s", test.every, got, test.want)
		}
	}
}

// After a minute in which nothing happened it is told as often as in the beginning.
func TestQuietMinute(t *testing.T) {
	for _, test := range []struct {
		quiet time.Duration
		want  string
	}{
		{58 * time.Second, "0s+57"},
		{time.Minute, "0s+57 1s+0 3s+1"},
	} {
		var k Kind
		k.over(0, time.Second, 5*time.Minute+time.Second)
		if got := k.over(5*time.Minute+test.quiet, time.Second, 5*time.Second); got != test.want {
			t.Errorf("quiet for %v: got %s, want %s", test.quiet, got, test.want)
		}
	}
}

// over has something happen again and again, from a time on. It gives when lines are
// written, counted from then, and how many were left out.
func (k *Kind) over(from, every, lasts time.Duration) (lines string) {
	for at := time.Duration(0); at < lasts; at += every {
		attributes, ok := k.Line(int64(from+at), "a", 1)
		if !ok {
			continue
		}
		left := any(0)
		if len(attributes) == 4 {
			left = attributes[3]
		}
		if lines != "" {
			lines += " "
		}
		lines += fmt.Sprintf("%v+%v", at, left)
	}
	return lines
}
