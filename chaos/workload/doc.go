// Package workload is what clients do in a simulated cluster: they speak RESP over
// connections of the simulated network, follow MOVED and ASK, try again when
// nobody answers for a slot, and write down what they asked and learnt.
//
// The promise that callers rely on: times in the history are true ones, and an
// operation whose outcome the client cannot know is written down as such.
package workload
