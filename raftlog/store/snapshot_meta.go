package store

import (
	"encoding/binary"

	"github.com/hashicorp/raft"
)

// A snapshot is a head, chunks and a tail. All but the last chunk are full, so
// the sizes say how long the file is.
//
//	head   magic text of 16 bytes, u32 size of the description, u32 CRC32C of
//	       that and of the description, which follows
//	chunk  u32 size, u32 CRC32C of the sum before, the size and the text, which
//	       follows; the sum before the first is the head's
//	tail   u64 size of all texts, u32 sum of the last chunk, u32 CRC32C of the
//	       head's sum and of the 12 bytes before
//
// Numbers are little-endian.
const (
	snapshotMagic = "IronCache snap\x00\x01"
	headSize      = len(snapshotMagic) + 8
	chunkHead     = 8
	chunkMax      = 64 << 10
	tailSize      = 16
	maxMeta       = 1 << 20
)

// encodeMeta writes the description of a snapshot, all but its size.
func encodeMeta(m *raft.SnapshotMeta) []byte {
	le := binary.LittleEndian
	text := le.AppendUint32(nil, uint32(m.Version))
	text = le.AppendUint64(text, m.Index)
	text = le.AppendUint64(text, m.Term)
	text = le.AppendUint64(text, m.ConfigurationIndex)
	text = appendText(text, m.ID)
	for _, server := range m.Configuration.Servers {
		text = le.AppendUint32(text, uint32(server.Suffrage))
		text = appendText(text, string(server.ID))
		text = appendText(text, string(server.Address))
	}
	return text
}

func appendText(b []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
}

// decodeMeta reads a description. It fails only on text that encodeMeta did not
// write.
func decodeMeta(text []byte) (m raft.SnapshotMeta, ok bool) {
	c := cutter{text, true}
	m.Version = raft.SnapshotVersion(c.uint32())
	m.Index, m.Term, m.ConfigurationIndex = c.uint64(), c.uint64(), c.uint64()
	m.ID = c.string()
	for c.ok && len(c.text) > 0 {
		m.Configuration.Servers = append(m.Configuration.Servers, raft.Server{
			Suffrage: raft.ServerSuffrage(c.uint32()), ID: raft.ServerID(c.string()), Address: raft.ServerAddress(c.string()),
		})
	}
	return m, c.ok
}

// cutter cuts fields off the front of a text.
type cutter struct {
	text []byte
	ok   bool // there was enough so far
}

func (c *cutter) cut(n uint64) []byte {
	if uint64(len(c.text)) < n {
		c.text, c.ok = nil, false
		return nil
	}
	field := c.text[:n]
	c.text = c.text[n:]
	return field
}

func (c *cutter) uint32() uint32 {
	if field := c.cut(4); field != nil {
		return binary.LittleEndian.Uint32(field)
	}
	return 0
}

func (c *cutter) uint64() uint64 {
	if field := c.cut(8); field != nil {
		return binary.LittleEndian.Uint64(field)
	}
	return 0
}

func (c *cutter) string() string { return string(c.cut(uint64(c.uint32()))) }
