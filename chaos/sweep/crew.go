package sweep

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/elares/ironcache/sim/wasm"
)

// Patience is how much processor time a worker may use within one step of a node
// before the node counts as stuck: some thousand times what any step takes. Time in
// which the worker does not run, because the system is busy or suspends it, is none.
const Patience = time.Minute

// Crew is what workers that are processes of their own have in common. Nothing
// preempts a node that computes for ever, and it hangs its process: such a worker is
// ended, its plan counts as stuck, and the next plan has another process.
type Crew struct {
	// Command makes the command of a worker, which is to call Serve.
	Command  func() *exec.Cmd
	Binary   *wasm.Binary
	Origin   Origin
	Patience time.Duration
	// Cache is the folder for what the node is compiled to; empty: a temporary one.
	Cache string

	mu       sync.Mutex
	compiled bool   // what the node was compiled to is in the cache
	own      string // the temporary folder, if there is one
}

// Worker gives one, whose process is started when it is needed.
func (c *Crew) Worker() Worker { return &Child{crew: c} }

// Close drops what workers shared, once they are closed.
func (c *Crew) Close() error {
	return os.RemoveAll(c.own)
}

// start starts a process that has the node. The first one does that alone, so that
// the others find what it has compiled.
func (c *Crew) start() (*process, error) {
	c.mu.Lock()
	if c.compiled {
		c.mu.Unlock()
		return c.hire()
	}
	defer c.mu.Unlock()
	if c.Cache == "" {
		folder, err := os.MkdirTemp("", "ironcache-compiled-")
		if err != nil {
			return nil, fmt.Errorf("sweep: folder of compiled nodes: %w", err)
		}
		c.Cache, c.own = folder, folder
	}
	p, err := c.hire()
	c.compiled = err == nil
	return p, err
}

// hire starts a process and hands it the node. One that is interrupted before it could
// say that it does not heed that, or is killed for want of memory, is started again.
func (c *Crew) hire() (p *process, err error) {
	for range 3 {
		if p, err = launch(c.Command()); err != nil {
			return nil, err
		}
		_, err = p.ask(&order{Node: len(c.Binary.Bytes), Cache: c.Cache, Origin: c.Origin, bytes: c.Binary.Bytes}, Playing{}, c.Patience)
		if err == nil {
			return p, nil
		}
		p.end(Playing{})
		if ended := (*endedError)(nil); !errors.As(err, &ended) || !ended.signalled() {
			break
		}
	}
	return nil, err
}
