package judge

// replies passes on what clients found odd.
func replies(e *Evidence) Report {
	return Report{Checks: len(e.History.Operations), Findings: e.Odd}
}
