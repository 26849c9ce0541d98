//go:build !race

package netio

const raceDetector = false
