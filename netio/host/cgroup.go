package host

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// cgroup reads the limits that Linux control groups of both versions put on
// this process. A group is limited by its ancestors too, as far as they can be
// seen from inside a container.
type cgroup struct{ root fs.FS }

// cores is the lowest CPU quota in cores, 0 when there is none.
func (c cgroup) cores() float64 {
	lowest := 0.0
	c.each("cpu", func(dir string) {
		quota, period := c.number(dir, "cpu.cfs_quota_us"), c.number(dir, "cpu.cfs_period_us")
		if both := strings.Fields(c.text(dir, "cpu.max")); len(both) == 2 {
			quota, period = number(both[0]), number(both[1])
		}
		if quota > 0 && period > 0 {
			cores := float64(quota) / float64(period)
			if lowest == 0 || cores < lowest {
				lowest = cores
			}
		}
	})
	return lowest
}

// memory is the lowest memory limit in bytes, 0 when there is none. Above
// memory.high the kernel slows a process down to a crawl, so that it counts as
// a limit too.
func (c cgroup) memory() int64 {
	lowest := int64(math.MaxInt64)
	c.each("memory", func(dir string) {
		for _, name := range []string{"memory.max", "memory.high", "memory.limit_in_bytes"} {
			if limit := c.number(dir, name); limit > 0 {
				lowest = min(lowest, limit)
			}
		}
	})
	if lowest > 1<<60 { // version 1 writes "none" as a huge number
		return 0
	}
	return lowest
}

// each visits the folders of this process's group and of its ancestors.
func (c cgroup) each(controller string, visit func(dir string)) {
	for line := range strings.Lines(c.text("proc/self", "cgroup")) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		two := fields[0] == "0" && fields[1] == ""
		if !two && !listed(fields[1], controller) {
			continue
		}
		if top, bottom, found := c.mount(controller, fields[2], two); found {
			for dir := bottom; ; dir = path.Dir(dir) {
				visit(dir)
				if dir == top || dir == "." {
					break
				}
			}
		}
	}
}

// mount finds the folder at which a hierarchy is mounted, and the one of a
// group in it. Inside a container the group's name can be the host's, while
// only the container's part is mounted: then it is the mount itself.
func (c cgroup) mount(controller, group string, two bool) (top, bottom string, found bool) {
	for line := range strings.Lines(c.text("proc/self", "mountinfo")) {
		place, kind, ok := strings.Cut(line, " - ")
		fields, kinds := strings.Fields(place), strings.Fields(kind)
		if !ok || len(fields) < 5 || len(kinds) < 3 {
			continue
		}
		if two && kinds[0] == "cgroup2" || !two && kinds[0] == "cgroup" && listed(kinds[2], controller) {
			top = strings.TrimPrefix(fields[4], "/")
			rest, inside := strings.CutPrefix(group, strings.TrimSuffix(fields[3], "/"))
			if bottom = path.Join(top, rest); !inside || !c.exists(bottom) {
				bottom = top
			}
			return top, bottom, true
		}
	}
	return "", "", false
}

func listed(list, word string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item == word {
			return true
		}
	}
	return false
}

func (c cgroup) exists(dir string) bool {
	_, err := fs.Stat(c.root, dir)
	return err == nil
}

func (c cgroup) text(dir, name string) string {
	b, _ := fs.ReadFile(c.root, path.Join(dir, name)) // a limit that is not there is none
	return string(b)
}

func (c cgroup) number(dir, name string) int64 { return number(c.text(dir, name)) }

// number reads a limit; "max", "-1" and nothing give no positive number.
func number(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
