package command

import "github.com/elares/ironcache/sim/env"

// dice is a small env.Rand (splitmix64).
type dice struct{ state uint64 }

func (d *dice) Uint64() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (d *dice) Fork() env.Rand { return &dice{d.Uint64()} }
