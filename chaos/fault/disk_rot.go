package fault

import (
	"path"
	"strings"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

var diskRot = Fault{
	Name:   "disk-rot",
	Does:   "A bit of a file of a node turns over while the node is down.",
	Seen:   "the file was opened again",
	Amount: "which bit of the part that rots, counted around",
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

// rot turns a bit over and tells of which file, of none if there is nothing. Of a log
// that is a bit of one of its last entries, mostly: what lies before a snapshot is
// seldom read again. Damage that nothing durable stands behind cannot be told from what
// a crash tore off: the node would lose an entry that it promised to keep, and nobody
// could notice.
func rot(disk *sim.Disk, d Dice, bit int64) string {
	var files, logs []perishable
	for _, name := range filesOf(disk, "/data") {
		f := perishable{name: name, size: disk.SizeOf(name)}
		isLog := strings.HasSuffix(name, ".seg")
		if isLog {
			f.size, f.entries = store.Proven(path.Base(name), disk.TextOf(name))
		}
		if f.size == 0 {
			continue
		}
		if files = append(files, f); isLog {
			logs = append(logs, f)
		}
	}
	if len(files) == 0 {
		return ""
	}
	if len(logs) > 0 && d.Chance(75) { // there are few of them, and most is promised there
		files = logs
	}
	f := files[d.Below(len(files))]
	part := store.Part{To: f.size}
	if last := f.entries[max(0, len(f.entries)-4):]; len(last) > 0 && d.Chance(75) {
		part = last[d.Below(len(last))]
	}
	disk.Flip(f.name, 8*part.From+bit%(8*(part.To-part.From)))
	return f.name
}

// perishable is a file that may rot.
type perishable struct {
	name    string
	size    int64        // up to which byte
	entries []store.Part // of a log
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
