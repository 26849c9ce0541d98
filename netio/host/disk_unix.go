//go:build unix

package host

import (
	"io/fs"
	"os"
	"syscall"
)

// giveTo gives a file the owner and the group of another, or the group alone
// where the owner must stay.
func giveTo(f *os.File, model fs.FileInfo) error {
	owner, ok := model.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if f.Chown(int(owner.Uid), int(owner.Gid)) == nil {
		return nil
	}
	return f.Chown(-1, int(owner.Gid))
}
