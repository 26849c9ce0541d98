//go:build !linux

// Command bench measures IronCache beside other RESP servers. It reads CPU
// time from /proc and drives epoll, so it runs on Linux only.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "bench: runs on Linux only")
	os.Exit(1)
}
