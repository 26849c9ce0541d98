package netio

import "testing"

// TestShutdownForms: what redis-server 7.0.15 answers to each form where
// nothing can be saved; empty is the end of the node.
func TestShutdownForms(t *testing.T) {
	const failed = "-ERR Errors trying to SHUTDOWN. Check logs.\r\n"
	for line, want := range map[string]string{
		"shutdown":                "",
		"shutdown nosave":         "",
		"shutdown now":            "",
		"shutdown force":          "",
		"shutdown nosave now":     "",
		"shutdown save":           failed,
		"shutdown save now":       failed,
		"shutdown save force":     "",
		"shutdown force save now": "",
		"shutdown save nosave":    "-ERR syntax error\r\n",
		"shutdown abort save":     "-ERR syntax error\r\n",
		"shutdown abort":          "-ERR No shutdown in progress.\r\n",
	} {
		t.Run(line, func(t *testing.T) {
			town := newTown(t, 2)
			c := town.dial()
			c.line("ping")
			if want == "" {
				c.pipeline(line)
				town.until("the end", func() bool { return town.node.loops[0].ended && town.node.loops[1].ended })
				return
			}
			if got := c.line(line); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if got := c.line("ping"); got != "+PONG\r\n" {
				t.Errorf("the node answers %q", got)
			}
		})
	}
}
