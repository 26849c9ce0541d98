package fault

import (
	"path"
	"slices"
	"strings"

	"github.com/elares/ironcache/sim"
)

var diskRot = Fault{
	Name:   "disk-rot",
	Does:   "A bit of a file of a node turns over while the node is down.",
	Seen:   "the file was opened again",
	Amount: "which of its bits, counted around",
	Spoils: true,
	Draw: func(d Dice, e *Event) {
		downtime(d, e)
		e.Amount = d.Between(0, 1<<40)
	},
	Begin: func(s *Stage, e Event) Going {
		n, disk := s.node(e), s.disk(e.Node)
		s.Nodes[e.Node].Down = e.For * million
		n.Crash()
		name := rot(disk, s.dice(e), e.Amount)
		if name == "" {
			return Going{Seen: never}
		}
		s.Nodes[e.Node].Spoiled = true
		opened := false
		s.hook(e.Node, func(act sim.Act, path string) error {
			opened = opened || act == sim.Opening && path == name
			return nil
		})
		return Going{Seen: func() bool { return opened }}
	},
}

// unproven is how many bytes at the end of a log, at most, may have nothing durable
// behind them. Damage there cannot be told from what a crash tore off, and the node
// would lose an entry that it promised to keep without anybody noticing.
const unproven = 1024

// rot turns a bit over and tells of which file, of none if there is nothing.
func rot(disk *sim.Disk, d Dice, bit int64) string {
	size := func(name string) int64 {
		size := disk.SizeOf(name)
		if strings.HasSuffix(name, ".seg") {
			size -= unproven
		}
		return size
	}
	files := slices.DeleteFunc(filesOf(disk, "/data"), func(name string) bool { return size(name) <= 0 })
	if len(files) == 0 {
		return ""
	}
	logs := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !strings.HasSuffix(name, ".seg") })
	if len(logs) > 0 && d.Chance(50) { // there are few of them, and most is promised there
		files = logs
	}
	name := files[d.Below(len(files))]
	disk.Flip(name, bit%(size(name)*8))
	return name
}

// filesOf lists the files of a folder and below, sorted.
func filesOf(disk *sim.Disk, dir string) (files []string) {
	names, err := disk.List(dir)
	if err != nil {
		return nil
	}
	for _, name := range names {
		full := path.Join(dir, name)
		if _, err := disk.List(full); err == nil {
			files = append(files, filesOf(disk, full)...)
		} else {
			files = append(files, full)
		}
	}
	return files
}
