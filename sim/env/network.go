package env

import "errors"

// Errors that network doors answer with. They are compared with ==, so a door
// returns them bare. The end of a peer's stream is io.EOF.
var (
	// ErrAgain says that nothing can be moved now; a later event will tell.
	ErrAgain = errors.New("would block")
	// ErrReset says that the peer or the network ended the connection.
	ErrReset = errors.New("connection reset by peer")
	// ErrRefused says that nobody listens on the address that was dialled.
	ErrRefused = errors.New("connection refused")
	// ErrTooMany says that the system gives out no more descriptors.
	ErrTooMany = errors.New("too many open files")
)

// ErrNoAddress says that the machine does not have an address to listen on, or
// knows nothing of its kind. An error of Listen wraps it, with the address.
var ErrNoAddress = errors.New("no such address here")

// Network opens pollers, one for each loop.
type Network interface {
	// Poller makes a poller. It is used by one loop alone, save for Wake.
	Poller() (Poller, error)
}

// Conn names an open connection or listener within the pollers of one Network. A
// number is reused after Close.
type Conn int32

// Event tells what a connection is ready for.
type Event struct {
	Conn     Conn
	Readable bool // data, end of stream, an error, or a connection to accept
	Writable bool // reported only after WantWrite(conn, true)
}

// ListenAddress says where to listen.
type ListenAddress struct {
	Network string // "tcp" or "unix"
	Address string // "127.0.0.1:6379", "[::1]:6379", or a path
	Backlog int    // 1 to 65535
	Shared  bool   // several pollers listen on this address and share its connections
	Perm    uint32 // permissions of a unix socket; 0 leaves the default
}

// Peer describes an accepted connection.
type Peer struct {
	Remote   string // "127.0.0.1:40212", or the socket's path
	Local    string
	Loopback bool // the peer is on this machine: loopback address or unix socket
	Unix     bool
}

// Poller moves bytes for one loop. All calls return at once, save Wait. Except
// for Wake, only the owning loop calls it.
type Poller interface {
	// Listen opens a listener. Errors name the address; errors.Is finds
	// ErrNoAddress in them where that is why.
	Listen(at ListenAddress) (Conn, error)
	// Accept takes the next waiting connection, or fails with ErrAgain,
	// ErrTooMany or another error that concerns that connection alone. The
	// connection is watched for reading from then on.
	Accept(listener Conn) (Conn, Peer, error)
	// Dial starts a connection to an address of the form "127.0.0.1:16379" or
	// "[::1]:16379". It is watched for reading and for writing: Writable alone
	// says that it stands, Readable with a Read that fails why it never will.
	// Until then a Write gives ErrAgain.
	Dial(address string) (Conn, error)
	// Wait fills events and tells how many. It returns when something is ready,
	// after Wake, or when timeout nanoseconds have passed (0: at once, below 0:
	// no limit). Events are level-triggered.
	Wait(events []Event, timeout int64) (int, error)
	// Wake makes the current or the next Wait or Park return. Any thread may
	// call it.
	Wake()
	// Park waits for Wake alone, whatever connections are ready for, or until
	// timeout nanoseconds have passed (below 0: no limit). With soon it is
	// expected within microseconds, so that looking for it is worth while
	// before sleeping.
	Park(timeout int64, soon bool)
	// Read reads up to len(p) > 0 bytes. The end of the stream is io.EOF.
	Read(conn Conn, p []byte) (int, error)
	// Write writes a prefix of p, len(p) > 0, and tells its length.
	Write(conn Conn, p []byte) (int, error)
	// WantRead turns reports of Readable on or off; on after Accept and Attach.
	WantRead(conn Conn, on bool)
	// WantWrite turns reports of Writable on or off; off after Accept and Attach.
	WantWrite(conn Conn, on bool)
	// Gone tells whether the peer has ended its stream or the connection broke,
	// although bytes from before may wait to be read. A host may see that only
	// once they are read.
	Gone(conn Conn) bool
	// KeepAlive makes the system probe an idle peer after so many seconds; 0
	// turns probing off.
	KeepAlive(conn Conn, seconds int)
	// Detach stops watching a connection so that another poller of the same
	// Network can Attach it. No bytes are lost.
	Detach(conn Conn)
	// Attach watches a connection that another poller detached, for reading.
	Attach(conn Conn) error
	// Close ends a connection or a listener. What was written is still sent.
	Close(conn Conn)
	// Shut releases the poller and all it still watches.
	Shut()
}
