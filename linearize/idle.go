package linearize

import (
	"slices"
	"strings"
)

// idleReads marks reads of which nobody knows the outcome. They change nothing
// and say nothing, so that they fit anywhere in any order, and taking them out
// of an order leaves one.
func idleReads(model *Model, ops []*Operation) []bool {
	idle := make([]bool, len(ops))
	for i, op := range ops {
		idle[i] = op.lost() && slices.Contains(model.Reads, op.Kind)
	}
	return idle
}

// idleWrites marks unknown register writes that cannot matter: an unconditional
// SET without a lifetime, whose value v no reply shows, and after whose call
// only plain operations can have taken effect. Plain are reads and replacements
// that show all that they found (GET, GETSET, GETDEL) and operations that do
// the same whatever they find and say nothing about it (unconditional SET, and
// DEL with an unknown outcome).
//
// Why the verdict is the same without such a write W.
//
// If the rest has a legal order, W may be put at its end: its outcome is
// unknown, so that nothing contradicts it, and it has no return that would have
// to precede anything.
//
// If the whole has a legal order, leave W out and step both orders side by
// side. Up to W they are equal. From then on this holds at every point: both
// hold the same, or the one with W holds v and the other anything; the latest
// moment without W is no later; and all that the past with W contains, except
// v, is held by the other or in its past. Every event keeps it so:
//
//   - A read or replacement with a reply, while the first holds v, would have
//     replied v. No reply is v, so this does not happen; while both hold the
//     same, they do the same.
//   - A line that W belongs to goes on without W: those that were to follow W have
//     less to wait for. To put W back, put it directly before the next of its line
//     that took effect, or at the end: nothing between them can see it, since what
//     follows W is plain.
//   - Whatever writes without looking makes both hold the same. What is replaced
//     enters both pasts: v here, and there the state that W replaced, or one
//     that took its place.
//   - v has no deadline and gets none, since PEXPIRE is not plain; if the other
//     has one, nobody looks until both hold the same again. SET with KEEPTTL,
//     which would carry the deadline on, is not plain.
//   - A wipe that empties the first may empty the other; if it leaves the first,
//     it may leave the other.
//   - A failover that brings back p brings back the same p for the other if p is
//     not v; if it is v, the other picks what it likes.
//
// Operations that returned before W was called precede it in every order and
// may be of any kind. Compare-and-set, SETNX, DEL and PEXPIRE with replies see
// W without showing v (the key exists, or no longer equals what it did), hence
// the list of plain kinds is short.
func idleWrites(ops []*Operation) []bool {
	idle := make([]bool, len(ops))
	for i, op := range ops {
		idle[i] = op.lost() && op.Kind == Set && op.If == "" && !op.timed() && !op.Keep && unseen(op, ops)
	}
	return idle
}

// unseen tells whether no operation can have noticed the write.
func unseen(write *Operation, ops []*Operation) bool {
	return !slices.ContainsFunc(ops, func(op *Operation) bool {
		shows, _ := seesOne(op)
		shown := shows && op.Outcome == Replied(write.Value)
		return shown || op.Return >= write.Call && !plain(op)
	})
}

func plain(op *Operation) bool {
	switch op.Kind {
	case Get, GetSet, GetDel:
		return true
	case Set:
		return op.If == "" && !op.Keep
	case Del:
		return op.lost()
	}
	return false
}

// idleBatches marks unknown batches of a family that cannot matter: those that only
// read, and, if nobody can have noticed, those that only write. For the latter it is
// as with idleWrites, member by member: no reply shows one of the values, after the
// call of the batch only plain operations can have taken effect, which read members
// or write them without looking, and every batch behind it in its line is idle, too.
//
// The last is what differs. A batch that a later one of its line stands on has taken
// effect if that one has, and leaves other members as it left them: what follows may
// well notice.
func idleBatches(ops []*Operation) []bool {
	shown := map[string]bool{}
	for _, op := range ops {
		_, values := familyTexts(op)
		for _, value := range values {
			shown[value] = true
		}
	}
	idle := make([]bool, len(ops))
	for i, op := range ops {
		idle[i] = op.lost() && op.Kind == Batch && op.Old == "" && (consistsOf(op, "get", "mget") || unnoticed(op, ops, shown))
	}
	for range ops { // from the end of a line on to its front
		changed := false
		for i, op := range ops {
			if idle[i] && !consistsOf(op, "get", "mget") && leads(op, ops, idle) {
				idle[i], changed = false, true
			}
		}
		if !changed {
			break
		}
	}
	return idle
}

// unnoticed tells whether a batch only writes what no reply shows, and plain
// operations are all that can follow it.
func unnoticed(write *Operation, ops []*Operation, shown map[string]bool) bool {
	if !consistsOf(write, "set", "mset") {
		return false
	}
	written, _ := familyTexts(write)
	return !slices.ContainsFunc(written, func(value string) bool { return shown[value] }) &&
		!slices.ContainsFunc(ops, func(op *Operation) bool {
			return op.Return >= write.Call && (op.Old != "" || !consistsOf(op, "get", "mget", "set", "mset"))
		})
}

// leads tells whether an operation that is not idle stands behind one in its line.
func leads(op *Operation, ops []*Operation, idle []bool) bool {
	for i, other := range ops {
		if !idle[i] && op.Line > 0 && other.Line == op.Line && other.Client == op.Client && other.Place > op.Place {
			return true
		}
	}
	return false
}

// consistsOf tells whether a batch has commands of these names alone.
func consistsOf(op *Operation, names ...string) bool {
	for command := range strings.SplitSeq(op.Value, ";") {
		if name, _, _ := strings.Cut(strings.TrimSpace(command), " "); op.Kind != Batch || !slices.Contains(names, name) {
			return false
		}
	}
	return true
}
