//go:build linux

package machine

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string
	}{
		{"a b  c", []string{"a", "b", "c"}},
		{"a --save '' b", []string{"a", "--save", "", "b"}},
		{`a "b c"d`, []string{"a", "b cd"}},
		{"", nil},
		{"a 'b", nil},
	} {
		if got, err := Split(test.line); !slices.Equal(got, test.want) || (err == nil) != (test.want != nil) {
			t.Errorf("Split(%q) = %q, %v; want %q", test.line, got, err, test.want)
		}
	}
}

// TestMeterSeesWork: a stretch of spinning is this program's own, not others'.
func TestMeterSeesWork(t *testing.T) {
	cpus, err := CPUs()
	if err != nil {
		t.Fatal(err)
	}
	meter := Start(1, cpus)
	for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); {
	}
	used := meter.Stop()
	// Others may have had the CPU for most of the time, not for all of it.
	if used.Self < 5*time.Millisecond || used.Self > used.Wall*time.Duration(len(cpus)) || used.Foreign < 0 || used.Foreign > 1 {
		t.Errorf("usage %+v", used)
	}
}

func TestResident(t *testing.T) {
	if got := Resident(os.Getpid()); got < 1<<20 {
		t.Errorf("this program holds %d bytes", got)
	}
	if got := Resident(1 << 30); got != 0 {
		t.Errorf("no process holds %d bytes", got)
	}
}

func TestLaunchTellsWhatAServerSaid(t *testing.T) {
	_, err := Launch("sh -c 'echo cannot open the moon; exit 3' {port}", t.TempDir(), []int{0})
	if err == nil || !strings.Contains(err.Error(), "open the moon") {
		t.Errorf("error %v", err)
	}
}

// Memory is written to and given back, within what is asked for.
func TestWarm(t *testing.T) {
	bytes, first, second, err := Warm(8<<20 + 5)
	if bytes != 8<<20 || first <= 0 || second <= 0 || err != nil {
		t.Errorf("%d bytes, %v and %v a megabyte: %v", bytes, first, second, err)
	}
}
