package slots

import "encoding/binary"

// polynomial is that of CRC16 XMODEM: x^16 + x^12 + x^5 + 1, high bit first.
const polynomial = 0x1021

// sliced[i][b] is the CRC of byte b followed by i zero bytes, so that eight
// bytes need eight independent look-ups (slicing-by-8, Kounavis and Berry 2005).
var sliced = makeSlices()

func makeSlices() *[8][256]uint16 {
	t := new([8][256]uint16)
	for b := range t[0] {
		t[0][b] = shiftByte(uint16(b) << 8)
	}
	for i := 1; i < len(t); i++ {
		for b, crc := range t[i-1] {
			t[i][b] = crc<<8 ^ t[0][crc>>8]
		}
	}
	return t
}

func shiftByte(crc uint16) uint16 {
	for range 8 {
		carry := crc >> 15
		crc = crc<<1 ^ polynomial*carry
	}
	return crc
}

func crc16(p []byte) uint16 {
	t, crc := sliced, uint16(0)
	for len(p) >= 8 {
		w := binary.BigEndian.Uint64(p) ^ uint64(crc)<<48
		crc = t[7][w>>56] ^ t[6][w>>48&255] ^ t[5][w>>40&255] ^ t[4][w>>32&255] ^
			t[3][w>>24&255] ^ t[2][w>>16&255] ^ t[1][w>>8&255] ^ t[0][w&255]
		p = p[8:]
	}
	for _, b := range p {
		crc = crc<<8 ^ t[0][byte(crc>>8)^b]
	}
	return crc
}
