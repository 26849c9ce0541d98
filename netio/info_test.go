package netio

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
)

// infoFields are the fields of INFO in redis-server 7.0, section by section,
// without those about its compiler and about one main thread.
//
//go:embed testdata/info_fields.txt
var infoFields string

// everything is INFO everything as fields with their values, section titles
// included.
func (c *caller) everything() map[string]string {
	c.town.tb.Helper()
	fields := map[string]string{}
	for _, line := range strings.Split(c.line("info everything"), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = value
	}
	return fields
}

func TestInfoHasTheFieldsOfRedis(t *testing.T) {
	town := newTown(t, 2, "unixsocket=/tmp/socket")
	town.node.about.CPUSeconds = func() (system, user float64) { return 1, 2 }
	fields := town.dial().everything()
	for name := range strings.Lines(infoFields) {
		name = strings.TrimSpace(name)
		if _, ok := fields[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	if fields["listener0"] != "name=tcp,bind=127.0.0.1,bind=-::1,port=6379" || fields["listener1"] != "name=unix,bind=/tmp/socket" {
		t.Errorf("listeners: %q, %q", fields["listener0"], fields["listener1"])
	}
}

func TestInfoCountsOverAllShards(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		town := newTown(t, shards)
		for i := range 6 {
			c := town.dial()
			key := "k" + strconv.Itoa(i)
			c.line("set " + key + " v px 50")
			c.line("get " + key)
			c.line("get nosuch" + key)
			c.line("nosuch")
		}
		c := town.dial()
		if err := town.world.RunFor(2e9, town.actors...); err != nil {
			t.Fatal(err)
		}
		fields := c.everything()
		for name, want := range map[string]string{
			"keyspace_hits": "6", "keyspace_misses": "6", "expired_keys": "6", "errorstat_ERR": "count=6",
			"total_error_replies": "6", "total_connections_received": "7", "connected_clients": "7",
		} {
			if fields[name] != want {
				t.Errorf("%s is %s, not %s", name, fields[name], want)
			}
		}
		if got := fields["cmdstat_set"]; !strings.HasPrefix(got, "calls=6,") {
			t.Errorf("cmdstat_set: %s", got)
		}
	})
}

func TestInfoCountsFailedLogins(t *testing.T) {
	c := newTown(t, 1, "requirepass=secret").dial()
	for _, line := range []string{"auth wrong", "hello 3 auth default wrong", "auth secret"} {
		c.line(line)
	}
	if got := c.everything()["acl_access_denied_auth"]; got != "2" {
		t.Errorf("%s", got)
	}
}

func TestInfoSections(t *testing.T) {
	c := newTown(t, 1).dial()
	for line, want := range map[string]string{
		"info cluster":          "# Cluster\r\ncluster_enabled:0\r\n",
		"info CLUSTER keyspace": "# Cluster\r\ncluster_enabled:0\r\n\r\n# Keyspace\r\n",
		"info nosuch":           "",
	} {
		if got := c.line(line); got != "$"+strconv.Itoa(len(want))+"\r\n"+want+"\r\n" {
			t.Errorf("%s: %q", line, got)
		}
	}
}
