package store

// Part is the bytes of a file from From up to To.
type Part struct{ From, To int64 }

// Proven tells up to which byte of a segment of a log, of that name and with that text,
// a frame further on says that all was durable. Damage before it is refused, damage
// behind it cannot be told from what a crash tore off. Up to there are the parts in
// which entries have data or extensions, oldest first. It is for those who damage
// files on purpose.
func Proven(name string, text []byte) (upTo int64, entries []Part) {
	id, _ := segmentID(name)
	var f frame
	for off := int64(0); int64(len(text))-off >= headerSize; off += int64(f.length()) {
		if f.parse(text[off:off+headerSize], place{id, off}) != "" {
			break
		}
		if f.kind != kindBegin { // which tells of the segment before
			upTo = max(upTo, f.synced)
		}
		if body := off + headerSize; f.kind == kindEntry && f.size > 0 {
			entries = append(entries, Part{body, body + int64(f.size)})
		}
	}
	for len(entries) > 0 && entries[len(entries)-1].To > upTo {
		entries = entries[:len(entries)-1]
	}
	return upTo, entries
}
