package proc

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ofTwo are requests to one of two members, each of which owns slots, with replies
// as of redis-server.
var ofTwo = []step{
	{0, "cluster links"},
	{1, "cluster links"},
	{0, "cluster links x"},
	{0, "cluster nodes"},
	{1, "cluster nodes"},
	{0, "cluster slots"},
	{1, "cluster slots"},
	{0, "cluster shards"},
	{0, "cluster info"},
	{0, "cluster myid"},
	{0, "cluster count-failure-reports @0"},
	{0, "cluster count-failure-reports @1"},
	{0, "cluster count-failure-reports 0123456789012345678901234567890123456789"},
	{0, "cluster count-failure-reports"},
	{0, "cluster replicas @1"},
	{0, "cluster slaves @0"},
	{0, "cluster saveconfig"},
	{0, "cluster saveconfig x"},
	{0, "cluster bumpepoch"},
	{0, "cluster bumpepoch"},
	{0, "cluster bumpepoch x"},
	{1, "cluster bumpepoch"},
	{1, "cluster bumpepoch"},
	{0, "cluster set-config-epoch 7"},
	{0, "cluster set-config-epoch -7"},
	{0, "cluster set-config-epoch 7 7"},
	{0, "cluster forget @0"},
	{0, "cluster forget 0123456789012345678901234567890123456789"},
	{0, "cluster replicate @0"},
	{0, "cluster replicate @1"},
	{0, "cluster failover"},
	{0, "cluster addslots 16383"},
	{0, "cluster addslotsrange 5 6"},
	{0, "cluster keyslot b"},
	{0, "get b"},
	{1, "get b"},
	{1, "mget b c"},
	{0, "set b 1"},
	{0, "cluster reset"},
	{0, "cluster reset hard"},
	{0, "cluster flushslots"},
	{0, "cluster countkeysinslot 3300"},
	{0, "del b"},
	{0, "readonly"},
	{1, "readonly"},
	{1, "get b"},
	{0, "asking"},
	{0, "get b"},
}

// What two kinds of nodes cannot have in common: sizes, times, epochs, and who has
// dialled whom.
var unlike = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`cluster_stats_[^\r\n]*(\\r\\n|\r\n)`), ""},
	{regexp.MustCompile(`^\$\d+ cluster_state`), "cluster_state"},
	{regexp.MustCompile(`epoch:\d+`), "epoch:N"},
	{regexp.MustCompile(`(BUMPED|STILL) \d+`), "EPOCH"},
	{regexp.MustCompile(`\$2 to|\$4 from`), "DIRECTION"},
	{regexp.MustCompile(`\$2 rw`), "$$1 r"}, // what a link has to send may not have gone yet
	{regexp.MustCompile(`(create-time|send-buffer-\w+)\n( *):\d+`), "$1\n$2:N"},
}

// about gives a reply to one of ofTwo without what differs. Nodes keep connections as
// they need them, and list shards in any order: what counts is which lines there are.
func about(m *mover, s step) string {
	text := m.say(s)
	for _, u := range unlike {
		text = u.is.ReplaceAllString(text, u.as)
	}
	switch s.line {
	case "cluster links": // each is alike; how many there are is left out
		words := strings.Fields(text)
		links := strings.Split(strings.Join(words[1:], " "), "*12 ")
		slices.Sort(links)
		for i := range links {
			links[i] = strings.TrimSpace(links[i])
		}
		return strings.Join(slices.Compact(links), "\n")
	case "cluster shards":
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	return text
}

// Two members describe themselves and one another, and refuse, as those of
// redis-server do, whatever they want to be called.
func TestTwoMembersAsRedis(t *testing.T) {
	for _, endpoint := range []string{"ip", "hostname", "unknown-endpoint"} {
		t.Run(endpoint, func(t *testing.T) {
			flags := []string{"--cluster-announce-hostname", "any.example", "--cluster-preferred-endpoint-type", endpoint}
			b := benchOf(t, New, 2, flags...)
			ours, theirs := b.move([]string{b.Nodes[0].Addr(), b.Nodes[1].Addr()}), b.move(twoOfTheirs(t, flags...))
			for _, s := range ofTwo {
				if got, want := about(ours, s), about(theirs, s); got != want {
					t.Errorf("to node %d: %s\n\tours   %s\n\ttheirs %s", s.node, s.line, got, want)
				}
			}
		})
	}
}
