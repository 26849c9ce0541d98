package command

import (
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
)

// written is what write writes, with a space for each line end.
func written(proto uint8, write func(*resp.Writer)) string {
	w := resp.Writer{Proto: proto}
	write(&w)
	return strings.TrimSuffix(strings.ReplaceAll(string(w.Bytes()), "\r\n", " "), " ")
}

// Apart from sentences, what is wanted here is what redis-server 7.0 replies.
func TestCommandInfo(t *testing.T) {
	for _, test := range []struct {
		proto      uint8
		name, want string
	}{
		{2, "GET", "*1 *10 $3 get :2 *2 +readonly +fast :1 :1 :1 *3 +@read +@string +@fast *0 *1 *6 $5 flags *2 +RO +access $12 begin_search *4 $4 type $5 index $4 spec *2 $5 index :1 $9 find_keys *4 $4 type $5 range $4 spec *6 $7 lastkey :0 $7 keystep :1 $5 limit :0 *0"},
		{3, "get", "*1 *10 $3 get :2 ~2 +readonly +fast :1 :1 :1 ~3 +@read +@string +@fast ~0 ~1 %3 $5 flags ~2 +RO +access $12 begin_search %2 $4 type $5 index $4 spec %1 $5 index :1 $9 find_keys %2 $4 type $5 range $4 spec %3 $7 lastkey :0 $7 keystep :1 $5 limit :0 ~0"},
		{3, "object|freq", "*1 *10 $11 object|freq :3 ~1 +readonly :2 :2 :1 ~3 +@keyspace +@read +@slow ~1 $23 nondeterministic_output ~1 %3 $5 flags ~1 +RO $12 begin_search %2 $4 type $5 index $4 spec %1 $5 index :2 $9 find_keys %2 $4 type $5 range $4 spec %3 $7 lastkey :0 $7 keystep :1 $5 limit :0 ~0"},
		{2, "ping", "*1 *10 $4 ping :-1 *1 +fast :0 :0 :0 *2 +@fast +@connection *2 $25 request_policy:all_shards $29 response_policy:all_succeeded *0 *0"},
		{2, "nosuch", "*1 $-1"},
		{3, "nosuch", "*1 _"},
		{2, "object|nosuch", "*1 $-1"},
	} {
		got := written(test.proto, func(w *resp.Writer) { WriteCommandInfo(w, []byte(test.name)) })
		if got != test.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", test.name, got, test.want)
		}
	}
}

func TestLegacyRanges(t *testing.T) {
	for name, want := range map[string][3]int{
		"get": {1, 1, 1}, "mset": {1, -1, 2}, "del": {1, -1, 1}, "lcs": {1, 2, 1}, "rename": {1, 2, 1},
		"copy": {1, 2, 1}, "memory|usage": {2, 2, 1}, "msetex": {0, 0, 0}, "ping": {0, 0, 0},
	} {
		first, last, step := Named([]byte(name)).legacyRange()
		if got := [3]int{first, last, step}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestCommandDocs(t *testing.T) {
	for _, test := range []struct {
		proto      uint8
		name, want string
	}{
		{2, "get", "*2 $3 get *10 $7 summary $32 Replies with the string at a key $5 since $5 1.0.0 $5 group $6 string $10 complexity $4 O(1) $9 arguments *1 *6 $4 name $3 key $4 type $3 key $14 key_spec_index :0"},
		{3, "setnx", "%1 $5 setnx %8 $7 summary $35 Sets a string unless the key exists $5 since $5 1.0.0 $5 group $6 string $10 complexity $4 O(1) $9 doc_flags ~1 +deprecated $16 deprecated_since $6 2.6.12 $11 replaced_by $11 SET with NX $9 arguments *2 %3 $4 name $3 key $4 type $3 key $14 key_spec_index :0 %2 $4 name $5 value $4 type $6 string"},
		{3, "expireat", "%1 $8 expireat %6 $7 summary $43 Lets a key expire at a Unix time in seconds $5 since $5 1.2.0 $5 group $7 generic $10 complexity $4 O(1) $7 history ~1 *2 $5 7.0.0 $27 NX, XX, GT and LT are known $9 arguments *3 %3 $4 name $3 key $4 type $3 key $14 key_spec_index :0 %2 $4 name $17 unix-time-seconds $4 type $9 unix-time %5 $4 name $9 condition $4 type $5 oneof $5 since $5 7.0.0 $5 flags ~1 +optional $9 arguments *4 %3 $4 name $2 nx $4 type $10 pure-token $5 token $2 NX %3 $4 name $2 xx $4 type $10 pure-token $5 token $2 XX %3 $4 name $2 gt $4 type $10 pure-token $5 token $2 GT %3 $4 name $2 lt $4 type $10 pure-token $5 token $2 LT"},
		{2, "nosuch", "*0"},
	} {
		got := written(test.proto, func(w *resp.Writer) { WriteCommandDocs(w, []byte(test.name)) })
		if got != test.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", test.name, got, test.want)
		}
	}
}

func TestCommandCount(t *testing.T) {
	head := "*" + strings.Fields(written(2, func(w *resp.Writer) { w.Array(CommandCount()) }))[0][1:]
	for _, write := range []func(*resp.Writer){
		func(w *resp.Writer) { WriteCommandInfo(w) },
		func(w *resp.Writer) { _ = WriteCommandList(w, argsOf("command list")) },
	} {
		if got := strings.Fields(written(2, write))[0]; got != head {
			t.Errorf("%s commands, want %s", got, head)
		}
	}
}

func TestCommandList(t *testing.T) {
	for line, want := range map[string]string{
		"command list filterby aclcat Transaction": "*5 $7 discard $4 exec $5 multi $7 unwatch $5 watch",
		"command list filterby pattern OBJECT|?r*": "*1 $11 object|freq",
		"command list filterby aclcat nosuch":      "*0",
		"command list filterby module json":        "*0",
		"command list filterby module":             syntax,
		"command list filterby name x":             syntax,
		"command list foo pattern x":               syntax,
	} {
		got := written(3, func(w *resp.Writer) {
			if err := WriteCommandList(w, argsOf(line)); err != nil {
				w.Fail(err)
			}
		})
		if got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestCommandKeys(t *testing.T) {
	for line, want := range map[string]string{
		"command getkeys get a":               "*1 $1 a",
		"command getkeys mset a b c":          "*2 $1 a $1 c",
		"command getkeys object encoding a":   "*1 $1 a",
		"command getkeys foo a":               "-ERR Invalid command specified",
		"command getkeys object foo a":        "-ERR Invalid command specified",
		"command getkeys client list":         "-ERR The command has no key arguments",
		"command getkeys get a b":             "-ERR Invalid number of arguments specified for command",
		"command getkeys msetex 5 a b":        "-ERR Invalid arguments specified for command",
		"command getkeysandflags set a b":     "*1 *2 $1 a ~2 +OW +update",
		"command getkeysandflags set a b get": "*1 *2 $1 a ~3 +RW +access +update",
	} {
		a := argsOf(line)
		got := written(3, func(w *resp.Writer) {
			if err := WriteCommandKeys(w, Args{a.Buf, a.Spans[2:]}, fold(a.At(1), "getkeysandflags")); err != nil {
				w.Fail(err)
			}
		})
		if got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestHelp(t *testing.T) {
	want := "*11 +OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are: " +
		"+ENCODING <key> +    Tells how a value is stored. +FREQ <key> +    Tells the access frequency counter of a key. " +
		"+HELP +    Lists the subcommands of OBJECT. +IDLETIME <key> +    Tells the seconds since a key was last used. " +
		"+REFCOUNT <key> +    Tells how often a value is referenced."
	if got := newWorld(t, 1).do("object help"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got := written(2, func(w *resp.Writer) { WriteHelp(w, Lookup([]byte("client"))) })
	if !strings.Contains(got, "+REPLY ON | OFF | SKIP +") {
		t.Error(got)
	}
}
