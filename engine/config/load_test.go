package config

import (
	"strings"
	"testing"
)

func TestPrecedence(t *testing.T) {
	file := "port = 1\nhz = 1\ntimeout = 1\nmaxmemory = '1mb'\n"
	s, err := Load(Inputs{
		File: "ironcache.toml", Text: []byte(file),
		Environ: []string{"PORT=9", "IRONCACHE_HZ=2", "IRONCACHE_TIMEOUT=2", "IRONCACHE_MAXMEMORY=2mb", "IRONCACHE_CONFIG=x"},
		Flags:   []Setting{{"timeout", "3"}, {"maxmemory", "3mb"}, {"maxmemory", "4mb"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set([]Setting{{"maxmemory", "5mb"}}); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, value, source string }{
		{"databases", "16", "default"},
		{"port", "1", "ironcache.toml:1"},
		{"hz", "2", "IRONCACHE_HZ"},
		{"timeout", "3", "--timeout"},
		{"maxmemory", "5242880", "CONFIG SET"},
	}
	for _, test := range tests {
		value, _ := s.Get(test.name)
		source, _ := s.Source(test.name)
		if value != test.value || source.String() != test.source {
			t.Errorf("%s: %s from %s, want %s from %s", test.name, value, source, test.value, test.source)
		}
	}
}

func TestFileSpellings(t *testing.T) {
	file := `# a comment
maxmemory_policy = "noeviction" # kebab and snake are the same
protected-mode = false
dynamic_hz = "yes"
bind = [
	"10.0.0.1", # inside
	"::1",
]
maxmemory = 1_000
client-query-buffer-limit = "2MB"
latency-tracking-info-percentiles = [50, 99.9]
client-output-buffer-limit = ["replica 1mb 1mb 10", "pubsub 0 0 0"]
pin = true
requirepass = '12345'
"timeout" = 0x10
data-dir = "/var/lib/ironcache"
`
	s, err := Load(Inputs{File: "f", Text: []byte(file)})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want string }{
		{"maxmemory-policy", "noeviction"},
		{"protected-mode", "no"},
		{"dynamic-hz", "yes"},
		{"bind", "10.0.0.1 ::1"},
		{"maxmemory", "1000"},
		{"client-query-buffer-limit", "2097152"},
		{"latency-tracking-info-percentiles", "50 99.9"},
		{"client-output-buffer-limit", "normal 0 0 0 slave 1048576 1048576 10 pubsub 0 0 0"},
		{"pin", "yes"},
		{"requirepass", NewPassword("12345").String()},
		{"timeout", "16"},
		{"dir", "/var/lib/ironcache"},
	}
	for _, test := range tests {
		if got, _ := s.Get(test.name); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	file := func(text string) Inputs { return Inputs{File: "dir/ironcache.toml", Text: []byte(text)} }
	env := func(lines ...string) Inputs { return Inputs{Environ: lines} }
	tests := []struct {
		in   Inputs
		want string
	}{
		{file("port = 1\n\nmaxmemry = 5\n"), `dir/ironcache.toml:3: unknown option "maxmemry"; did you mean maxmemory?`},
		{file("zzz = 5\n"), `dir/ironcache.toml:1: unknown option "zzz"`},
		{file("port = 1\nport = 2\n"), `dir/ironcache.toml:2: port: set already at line 1`},
		{file("dir = 'a'\n\ndata_dir = 'b'"), `dir/ironcache.toml:3: data_dir: set already at line 1`},
		{file("hz = 1\nport = 70000"), `dir/ironcache.toml:2: port: argument must be between 0 and 65535 inclusive`},
		{file("maxmemory = '10mbx'"), `dir/ironcache.toml:1: maxmemory: argument must be a memory value`},
		{file("\n[network]\nport = 1"), `dir/ironcache.toml:2: an option stands by itself, not in a [table]`},
		{file("maxmemory.policy = 'noeviction'"), `dir/ironcache.toml:1: unknown option "maxmemory.policy"; did you mean maxmemory-policy?`},
		{file("port = 'x"), `dir/ironcache.toml:1: unterminated literal string`},
		{file("hz = 1\n\nport 5\n"), `dir/ironcache.toml:3: expected '='`},
		{file("requirepass = 1234"), `dir/ironcache.toml:1: requirepass: the value must stand in quotes`},
		{file("port = [1]"), `dir/ironcache.toml:1: port: the value must be an integer, or a string`},
		{file("protected-mode = 1"), `dir/ironcache.toml:1: protected-mode: the value must be true or false`},
		{file("bind = 1"), `dir/ironcache.toml:1: bind: the value must be an array of strings, or a string`},
		{file("bind = ['127.0.0.1', '-']"), `dir/ironcache.toml:1: bind: an address must follow the '-'`},
		{file("\nbind = [1, 2]"), `dir/ironcache.toml:2: bind: the value must be an array of strings, or a string`},
		{file("bind = ['::1', true]"), `dir/ironcache.toml:1: bind: the value must be an array of strings, or a string`},
		{file("bind = [\n# here\n['::1']]"), `dir/ironcache.toml:1: bind: the value must be an array of strings, or a string`},
		{file("latency-tracking-info-percentiles = [50, true]"), `dir/ironcache.toml:1: latency-tracking-info-percentiles: the value must be an array of strings or numbers, or a string`},
		{file("client-output-buffer-limit = [['normal', 0, 0, 0]]"), `dir/ironcache.toml:1: client-output-buffer-limit: the value must be an array of strings or numbers, or a string`},
		{file("port = 2026-01-02"), `dir/ironcache.toml:1: port: not a value that an option can have`},
		{file("port = {a = 1}"), `dir/ironcache.toml:1: port: not a value that an option can have`},
		{env("IRONCACHE_MAXMEMRY=1"), `unknown variable IRONCACHE_MAXMEMRY; did you mean IRONCACHE_MAXMEMORY?`},
		{env("IRONCACHE_ZZZ=1"), `unknown variable IRONCACHE_ZZZ`},
		{env("IRONCACHE_port=1"), `unknown variable IRONCACHE_port; did you mean IRONCACHE_PORT?`},
		{env("IRONCACHE_PORT=x"), `variable IRONCACHE_PORT: argument couldn't be parsed into an integer`},
		{Inputs{Flags: []Setting{{"prot", "1"}}}, `unknown flag --prot; did you mean --port?`},
		{Inputs{Flags: []Setting{{"hz", "many"}}}, `flag --hz: argument couldn't be parsed into an integer`},
	}
	for _, test := range tests {
		_, err := Load(test.in)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

func TestServiceLinksAreIgnored(t *testing.T) {
	_, err := Load(Inputs{Environ: []string{
		"IRONCACHE_PORT=tcp://10.0.0.1:6379",
		"IRONCACHE_PORT_6379_TCP=tcp://10.0.0.1:6379",
		"IRONCACHE_PORT_6379_TCP_ADDR=10.0.0.1",
		"IRONCACHE_SERVICE_HOST=10.0.0.1",
		"IRONCACHE_SERVICE_PORT=6379",
		"IRONCACHE_SERVICE_PORT_RESP=6379",
		"IRONCACHE_PRIMARY_SERVICE_HOST=10.0.0.2",
		"IRONCACHE_PRIMARY_PORT=tcp://10.0.0.2:6379",
	}})
	if err != nil {
		t.Error(err)
	}
}

func TestHome(t *testing.T) {
	for dir, want := range map[string]string{".": "/srv", "data": "/srv/data", "/var": "/var"} {
		s, err := Load(Inputs{Home: "/srv", Flags: []Setting{{"dir", dir}}})
		if err != nil {
			t.Fatal(err)
		}
		if s.Values().Dir != want {
			t.Errorf("dir %s: got %s, want %s", dir, s.Values().Dir, want)
		}
	}
}

// TestListingLoads checks that the listing is a file that gives the same
// values, and that it holds no secret.
func TestListingLoads(t *testing.T) {
	s, err := Load(Inputs{Flags: []Setting{{"port", "7000"}, {"requirepass", "sesame"}, {"pin", "0-1"}}})
	if err != nil {
		t.Fatal(err)
	}
	text := s.TOML()
	if strings.Contains(text, "sesame") || strings.Contains(text, s.Values().Requirepass.String()) {
		t.Errorf("the listing tells the password:\n%s", text)
	}
	again, err := Load(Inputs{File: "f", Text: []byte(text)})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for i := range table {
		if table[i].Secret {
			continue
		}
		if got, want := table[i].kind.get(again.values), table[i].kind.get(s.values); got != want {
			t.Errorf("%s: got %q, want %q", table[i].Name, got, want)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte("port = 1\nbind = ['a', 'b']\n[x]\n"))
	f.Add([]byte("maxmemory-policy = \"\"\"noeviction\"\"\" # x"))
	f.Add([]byte("a.b.'c=d' = {x = 1}\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := Load(Inputs{File: "f", Text: file})
		if err != nil {
			return
		}
		if err := s.Set([]Setting{{"hz", "17"}, {"maxmemory", "3mb"}}); err != nil {
			t.Fatal(err)
		}
		after, err := s.edit(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Load(Inputs{File: "f", Text: after})
		if err != nil {
			t.Fatalf("%v in the rewritten %q", err, after)
		}
		for i := range table {
			if got, want := table[i].kind.get(again.values), table[i].kind.get(s.values); got != want {
				t.Errorf("%s: got %q, want %q", table[i].Name, got, want)
			}
		}
	})
}
