// Package judge looks at what a run of a cluster left behind and says what was
// wrong: one file a judge, and a row each in the table.
//
// The promise that callers rely on: each judge counts the checks that could have
// failed, so that one which saw nothing is not taken for one that was content.
package judge
