//go:build linux && !race

package host

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
	"golang.org/x/sys/unix"
)

// Headroom is how many bytes are worth mapping for a value that grows: mapped
// memory costs nothing until it is written.
const Headroom = 512 << 20

// memory maps private anonymous regions.
type memory struct {
	page int
	// calm is what madvise is told of regions whose memory comes when they are
	// written to, -1 for nothing: no huge pages, even where those in stock are,
	// since the first write to one takes long.
	calm   int
	rss    *resident
	mapped atomic.Int64 // bytes
	// reach is the address of the first region, which the system puts near the
	// end of the address space.
	reach atomic.Int64
	stock *stock // nil where pages are small
}

// roomy is the size, in bytes, from which on a region is one with room for
// growth: it is refused when such regions fill a quarter of the address space,
// so that there is always some left for what is really needed.
const roomy = 64 << 20

// NewMemory gives memory straight from the system.
func NewMemory(options Options) env.Memory {
	m := &memory{page: os.Getpagesize(), calm: -1, rss: newResident()}
	byItself := hugeByItself()
	if options.HugePages == config.HugePagesNever || byItself {
		m.calm = unix.MADV_NOHUGEPAGE
	}
	if options.HugePages == config.HugePagesAlways || options.HugePages == config.HugePagesDefault && byItself {
		m.stock = &stock{memory: m}
	}
	return m
}

func (m *memory) PageSize() int { return m.page }

func (m *memory) Resident() int64 { return m.rss.bytes() }

func (m *memory) Map(size int) ([]byte, error) {
	checkSize(size, m.page)
	if size == piece && m.stock != nil {
		if region := m.stock.take(); region != nil {
			return region, nil
		}
	}
	if size >= roomy && m.mapped.Load() > m.reach.Load()/4 {
		return nil, fmt.Errorf("host: map %d bytes: a quarter of the address space is taken", size)
	}
	return m.mapNew(size, m.calm)
}

// mapNew maps more than asked for where alignment needs it, and unmaps the rest,
// which costs nothing since it was never touched.
func (m *memory) mapNew(size, advice int) ([]byte, error) {
	align := alignment(size, m.page)
	full := size + align - m.page
	start, err := unix.MmapPtr(-1, 0, nil, uintptr(full),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("host: map %d bytes: %w", size, err)
	}
	m.mapped.Add(int64(size))
	m.reach.CompareAndSwap(0, int64(uintptr(start)))
	raw := unsafe.Slice((*byte)(start), full)
	skip := int(-uintptr(start) & uintptr(align-1))
	unmap(raw[:skip])
	unmap(raw[skip+size:])
	region := raw[skip : skip+size : skip+size]
	if advice >= 0 && size >= piece {
		advise(region, advice) // advice: a system that cannot follow it works all the same
	}
	return region, nil
}

func (m *memory) Unmap(region []byte) {
	m.mapped.Add(-int64(len(region)))
	unmap(region)
}

func (m *memory) Discard(part []byte) {
	if len(part) > 0 {
		pieces(part, discard)
	}
}

func unmap(part []byte) {
	if len(part) == 0 {
		return
	}
	err := unix.MunmapPtr(unsafe.Pointer(&part[0]), uintptr(len(part)))
	invariant.Check(err == nil, "a mapped region can be unmapped")
}

func discard(part []byte) {
	errno := advise(part, unix.MADV_DONTNEED)
	invariant.Check(errno == 0, "a mapped region can be discarded")
}

func advise(part []byte, advice int) syscall.Errno {
	for {
		_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, uintptr(unsafe.Pointer(&part[0])), uintptr(len(part)), uintptr(advice))
		if errno != syscall.EAGAIN {
			return errno
		}
	}
}
