package differ

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sentences are the fields whose text is our own.
var sentences = []string{"summary", "complexity", "replaced_by", "notes"}

// laterDocs are the places where ours follows a later version of Redis than
// 7.0.15, or lacks a subcommand, each the beginning of a path.
var laterDocs = []string{
	"docs/acl/subcommands", "docs/client/subcommands/client|caching", "docs/client/subcommands/client|getredir",
	"docs/client/subcommands/client|no-touch", "docs/client/subcommands/client|setinfo", "docs/client/subcommands/client|tracking",
	"docs/client/subcommands/client|pause/since", "docs/cluster/subcommands/cluster|myshardid", "docs/module/subcommands",
	"docs/psetex/d", "docs/quit/d", "docs/setex/d", "docs/setnx/d", "docs/set/arguments/2/arguments/",
	"docs/client/subcommands/client|kill/arguments/0/arguments/1/arguments/6", // MAXAGE
	"info/acl/subcommands", "info/client/subcommands/client|caching", "info/client/subcommands/client|getredir",
	"info/client/subcommands/client|no-touch", "info/client/subcommands/client|setinfo", "info/client/subcommands/client|tracking",
	"info/client/subcommands/client|setname/tips", "info/cluster/subcommands/cluster|myshardid",
	"info/cluster/subcommands/cluster|shards/flags/loading", "info/cluster/subcommands/cluster|slots/flags/loading",
	"info/command/subcommands/command|getkeys", "info/config/subcommands/config|resetstat/tips", "info/config/subcommands/config|rewrite/tips",
	"info/latency/subcommands/latency|reset/tips", "info/module/subcommands", "info/msetnx/tips", "info/randomkey/tips", "info/scan/tips",
}

// TestDocsOnRedis: what COMMAND DOCS and COMMAND INFO tell of the commands that
// both know is the same, save for sentences and what is listed above.
func TestDocsOnRedis(t *testing.T) {
	redis, ours := facts(t, redisServer(t, 0)), facts(t, oursServer(t, 1))
	used := map[string]bool{}
	check := func(path string) {
		command := strings.Join(strings.SplitN(path, "/", 3)[:2], "/") + "/"
		if redis[path] == ours[path] || !redis[command] || !ours[command] {
			return
		}
		i := slices.IndexFunc(laterDocs, func(later string) bool { return strings.HasPrefix(path, later) })
		if i < 0 {
			t.Errorf("%s: redis-server %v, ours %v", path, redis[path], ours[path])
			return
		}
		used[laterDocs[i]] = true
	}
	for path := range redis {
		check(path)
	}
	for path := range ours {
		check(path)
	}
	for _, later := range laterDocs {
		if !used[later] {
			t.Errorf("%s: no difference", later)
		}
	}
}

// facts lists what a server tells of its commands as paths.
func facts(t *testing.T, addr string) map[string]bool {
	t.Helper()
	c, err := Dial(addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	do := func(args ...string) Reply {
		reply, err := c.Do(args...)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	do("hello", "3")
	all := map[string]bool{}
	note(all, "docs", do("command", "docs"))
	for _, info := range do("command").Items {
		noteInfo(all, "info", info)
	}
	return all
}

// infoFields are the parts of COMMAND INFO.
var infoFields = []string{"name", "arity", "flags", "first", "last", "step", "categories", "tips", "keys"}

func noteInfo(all map[string]bool, path string, info Reply) {
	path += "/" + info.Items[0].Text
	all[path+"/"] = true
	for i, field := range infoFields {
		note(all, path+"/"+field, info.Items[i])
	}
	subs := info.Items[len(infoFields)]
	all[path+"/subcommands:"+string(subs.Kind)] = true
	for _, sub := range subs.Items {
		noteInfo(all, path+"/subcommands", sub)
	}
}

// note adds the paths of a reply. The elements of a set have no order.
func note(all map[string]bool, path string, r Reply) {
	switch r.Kind {
	case '%':
		all[path+"/"] = true
		for i := 0; i < len(r.Items); i += 2 {
			if key := r.Items[i].Text; !slices.Contains(sentences, key) {
				note(all, path+"/"+key, r.Items[i+1])
			}
		}
	case '~':
		all[path+":set"] = true
		for _, item := range r.Items {
			if len(item.Items) == 2 { // a line of a history: its version
				item = item.Items[0]
			}
			note(all, path+"/"+item.Text, Reply{Kind: item.Kind})
		}
	case '*':
		for i, item := range r.Items {
			note(all, fmt.Sprintf("%s/%d", path, i), item)
		}
	default:
		all[fmt.Sprintf("%s = %c%s", path, r.Kind, r.Text)] = true
	}
}
