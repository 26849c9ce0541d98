package host

import "github.com/elares/ironcache/sim/invariant"

// piece is the most that one system call unmaps, discards or aligns to, and
// the size of a huge page. Longer calls hold up the collector's stop of the
// world, and with it every loop.
const piece = 2 << 20

// pieces calls do for consecutive parts of at most piece bytes.
func pieces(region []byte, do func([]byte)) {
	for len(region) > piece {
		do(region[:piece])
		region = region[piece:]
	}
	do(region)
}

// alignment is what a region of this size is aligned to.
func alignment(size, page int) int {
	if size >= piece {
		return piece
	}
	return page
}

func checkSize(size, page int) {
	invariant.Check(size > 0 && size%page == 0, "a region is a positive multiple of the page size")
}
