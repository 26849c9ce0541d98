package slots

import (
	"fmt"
	"testing"
)

// TestMigrationMoves has the whole table: what is not listed is refused.
func TestMigrationMoves(t *testing.T) {
	may := map[string]bool{
		"copying draining": true, "copying cancelled": true,
		"draining copying": true, "draining flipping": true, "draining cancelled": true,
		"flipping flipped": true, "flipping cancelled": true,
	}
	for from := range phases {
		for to := range phases {
			m := Migration{phase: from}
			move := fmt.Sprintf("%v %v", from, to)
			if m.May(to) != may[move] {
				t.Errorf("%s: may %v, want %v", move, m.May(to), may[move])
			}
			if broke := becomes(&m, to); broke == may[move] || !broke && m.Phase() != to {
				t.Errorf("%s: refused %v, now %v", move, broke, m.Phase())
			}
		}
	}
}

func becomes(m *Migration, to Phase) (broke bool) {
	defer func() { broke = recover() != nil }()
	m.Become(to)
	return false
}

func TestPhasesThatServe(t *testing.T) {
	for phase, want := range map[Phase]bool{Copying: true, Draining: false, Flipping: false, Flipped: false, Cancelled: true} {
		if phase.Serving() != want {
			t.Errorf("%v serves: %v", phase, !want)
		}
	}
}
