package netio

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"
)

// When CLIENT KILL has answered, the connections that it killed are closed: no
// request of theirs is lost for want of knowing.
func TestKillClosesBeforeItAnswers(t *testing.T) {
	for _, portable := range []bool{false, true} {
		t.Run(fmt.Sprintf("portable %v", portable), func(t *testing.T) {
			p := startPlant(t, 4, portable)
			killer, err := p.dial()
			if err != nil {
				t.Fatal(err)
			}
			late := 0
			for range 200 {
				victim, err := p.dial()
				if err != nil {
					t.Fatal(err)
				}
				if replies, err := victim.do("client id"); err != nil {
					t.Fatal(err)
				} else if replies, err = killer.do(words("client kill id", atoi(replies[0][1:]))); err != nil || replies[0] != ":1\r\n" {
					t.Fatal(replies, err)
				}
				if !hasEnded(t, victim) {
					late++ // the system may be busy and carry it later
					_ = victim.SetReadDeadline(time.Now().Add(10 * time.Second))
					if _, err := victim.in.ReadByte(); err != io.EOF && !cut(err) || isTimeout(err) {
						t.Fatalf("after the kill the victim reads %v", err)
					}
				}
				_ = victim.Close()
			}
			if late > 100 && !portable { // goroutines close what the loop has given up
				t.Errorf("%d of 200 victims were not closed before the answer", late)
			}
		})
	}
}

// hasEnded tells whether a connection has come to its end by now. Nothing waits.
func hasEnded(t *testing.T, w *wire) bool {
	t.Helper()
	raw, err := w.Conn.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	var readErr error
	if err := raw.Read(func(fd uintptr) bool {
		n, readErr = syscall.Read(int(fd), make([]byte, 1))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return n == 0 && readErr == nil || errors.Is(readErr, syscall.ECONNRESET)
}

func isTimeout(err error) bool {
	timeout, ok := err.(interface{ Timeout() bool })
	return ok && timeout.Timeout()
}
