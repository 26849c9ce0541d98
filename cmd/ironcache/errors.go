package main

import (
	"errors"
	"strings"
	"syscall"
)

// usageError is an error in what the user asked for.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// codedError is an error with an exit code of its own.
type codedError interface {
	error
	code() int
}

func codeOf(err error) int {
	if own := codedError(nil); errors.As(err, &own) {
		return own.code()
	}
	if errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitFailure
}

// advice says what to do about errors of the system that users can mend.
var advice = []struct {
	err syscall.Errno
	do  string
}{
	{syscall.EACCES, "check who owns it and its permissions"},
	{syscall.EADDRINUSE, "another program listens there: stop it or choose another address"},
	{syscall.EADDRNOTAVAIL, "this machine does not have that address: check bind"},
	{syscall.EDQUOT, "the disk quota is used up: free some space"},
	{syscall.EMFILE, "raise the limit of open files (ulimit -n) or lower maxclients"},
	{syscall.ENOMEM, "the system gives no more memory: lower maxmemory"},
	{syscall.ENOSPC, "the disk is full: free some space"},
	{syscall.EROFS, "the file system is read-only: choose another dir"},
}

// habit is the end of the error about a command line that is as redis-server would have
// it: options before any command, or the name of a file of options.
func habit(args []string) string {
	if strings.HasPrefix(args[0], "-") {
		return "; options follow a command, as in: ironcache server " + args[0]
	}
	for _, arg := range args[:min(2, len(args))] {
		if strings.HasSuffix(arg, ".conf") || strings.HasSuffix(arg, ".toml") {
			return "; a file of options, in TOML, is given as in: ironcache server --config " + arg
		}
	}
	return ""
}

// explain is an error as one line, with what to do about it where that is known.
func explain(err error) string {
	line := strings.ReplaceAll(err.Error(), "\n", "; ")
	for _, a := range advice {
		if errors.Is(err, a.err) {
			return line + ": " + a.do
		}
	}
	return line
}
