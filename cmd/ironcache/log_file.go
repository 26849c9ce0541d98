package main

import "os"

// logFile is the file that the option logfile names. Each line goes to whatever
// has that name at the moment, as in Redis: once a log was renamed or removed,
// the next line makes it anew.
type logFile struct {
	path string
	file *os.File
	info os.FileInfo // of file
}

// open opens the file of that name, or makes it.
func (f *logFile) open() error {
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if f.file != nil {
		f.file.Close()
	}
	f.file, f.info = file, info
	return nil
}

// Write appends a line. Where no file can be opened under the name, lines go on
// to the one that was.
func (f *logFile) Write(line []byte) (int, error) {
	if info, err := os.Stat(f.path); err != nil || !os.SameFile(info, f.info) {
		_ = f.open()
	}
	return f.file.Write(line)
}
