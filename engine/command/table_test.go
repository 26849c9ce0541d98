package command

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
)

// beyond are the rows that the list of commands in testdata does not have.
var beyond = []string{"delex", "delifeq", "digest", "msetex"}

func TestTableIsSorted(t *testing.T) {
	for i := range Table {
		row := &Table[i]
		if i > 0 && Table[i-1].Name >= row.Name {
			t.Errorf("%s stands behind %s", row.Name, Table[i-1].Name)
		}
		if int(row.ID) != i {
			t.Errorf("%s has ID %d at %d", row.Name, row.ID, i)
		}
	}
}

func TestRowsAreComplete(t *testing.T) {
	for i := range Table {
		row := &Table[i]
		t.Run(row.Name, func(t *testing.T) {
			doc := &row.Doc
			if doc.Summary == "" || doc.Since == "" || doc.Complexity == "" || row.Group == "" {
				t.Error("a part of the documentation is missing")
			}
			if strings.HasSuffix(doc.Summary, ".") || len(doc.Summary) > 90 {
				t.Errorf("the summary is no short phrase: %s", doc.Summary)
			}
			if (doc.DeprecatedSince == "") != (doc.ReplacedBy == "") {
				t.Error("deprecated by halves")
			}
			if row.Arity == 0 || row.Subs == 0 && !row.IsSub() && row.Arity != -1 && row.Arity != 1 && len(doc.Args) == 0 && row.Name != "debug" {
				t.Error("arguments are missing")
			}
			checkScope(t, row)
			checkArgs(t, row, doc.Args)
		})
	}
}

// checkScope checks that the scope agrees with keys and function.
func checkScope(t *testing.T, row *Row) {
	hasKeys := len(row.Keys) != 0
	byKeys := row.Scope == ByKey || row.Scope == ByKeys
	if hasKeys != byKeys {
		t.Errorf("scope %d with %d key specs", row.Scope, len(row.Keys))
	}
	if row.Do == nil && row.Scope != BySession && row.Scope != ByKeys {
		t.Error("the scope needs shards, the row has no function")
	}
	if hasKeys && row.First == 0 && row.Flags&MovableKeys == 0 {
		t.Error("the first key has no fixed place")
	}
	for i := range row.Keys {
		if row.Keys[i].Flags&(RO|RW|OW|RM) == 0 {
			t.Errorf("key spec %d does not say what is done", i)
		}
	}
}

func checkArgs(t *testing.T, row *Row, list []Arg) {
	for i := range list {
		a := &list[i]
		if a.Name == "" || a.Kind == KindPureToken && a.Token == "" {
			t.Errorf("argument %d has no name or token", i)
		}
		if a.Kind == KindKey && a.Key >= len(row.Keys) {
			t.Errorf("argument %s names key spec %d", a.Name, a.Key)
		}
		if (a.Kind == KindOneOf || a.Kind == KindBlock) != (len(a.Args) > 0) {
			t.Errorf("argument %s: parts and kind disagree", a.Name)
		}
		checkArgs(t, row, a.Args)
	}
}

func TestTableEqualsTheListOfCommands(t *testing.T) {
	listed := map[string]bool{}
	for _, want := range readList(t) {
		name := strings.ReplaceAll(want["#command"], " ", "|")
		listed[name] = true
		t.Run(name, func(t *testing.T) {
			row := Named([]byte(name))
			if row == nil {
				t.Fatal("no such row")
			}
			compareRow(t, row, want)
		})
	}
	for i := range Table {
		if name := Table[i].Name; !listed[name] && !slices.Contains(beyond, name) {
			t.Errorf("%s is not in the list of commands", name)
		}
	}
}

func compareRow(t *testing.T, row *Row, want map[string]string) {
	same := func(what, got, want string) {
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	hidden := sorted(want["hidden_flags"])
	same("arity", strconv.Itoa(row.Arity), want["arity"])
	same("group", row.Group, want["group"])
	same("since", row.Doc.Since, want["since"])
	same("deprecated", row.Doc.DeprecatedSince, strings.Trim(want["deprecated_since"], "-"))
	same("flags", bitNames(flagNames[:], uint32(row.Flags)), sorted(want["flags"]))
	same("categories", bitNames(CategoryNames[:], uint32(row.Categories)), sorted(want["acl_categories"]))
	same("tips", strings.Join(row.Tips, ","), strings.Trim(want["command_tips"], "-"))
	same("keys", specText(row.Keys), strings.Trim(want["key_specs"], "-"))
	same("sentinel", strconv.FormatBool(row.Flags&Sentinel != 0), strconv.FormatBool(strings.Contains(hidden, "sentinel")))
	same("protected", strconv.FormatBool(row.Flags&Protected != 0), strconv.FormatBool(strings.Contains(hidden, "protected")))
}

// sorted sorts a list with commas.
func sorted(list string) string {
	if list == "-" {
		return ""
	}
	words := strings.Split(list, ",")
	slices.Sort(words)
	return strings.Join(words, ",")
}

func bitNames(names []string, bits uint32) string {
	var on []string
	for bit, name := range names {
		if bits>>bit&1 != 0 && name != "" {
			on = append(on, name)
		}
	}
	slices.Sort(on)
	return strings.Join(on, ",")
}

// specText writes key specs as the list of commands does.
func specText(specs []KeySpec) string {
	var words []string
	for i := range specs {
		s := &specs[i]
		numbers := []int{s.Find.Last, s.Find.Step, s.Find.Limit}
		find := "range"
		if s.Find.Kind == FindKeyNum {
			find, numbers = "keynum", []int{s.Find.NumAt, s.Find.First, s.Find.Step}
		}
		var flags []string
		for bit, name := range keyFlagNames {
			if s.Flags>>bit&1 != 0 {
				flags = append(flags, strings.ToUpper(name))
			}
		}
		words = append(words, "index:"+strconv.Itoa(s.Begin.Index)+"/"+find+":"+join(numbers)+"/"+strings.Join(flags, "+"))
	}
	return strings.Join(words, " ")
}

func join(numbers []int) string {
	var words []string
	for _, n := range numbers {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ",")
}

// readList reads testdata/commands.tsv: a map for every command.
func readList(t *testing.T) []map[string]string {
	file, err := os.Open("testdata/commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comma = '\t'
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		list = append(list, row)
	}
	return list
}

func TestLookup(t *testing.T) {
	for i := range Table {
		row := &Table[i]
		for _, name := range []string{row.Name, strings.ToUpper(row.Name), strings.ToUpper(row.Name[:1]) + row.Name[1:]} {
			if got := Named([]byte(name)); got != row {
				t.Errorf("Named(%q) = %v", name, got)
			}
		}
		for _, name := range []string{row.Name + "x", row.Name[1:], row.Name[:len(row.Name)-1] + "\x00", "\x00" + row.Name[1:]} {
			if got := Lookup([]byte(name)); got != nil && got.Name != name {
				t.Errorf("Lookup(%q) = %s", name, got.Name)
			}
		}
	}
	if got := Lookup(nil); got != nil {
		t.Errorf("Lookup of nothing = %s", got.Name)
	}
}

func TestLookupIsExactAboutOtherBytes(t *testing.T) {
	for _, name := range []string{"ge\x14", "g\x05t", "client|list", "no\x0devict", "GE\xd4"} {
		if row := Lookup([]byte(name)); row != nil {
			t.Errorf("Lookup(%q) = %s", name, row.Name)
		}
	}
	if Lookup([]byte("client")).Sub([]byte("no\x0devict")) != nil {
		t.Error("a control byte passes for a dash")
	}
}

func TestLookupDoesNotAllocate(t *testing.T) {
	name, sub := []byte("Client"), []byte("No-Evict")
	if n := testing.AllocsPerRun(100, func() {
		if Lookup(name).Sub(sub) == nil {
			t.Fatal("not found")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLookup(b *testing.B) {
	for _, name := range []string{"GET", "incr", "pexpiretime"} {
		b.Run(name, func(b *testing.B) {
			text := []byte(name)
			for range b.N {
				if Lookup(text) == nil {
					b.Fatal("not found")
				}
			}
		})
	}
}

func TestResolve(t *testing.T) {
	for _, test := range []struct{ line, name, err string }{
		{"get k", "get", ""},
		{"GET", "get", "ERR wrong number of arguments for 'get' command"},
		{"get a b", "get", "ERR wrong number of arguments for 'get' command"},
		{"client", "client", "ERR wrong number of arguments for 'client' command"},
		{"client kill", "client|kill", "ERR wrong number of arguments for 'client|kill' command"},
		{"CLIENT list", "client|list", ""},
		{"client foo", "", "ERR unknown subcommand 'foo'. Try CLIENT HELP."},
		{"foo a b", "", "ERR unknown command 'foo', with args beginning with: 'a' 'b' "},
		{"foo", "", "ERR unknown command 'foo', with args beginning with: "},
		{"command", "command", ""},
	} {
		row, err := Resolve(argsOf(test.line))
		name := ""
		if row != nil {
			name = row.Name
		}
		if name != test.name || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q: %q, %v", test.line, name, err)
		}
	}
}

// argsOf splits a line at its spaces into a request.
func argsOf(line string) Args {
	a := Args{Buf: []byte(line)}
	for at := 0; at < len(line); {
		end := strings.IndexByte(line[at:], ' ')
		if end < 0 {
			end = len(line) - at
		}
		a.Spans = append(a.Spans, resp.Span{Off: uint32(at), Len: uint32(end)})
		at += end + 1
	}
	return a
}

func TestAppendKeys(t *testing.T) {
	for _, test := range []struct{ line, keys string }{
		{"get a", "a:RO,access"},
		{"set a b", "a:OW,update"},
		{"set a b get", "a:RW,access,update"},
		{"set a b ifeq c", "a:RW,access,update"},
		{"mset a 1 b 2", "a:OW,update b:OW,update"},
		{"del a b c", "a:RM,delete b:RM,delete c:RM,delete"},
		{"rename a b", "a:RW,access,delete b:OW,update"},
		{"lcs a b len", "a:RO,access b:RO,access"},
		{"object encoding a", "a:RO"},
		{"memory usage a samples 5", "a:RO"},
		{"msetex 2 a 1 b 2 ex 10", "a:OW,update b:OW,update"},
		{"msetex 3 a 1 b 2", "-"},
		{"msetex x a 1", "-"},
		{"delex a", "a:RM,delete"},
		{"delex a ifeq b", "a:RW,access,delete"},
		{"ping", ""},
		{"scan 0", ""},
	} {
		a := argsOf(test.line)
		row, err := Resolve(a)
		if err != nil {
			t.Fatal(test.line, err)
		}
		refs, ok := AppendKeys(nil, row, a)
		var words []string
		for _, ref := range refs {
			words = append(words, string(a.At(int(ref.Arg)))+":"+bitNamesInOrder(ref.Flags))
		}
		got := strings.Join(words, " ")
		if !ok {
			got = "-"
		}
		if got != test.keys {
			t.Errorf("%q: %s, want %s", test.line, got, test.keys)
		}
	}
}

func bitNamesInOrder(f KeyFlag) string {
	var on []string
	for bit, name := range keyFlagNames {
		if f>>bit&1 != 0 {
			on = append(on, name)
		}
	}
	return strings.Join(on, ",")
}
