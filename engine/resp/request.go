package resp

// Span is an argument: bytes Off to Off+Len of the buffer it was parsed from.
type Span struct{ Off, Len uint32 }

// In gives the argument's bytes. They alias buf and cannot be appended to.
func (s Span) In(buf []byte) []byte {
	end := s.Off + s.Len
	return buf[s.Off:end:end]
}

// Request is one command: its arguments are Spans[First:First+Argc] of the
// batch, Argc > 0, and the next request starts at offset End of the buffer.
type Request struct {
	First, Argc, End uint32
	// Like says that this is as many arguments as the request before it has, and
	// the first one is the same. When it is false, nobody has looked.
	Like bool
}

// Batch collects the requests found in one buffer.
type Batch struct {
	Spans    []Span
	Requests []Request
	// Pos is where the next Parse starts: just after the last complete
	// request. A caller may move buf[Pos:] to the front of its buffer between
	// calls, if it subtracts the distance from Pos.
	Pos int
	// Need is how many bytes are missing to complete the argument whose
	// length was announced; 0 when that is unknown. It is a hint for sizing
	// the next read.
	Need int
}

// Reset forgets the requests and starts at the front of the buffer.
func (b *Batch) Reset() {
	b.Spans, b.Requests = b.Spans[:0], b.Requests[:0]
	b.Pos, b.Need = 0, 0
	if cap(b.Spans) > mostKept {
		b.Spans = nil
	}
}

// mostKept is for how many arguments a batch keeps room: more than a common
// read brings.
const mostKept = 8192

// Args gives the spans of a request.
func (b *Batch) Args(r Request) []Span { return b.Spans[r.First : r.First+r.Argc] }

// Limits bounds what a client may send. The zero value is useless; start from
// DefaultLimits or GuestLimits.
type Limits struct {
	Args     int // most arguments of one request
	Bulk     int // most bytes of one argument (proto-max-bulk-len)
	Requests int // most requests that one Parse delivers; 0 for all there are
	Guest    bool
}

// DefaultLimits are those of a client that may run commands.
func DefaultLimits() Limits { return Limits{Args: 1<<31 - 1, Bulk: 512 << 20} }

// GuestLimits are those of a client that must authenticate first: at most 10
// arguments of 16 KB. It gets one request a Parse, because the limits of what
// follows depend on its outcome.
func GuestLimits() Limits { return Limits{Args: 10, Bulk: 16384, Requests: 1, Guest: true} }

// MaxInline is the longest inline request and the longest line of a header, in
// bytes.
const MaxInline = 64 << 10

// ProtocolError says how a stream is broken. The client is told
// "-ERR Protocol error: " and Text, and its connection ends.
type ProtocolError struct{ Text string }

func (e *ProtocolError) Error() string { return "Protocol error: " + e.Text }

// Reply is the error as the client sees it.
func (e *ProtocolError) Reply() Error { return Error("ERR Protocol error: " + e.Text) }
