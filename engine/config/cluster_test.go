package config

import "testing"

// clusterValues are texts with what is shown for them, or why they are refused.
var clusterValues = []struct{ name, text, want, why string }{
	{"cluster-mode", "yes", "raft", ""},
	{"cluster-mode", "no", "off", ""},
	{"cluster-enabled", "YES", "raft", ""},
	{"cluster-mode", "static", "static", ""},
	{"cluster-mode", "on", "", "argument(s) must be one of the following: off, static, raft"},
	{"cluster-topology", "", "", ""},
	{"cluster-topology", "10.0.0.1:6379 0-5460 5461, 10.0.0.2:6380@7000 5462-16383 ,[::1]:1", "10.0.0.1:6379@16379 0-5461 10.0.0.2:6380@7000 5462-16383 [::1]:1@10001", ""},
	{"cluster-topology", "10.0.0.1:6379 0-10 10.0.0.2:6379 10-20", "", "slot 10 has two owners"},
	{"cluster-topology", "10.0.0.1:6379 10.0.0.1:7000@16379", "", "two nodes have a bus at 10.0.0.1:16379"},
	{"cluster-topology", "0-10", "", `after an address come ranges of slots such as 0-5460, and "0-10" is none`},
	{"cluster-topology", "a:1 0-16384", "", `after an address come ranges of slots such as 0-5460, and "0-16384" is none`},
	{"cluster-topology", "a:1 9-5", "", `after an address come ranges of slots such as 0-5460, and "9-5" is none`},
	{"cluster-topology", "a:60000", "", `an address must look like host:port or host:port@busport, and "a:60000" does not`},
	{"cluster-topology", ":7000", "", `an address must look like host:port or host:port@busport, and ":7000" does not`},
	{"cluster-topology", "a:70000", "", `an address must look like host:port or host:port@busport, and "a:70000" does not`},
	{"cluster-topology", "a:1@0", "", `an address must look like host:port or host:port@busport, and "a:1@0" does not`},
	{"cluster-topology", "a:1@x", "", `an address must look like host:port or host:port@busport, and "a:1@x" does not`},
}

func TestClusterOptions(t *testing.T) {
	for _, test := range clusterValues {
		i, ok := find(test.name)
		if !ok {
			t.Fatalf("%s is no option", test.name)
		}
		values := *New().values
		err := table[i].kind.set(&values, test.text)
		switch {
		case err != nil && err.Error() != test.why:
			t.Errorf("%s %q: %v, want %q", test.name, test.text, err, test.why)
		case err == nil && (test.why != "" || table[i].kind.get(&values) != test.want):
			t.Errorf("%s %q: %q, want %q%s", test.name, test.text, table[i].kind.get(&values), test.want, test.why)
		}
	}
}

// A topology may stand in a file as an array, a node an element.
func TestTopologyInFile(t *testing.T) {
	s, err := Load(Inputs{File: "f", Text: []byte("cluster_mode = \"static\"\ncluster_topology = [\"10.0.0.1:6379 0-8191\", \"10.0.0.2:6379 8192-16383\"]\n")})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Get("cluster-topology"); got != "10.0.0.1:6379@16379 0-8191 10.0.0.2:6379@16379 8192-16383" {
		t.Errorf("%q", got)
	}
	if s.Values().ClusterMode != ClusterStatic {
		t.Errorf("mode %v", s.Values().ClusterMode)
	}
}
