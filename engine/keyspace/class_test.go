package keyspace

import "testing"

func TestClasses(t *testing.T) {
	if n := len(classes); n > 120 {
		t.Errorf("%d classes", n)
	}
	for i, c := range classes[1:] {
		if c.size > 512 && c.size%64 != 0 {
			t.Errorf("class of %d bytes is not a multiple of a cache line", c.size)
		}
		if waste := int(c.pages)*pageBytes - int(c.blocks)*int(c.size); waste*25 > int(c.pages)*pageBytes {
			t.Errorf("class of %d bytes wastes %d of %d pages", c.size, waste, c.pages)
		}
		if c.bin(c.blocks-1) >= spanBins {
			t.Errorf("class of %d bytes: bin %d", c.size, c.bin(c.blocks-1))
		}
		if previous := classes[i].size; previous >= 512 && float64(c.size) > 1.14*float64(previous) {
			t.Errorf("class of %d bytes follows %d", c.size, previous)
		}
	}
	for size := 1; size <= maxBlock; size++ {
		c := sizeClass(size)
		if int(classes[c].size) < size || c > 1 && int(classes[c-1].size) >= size {
			t.Fatalf("size %d is in the class of %d bytes", size, classes[c].size)
		}
	}
}
