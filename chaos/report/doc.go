// Package report draws the page of a run that failed: one HTML file that needs
// nothing else, for a reader who has never seen the simulator.
//
// The promise that callers rely on: equal runs give equal pages, and nothing that
// a run holds is taken for a part of the page.
package report
