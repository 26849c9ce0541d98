package sweep

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/elares/ironcache/sim/wasm"
)

// pulseFile is a worker's descriptor of the memory that its pulse lies in.
const pulseFile = 3

// shared is memory that a worker writes its pulse to. A file without a name holds it.
type shared struct {
	file  *os.File
	bytes []byte
	pulse *wasm.Pulse
}

// share makes such memory, for one worker.
func share() (*shared, error) {
	f, err := os.CreateTemp("", "ironcache-pulse-")
	if err != nil {
		return nil, fmt.Errorf("sweep: memory for the pulse of a worker: %w", err)
	}
	_, err = f.Write(make([]byte, os.Getpagesize())) // so that there is place for it
	s := &shared{file: f}
	if err = errors.Join(err, os.Remove(f.Name())); err == nil {
		err = s.open()
	}
	if err != nil {
		return nil, fmt.Errorf("sweep: memory for the pulse of a worker: %w", errors.Join(err, f.Close()))
	}
	return s, nil
}

// open maps the file.
func (s *shared) open() (err error) {
	s.bytes, err = unix.Mmap(int(s.file.Fd()), 0, int(unsafe.Sizeof(wasm.Pulse{})), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err == nil {
		s.pulse = (*wasm.Pulse)(unsafe.Pointer(unsafe.SliceData(s.bytes)))
	}
	return err
}

// close gives the memory back. The pulse must not be used any more.
func (s *shared) close() error { return errors.Join(unix.Munmap(s.bytes), s.file.Close()) }

// OpenPulse gives a worker its pulse. It fails if nobody has started the process as a
// worker.
func OpenPulse() (*wasm.Pulse, error) {
	s := &shared{file: os.NewFile(pulseFile, "pulse")}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("sweep: this process is no worker of a sweep: %w", err)
	}
	return s.pulse, nil
}
