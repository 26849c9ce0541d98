// Package fault says what can happen to a simulated cluster: one file a fault,
// and a row each in the table.
//
// The promise that callers rely on: a fault counts as seen only when its effect
// was, not when it was asked for.
package fault
