package resp

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A request that is said to be like the one before it is.
func TestLike(t *testing.T) {
	names := rapid.SampledFrom([]string{"", "a", "GET", "SET", "get", "INCRBY", "INCRBX", "EXPIRE", "PEXPIREAT", "G\r\nT"})
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		var requests [][][]byte
		w := Writer{Proto: 2}
		for range rapid.IntRange(0, 12).Draw(t, "requests") {
			request := [][]byte{[]byte(names.Draw(t, "name"))}
			for range rapid.IntRange(0, 2).Draw(t, "more") {
				request = append(request, bytes.Repeat([]byte{'x'}, rapid.SampledFrom([]int{0, 1, 9, 10, 16, 99, 100, 1000}).Draw(t, "length")))
			}
			w.Array(len(request))
			for _, arg := range request {
				w.Bulk(arg)
			}
			requests = append(requests, request)
		}
		var p Parser
		var b Batch
		limits := DefaultLimits()
		if err := p.Parse(w.Buf, &b, &limits); err != nil || len(b.Requests) != len(requests) {
			t.Fatalf("%d of %d requests, error %v", len(b.Requests), len(requests), err)
		}
		for i, r := range b.Requests {
			got := [][]byte{}
			for _, span := range b.Args(r) {
				got = append(got, span.In(w.Buf))
			}
			if !slices.EqualFunc(got, requests[i], bytes.Equal) {
				t.Fatalf("request %d is %q, want %q", i, got, requests[i])
			}
			if !r.Like {
				continue
			}
			seen++
			if i == 0 || len(requests[i-1]) != len(got) || !bytes.Equal(requests[i-1][0], got[0]) {
				t.Fatalf("request %d, %q, is not like the one before", i, got)
			}
		}
	})
	if seen == 0 && !testing.Short() { // then there are too few to tell
		t.Error("no request was like another")
	}
}

// In a pipeline of one command all requests but the first are like another.
func TestPipelineIsAlike(t *testing.T) {
	for _, request := range []string{getRequest, setRequest} {
		var p Parser
		var b Batch
		limits := DefaultLimits()
		if err := p.Parse(pipeline(8, request), &b, &limits); err != nil {
			t.Fatal(err)
		}
		for i, r := range b.Requests {
			if r.Like != (i > 0) {
				t.Errorf("request %d of %q: like is %v", i, request, r.Like)
			}
		}
	}
}
