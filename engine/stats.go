package engine

import (
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// RowStat counts what one command did on one shard.
type RowStat struct {
	Calls    uint64
	Nanos    uint64                  // time spent
	Rejected uint64                  // turned away before running
	Failed   uint64                  // replied with an error
	Latency  *hdrhistogram.Histogram // nanoseconds; nil until the first call
}

// Row gives the statistics of a row.
func (s *Shard) Row(id uint16) *RowStat { return &s.rows[id] }

// Calls counts the commands that ran.
func (s *Shard) Calls() uint64 { return s.calls }

// ResetStats forgets the statistics of commands and errors.
func (s *Shard) ResetStats() {
	clear(s.rows)
	s.calls = 0
	s.errors = errorStats{}
	s.call.Hits, s.call.Misses, s.call.Expired = 0, 0, 0
	s.evict.evicted, s.evict.over = 0, 0
	s.expire.capped, s.expire.nanos, s.expire.backlog = 0, 0, 0
}

// Reject counts a request that was turned away; row may be nil.
func (s *Shard) Reject(row *command.Row) {
	if row != nil {
		s.rows[row.ID].Rejected++
	}
}

// The range of latencies that are told apart, in nanoseconds.
const (
	leastLatency = 1
	mostLatency  = 10_000_000_000
)

// record adds n calls of a row that took nanos each.
func (r *RowStat) record(n, nanos int64, track bool) {
	r.Calls += uint64(n)
	r.Nanos += uint64(n * nanos)
	if !track {
		return
	}
	if r.Latency == nil {
		r.Latency = hdrhistogram.New(leastLatency, mostLatency, 2)
	}
	_ = r.Latency.RecordValues(min(max(nanos, leastLatency), mostLatency), n)
}

// errorStats counts the error replies by their code.
type errorStats struct {
	total  uint64
	byCode map[string]uint64
}

// maxErrorCodes bounds how many codes are told apart.
const maxErrorCodes = 128

func (e *errorStats) count(reply resp.Error) {
	code := reply.Code()
	if e.byCode == nil {
		e.byCode = map[string]uint64{}
	}
	e.total++
	if _, known := e.byCode[code]; known || len(e.byCode) < maxErrorCodes {
		e.byCode[code]++
	}
}

// Errors gives the number of error replies, in all and by code.
func (s *Shard) Errors() (total uint64, byCode map[string]uint64) {
	return s.errors.total, s.errors.byCode
}

// CountError notes an error reply that was made outside of the shard.
func (s *Shard) CountError(e resp.Error) { s.errors.count(e) }

// NoteReply counts the reply of a command that Timed ran, if it is an error.
func (s *Shard) NoteReply(row uint16, reply []byte) {
	if len(reply) > 0 && reply[0] == '-' {
		s.rows[row].Failed++
		s.errors.count(errorOf(reply))
	}
}

// mostCode is how much of an error reply is read to find its code.
const mostCode = 64

// errorOf is the beginning of an error reply, which holds its code; empty for
// any other reply.
func errorOf(reply []byte) resp.Error {
	if len(reply) == 0 || reply[0] != '-' {
		return ""
	}
	text, _, _ := strings.Cut(string(reply[1:min(len(reply), mostCode)]), "\r")
	return resp.Error(text)
}
