package netio

import (
	"fmt"
	"io"
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
				_ = victim.SetReadDeadline(time.Now().Add(200 * time.Microsecond))
				if _, err := victim.in.ReadByte(); portable && isTimeout(err) {
					continue // goroutines close what the loop has given up
				} else if err != io.EOF && !cut(err) || isTimeout(err) {
					t.Fatalf("after the kill the victim reads %v", err)
				}
				_ = victim.Close()
			}
		})
	}
}

func isTimeout(err error) bool {
	timeout, ok := err.(interface{ Timeout() bool })
	return ok && timeout.Timeout()
}
