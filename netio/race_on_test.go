//go:build race

package netio

// raceDetector tells that the race detector watches this build.
const raceDetector = true
