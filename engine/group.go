package engine

import "github.com/elares/ironcache/engine/command"

// quick tells, by row ID, which commands are Quick: neighbours of that kind are
// timed together, since a reading of the clock costs as much as half of such a
// command. It stands here, close together, and not in the large rows.
var quick = quickRows()

func quickRows() []bool {
	rows := make([]bool, len(command.Table))
	for i := range command.Table {
		rows[i] = command.Table[i].Flags&command.Quick != 0
	}
	return rows
}

// maxGroup is how many operations are timed together.
const maxGroup = 64

// group runs the first operation, with those quick ones that follow it, and
// counts them. It returns how many ran.
func (s *Shard) group(ops []command.Op) int {
	n := s.groupSize(ops)
	from, at := s.mono, s.call.Reply.Len()
	for i := 0; i < n; {
		i += s.some(ops[i:n], at+maxReply)
		if s.call.Reply.Len()-at > maxReply || s.call.Reply.Lost || s.call.Later {
			n = i
		}
	}
	s.mono = s.clock.Monotonic()
	s.charge(ops[:n], s.mono-from)
	return n
}

// some runs the first operation, and those behind it that can be run along with
// it, and tells how many: none if it has to be run again. Replies longer than limit end it.
func (s *Shard) some(ops []command.Op, limit int) int {
	if !s.store.Over() {
		if n := s.call.RunMany(ops, limit); n > 0 {
			return n
		}
	}
	before := s.call.Reply.Len()
	if s.one(&ops[0]); s.call.Later {
		return 0
	}
	if s.call.Failed {
		s.errors.count(errorOf(s.call.Reply.Since(before)))
	}
	s.call.Note()
	return 1
}

// groupSize is how many operations from the first on are timed together.
func (s *Shard) groupSize(ops []command.Op) int {
	if s.opts.SlowerThan >= 0 && s.opts.SlowerThan < groupable {
		return 1
	}
	n := 1
	for n < len(ops) && n < maxGroup && quick[ops[n].Row] && quick[ops[n-1].Row] {
		n++
	}
	return n
}

// groupable is the slow log's threshold, in nanoseconds, below which every
// command is timed alone.
const groupable = 1_000_000

// charge divides the time of a group among its operations.
func (s *Shard) charge(ops []command.Op, nanos int64) {
	each := nanos / int64(max(1, len(ops)))
	s.calls += uint64(len(ops))
	for i := 0; i < len(ops); {
		n := 1
		for i+n < len(ops) && ops[i+n].Row == ops[i].Row {
			n++
		}
		s.rows[ops[i].Row].record(int64(n), each, s.opts.TrackLatency)
		i += n
	}
	if s.isSlow(nanos) && len(ops) > 0 {
		s.noteSlowest(ops, nanos)
	}
}

// noteSlowest notes the operation of a slow group that had most to do: the one
// with the longest arguments.
func (s *Shard) noteSlowest(ops []command.Op, nanos int64) {
	slowest, most := ops[0], 0
	for _, op := range ops {
		if size := s.argBytes(op); size > most {
			slowest, most = op, size
		}
	}
	s.noteSlow(slowest.Row, s.argsOf(slowest), nanos)
}

// isSlow tells that somebody wants to know of a command that took so long.
func (s *Shard) isSlow(nanos int64) bool {
	return s.opts.SlowerThan >= 0 && nanos >= s.opts.SlowerThan || s.tooLong(nanos)
}

// noteSlow keeps a command that took long in the slow log and in the history of
// latencies, as the configuration wants it.
func (s *Shard) noteSlow(row uint16, args command.Args, nanos int64) {
	s.noteCommand(row, nanos)
	if s.opts.SlowerThan >= 0 && nanos >= s.opts.SlowerThan && command.Table[row].Flags&command.SkipSlowlog == 0 {
		s.slow.add(args, nanos, s.Micros()/1e6)
	}
}

// argsOf gives the arguments of an operation of the batch that runs.
func (s *Shard) argsOf(op command.Op) command.Args {
	return command.Args{Buf: s.buf, Spans: s.spans[op.First : op.First+op.Argc]}
}

func (s *Shard) argBytes(op command.Op) int {
	size := 0
	for _, span := range s.argsOf(op).Spans {
		size += int(span.Len)
	}
	return size
}

// Timed runs a command whose function lives elsewhere, and counts it.
func (s *Shard) Timed(row uint16, args command.Args, run func()) {
	from := s.clock.Monotonic()
	s.setNow(from)
	run()
	s.mono = s.clock.Monotonic()
	nanos := s.mono - from + s.prolonged
	s.prolonged = 0
	s.calls++
	s.rows[row].record(1, nanos, s.opts.TrackLatency)
	s.noteSlow(row, args, nanos)
}
