package raftlog

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// spoken is a log that any thread may write to.
type spoken struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *spoken) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *spoken) has(part string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), part)
}

// Of the descriptors that a node has for its control plane, connections that say nothing
// take a half at most; a node gets in all the same.
func TestSilentConnectionsTakeFewFiles(t *testing.T) {
	o, log := freeOptions(t), &spoken{}
	o.Files, o.Log = 16, slog.New(slog.NewTextHandler(log, nil))
	p, other := openFree(t, o), openFree(t, freeOptions(t))
	for range 20 {
		c, err := net.Dial("tcp", p.options.Bus())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	eventually(t, "the oldest are closed", func() bool { return log.has("too many connections at once that have not proved themselves") })
	if err := other.call(p.options.Bus(), callHello, hello{From: other.id}, nil, 10*time.Second); err != nil {
		t.Error(err)
	}
}

// pieces gives a text in small pieces, and looks at how much memory it is to be read into.
type pieces struct {
	text  []byte
	given int
	most  int // bytes of memory beyond what was given before
}

func (p *pieces) Read(b []byte) (int, error) {
	p.most = max(p.most, len(b)-p.given)
	n := copy(b, p.text[p.given:min(p.given+100, len(p.text))])
	if n == 0 {
		return 0, io.EOF
	}
	p.given += n
	return n, nil
}

// A frame takes memory as it comes, not as its head promises.
func TestFrameTakesMemoryAsItComes(t *testing.T) {
	var text bytes.Buffer
	body := bytes.Repeat([]byte("twelve bytes"), mostCall/12)
	if err := writeFrame(&text, frame{byte(callHello), 7, body}); err != nil {
		t.Fatal(err)
	}
	for _, come := range []int{frameStart, frameStart + 10, frameStart + 5000, text.Len()} {
		from := &pieces{text: text.Bytes()[:come]}
		got, err := readFrame(from)
		if from.most > 4096 {
			t.Errorf("of %d bytes: %d bytes of memory more than had come", come, from.most)
		}
		if whole := come == text.Len(); whole != (err == nil) || whole && (got.call != 7 || !bytes.Equal(got.body, body)) || !whole && err != io.ErrUnexpectedEOF {
			t.Errorf("of %d bytes: %d bytes, %v", come, len(got.body), err)
		}
	}
	for _, size := range []int{0, 1} {
		text.Reset()
		if err := writeFrame(&text, frame{byte(callHello), 1, body[:size]}); err != nil {
			t.Fatal(err)
		}
		if got, err := readFrame(&text); err != nil || len(got.body) != size {
			t.Errorf("a body of %d bytes: %d, %v", size, len(got.body), err)
		}
	}
}

// closing is a connection that can be closed, and nothing else.
type closing struct {
	net.Conn
	is bool
}

func (c *closing) Close() error {
	c.is = true
	return nil
}

// For one connection too many the one that is idle longest is ended, and none that is
// being answered.
func TestServedMakeRoom(t *testing.T) {
	s := &served{most: 3}
	var all []*closing
	come := func() *serving {
		all = append(all, &closing{})
		return s.enter(all[len(all)-1])
	}
	first, second, third := come(), come(), come()
	if !s.begin(first) || !s.begin(second) {
		t.Fatal("they are ended")
	}
	s.end(first)
	fourth := come()
	if !all[2].is || s.begin(third) {
		t.Error("the third is the one that is idle longest")
	}
	fifth := come()
	if !all[0].is || all[1].is || all[3].is {
		t.Error("the first is the next")
	}
	if !s.begin(fourth) || !s.begin(fifth) || come() != nil {
		t.Error("all are being answered, and there is room")
	}
	s.end(second)
	s.leave(fourth)
	if come() == nil || come() == nil || !all[1].is || len(s.list) != 3 {
		t.Errorf("%d are left", len(s.list))
	}
}

// However many connections for calls there are, nodes get an answer, and those that they
// keep and that were ended for others are made anew.
func TestServedAreBounded(t *testing.T) {
	o := freeOptions(t)
	o.Files = 16
	p := openFree(t, o)
	var others []*Plane
	for range 3 {
		others = append(others, openFree(t, freeOptions(t)))
	}
	to := nameOf(p.id, &p.address)
	for range 3 {
		for _, other := range others {
			for range 5 { // that are idle
				c, err := other.bus.Dial(lineCalls, to, 10*time.Second)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
			}
			if err := other.call(to, callHello, hello{From: other.id}, nil, 10*time.Second); err != nil {
				t.Errorf("node %v: %v", other.id, err)
			}
		}
	}
	p.served.mu.Lock()
	defer p.served.mu.Unlock()
	if len(p.served.list) > 4 {
		t.Errorf("%d connections", len(p.served.list))
	}
}
