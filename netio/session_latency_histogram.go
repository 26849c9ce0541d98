package netio

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// latencyHistogram replies with the distribution of the times that commands
// took: of all that ran, or of those named and their subcommands.
func latencyHistogram(r *Request) {
	at, n := r.Reply.Mark(), 0
	for _, row := range histogramRows(r) {
		if h := r.Loop.node.rowLatency(row.ID); h != nil {
			r.Reply.BulkString(row.Name)
			writeHistogram(r.Reply, h)
			n++
		}
	}
	r.Reply.EndMap(at, n)
}

// histogramRows are the rows that the client asks for. Unknown names are no
// error.
func histogramRows(r *Request) []*command.Row {
	var rows []*command.Row
	if r.Len() == 2 {
		for i := range command.Table {
			rows = append(rows, &command.Table[i])
		}
	}
	for _, name := range r.rest(2) {
		row := command.Named(name)
		if row == nil {
			continue
		}
		rows = append(rows, row)
		for i := range row.Children() {
			rows = append(rows, &row.Children()[i])
		}
	}
	return rows
}

// Buckets end a little above powers of two, in nanoseconds, as redis-server has
// them: where the histogram tells 128 steps between a power and the next, each
// bucket includes the first step above its power.
const (
	firstBucket = 1024
	stepsUp     = 128
)

func bucketEnd(power int64) int64 { return power + power/stepsUp - 1 }

// writeHistogram replies with the number of calls and, for each bucket that
// adds to it, its upper end in microseconds and the calls up to there.
func writeHistogram(w *resp.Writer, h *hdrhistogram.Histogram) {
	w.Map(2)
	w.BulkString("calls")
	w.Int(h.TotalCount())
	w.BulkString("histogram_usec")
	at, n := w.Mark(), 0
	power, seen, told := int64(firstBucket), int64(0), int64(0)
	tell := func() {
		if seen > told {
			w.Int(bucketEnd(power) / 1000)
			w.Int(seen)
			told = seen
			n++
		}
	}
	for _, bar := range h.Distribution() {
		for bar.Count > 0 && bar.From > bucketEnd(power) {
			tell()
			power *= 2
		}
		seen += bar.Count
	}
	tell()
	w.EndMap(at, n)
}
