package host

import (
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

func TestMachine(t *testing.T) {
	if cores := Cores(); cores < 1 || cores > runtime.NumCPU() {
		t.Errorf("Cores is %d", cores)
	}
	if limit := MemoryLimit(); limit < 0 || runtime.GOOS == "linux" && limit < 16<<20 {
		t.Errorf("MemoryLimit is %d", limit)
	}
}

const (
	mountTwo    = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	mountInside = "30 23 0:26 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n" +
		"31 23 0:27 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n"
)

var cgroupCases = []struct {
	name   string
	files  map[string]string
	cores  float64
	memory int64
}{
	{"no cgroups", nil, 0, 0},
	{"no limits", map[string]string{
		"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountTwo,
		"sys/fs/cgroup/a/cpu.max": "max 100000\n", "sys/fs/cgroup/a/memory.max": "max\n",
	}, 0, 0},
	{"version 2", map[string]string{
		"proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": mountTwo,
		"sys/fs/cgroup/a/b/cpu.max": "250000 100000\n", "sys/fs/cgroup/a/b/memory.max": "2000\n",
	}, 2.5, 2000},
	{"an ancestor limits", map[string]string{
		"proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": mountTwo,
		"sys/fs/cgroup/a/b/cpu.max": "250000 100000\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
		"sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/memory.high": "1000\n",
	}, 0.5, 1000},
	{"namespaced container", map[string]string{
		"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": mountTwo,
		"sys/fs/cgroup/cpu.max": "100000 100000\n", "sys/fs/cgroup/memory.max": "77\n",
	}, 1, 77},
	{"version 1 container", map[string]string{
		"proc/self/cgroup":                           "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n",
		"proc/self/mountinfo":                        mountInside,
		"sys/fs/cgroup/memory/memory.limit_in_bytes": "5000\n",
		"sys/fs/cgroup/cpu/cpu.cfs_quota_us":         "300000\n",
		"sys/fs/cgroup/cpu/cpu.cfs_period_us":        "100000\n",
	}, 3, 5000},
	{"version 1 without limits", map[string]string{
		"proc/self/cgroup":                           "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n",
		"proc/self/mountinfo":                        mountInside,
		"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		"sys/fs/cgroup/cpu/cpu.cfs_quota_us":         "-1\n",
		"sys/fs/cgroup/cpu/cpu.cfs_period_us":        "100000\n",
	}, 0, 0},
}

func TestCgroups(t *testing.T) {
	for _, c := range cgroupCases {
		t.Run(c.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, text := range c.files {
				tree[name] = &fstest.MapFile{Data: []byte(text)}
			}
			group := cgroup{tree}
			if cores := group.cores(); cores != c.cores {
				t.Errorf("%v cores, want %v", cores, c.cores)
			}
			if memory := group.memory(); memory != c.memory {
				t.Errorf("%d bytes, want %d", memory, c.memory)
			}
		})
	}
}

func TestPins(t *testing.T) {
	for _, c := range []struct {
		cpus  []int
		loops int
		want  []int
	}{
		{[]int{AnyCPU}, 2, []int{-1, -1}},
		{[]int{3}, 2, []int{3, 3}},
		{[]int{0, 2}, 3, []int{0, 2, 0}},
		{[]int{4, 6, 8, 1}, 2, []int{4, 6}},
	} {
		if got := Pins(c.cpus, c.loops); !slices.Equal(got, c.want) {
			t.Errorf("%v for %d loops: %v; want %v", c.cpus, c.loops, got, c.want)
		}
	}
}

func TestThread(t *testing.T) {
	cpus := UsableCPUs()
	for _, cpu := range []int{AnyCPU, cpus[len(cpus)-1]} {
		ran := false
		done, err := Thread(cpu, func() { ran = true })
		if <-done; err != nil || !ran {
			t.Errorf("CPU %d: ran %v, %v", cpu, ran, err)
		}
	}
	const missing = 1023 // the last one that a set has room for
	done, err := Thread(missing, func() { t.Error("ran on a CPU that is not there") })
	if <-done; err == nil {
		t.Error("pinning to a CPU that is not there succeeds")
	}
}

func TestRaiseFileLimit(t *testing.T) {
	now := RaiseFileLimit(1)
	if now == 0 {
		t.Skip("no limit is known")
	}
	if reached := RaiseFileLimit(now); reached != now {
		t.Errorf("asked for the present limit of %d, reached %d", now, reached)
	}
	if reached := RaiseFileLimit(1 << 60); reached < now {
		t.Errorf("asked for more than %d, reached %d", now, reached)
	}
}

func TestSignals(t *testing.T) {
	requests, stop := Signals()
	defer stop()
	self, _ := os.FindProcess(os.Getpid())
	if err := self.Signal(syscall.SIGTERM); err != nil {
		t.Skip(err)
	}
	select {
	case s := <-requests:
		if s != syscall.SIGTERM {
			t.Error(s)
		}
	case <-time.After(5 * time.Second):
		t.Error("no signal")
	}
}

func TestPause(*testing.T) { Pause() }

func BenchmarkPause(b *testing.B) {
	for b.Loop() {
		Pause()
	}
}
