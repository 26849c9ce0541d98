package differ

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Difference is the first command of a stream that two servers answer
// differently.
type Difference struct {
	At    int // index of the step
	Args  []string
	Redis string // the printed replies
	Ours  string
}

func (d *Difference) String() string {
	return fmt.Sprintf("%s\nredis-server:\n%sours:\n%s", Join(d.Args), head(d.Redis), head(d.Ours))
}

// head is the first lines of a long text.
func head(text string) string {
	lines := strings.SplitAfterN(text, "\n", 41)
	if len(lines) == 41 {
		lines[40] = "...\n"
	}
	return strings.Join(lines, "")
}

// Player sends streams to two servers at once.
type Player struct {
	sides    [2]*side // redis-server, ours
	counts   *Counts
	patience time.Duration // bound of the wait for a reply
	queued   [][][]string  // for each connection the commands in its MULTI
}

// side is one of the two servers of a player.
type side struct {
	addr     string
	patience time.Duration
	admin    *Conn
	conns    []*Conn
}

// NewPlayer connects to both servers.
func NewPlayer(redis, ours string, counts *Counts) (*Player, error) {
	p := &Player{counts: counts, patience: patience}
	for i, addr := range []string{redis, ours} {
		admin, err := Dial(addr)
		if err != nil {
			return nil, err
		}
		p.sides[i] = &side{addr: addr, admin: admin}
	}
	return p, nil
}

// Close ends all connections.
func (p *Player) Close() {
	for _, s := range p.sides {
		s.drop()
		s.admin.Close()
	}
}

func (s *side) drop() {
	for _, c := range s.conns {
		if c != nil {
			c.Close()
		}
	}
	s.conns = nil
}

// prologue brings a server back to where a stream starts.
var prologue = [][]string{
	{"FLUSHALL"}, {"SLOWLOG", "RESET"}, {"LATENCY", "RESET"}, {"DEBUG", "SET-ACTIVE-EXPIRE", "1"},
	{"CONFIG", "SET", "maxmemory", "0"}, {"CONFIG", "SET", "maxmemory-policy", "noeviction"},
	{"CONFIG", "SET", "slowlog-max-len", "128"}, {"CONFIG", "SET", "timeout", "0"},
	{"CONFIG", "SET", "maxmemory-samples", "5"},
	{"CONFIG", "SET", "lazyfree-lazy-expire", "no"}, {"CONFIG", "RESETSTAT"},
}

func (s *side) begin() error {
	s.drop()
	for _, args := range prologue {
		s.admin.Queue(args)
	}
	if err := s.admin.Flush(); err != nil {
		return fmt.Errorf("differ: begin on %s: %w", s.addr, err)
	}
	for range prologue {
		if _, err := s.admin.Read(); err != nil {
			return fmt.Errorf("differ: begin on %s: %w", s.addr, err)
		}
	}
	return nil
}

// conn is the n-th connection of the stream.
func (s *side) conn(n int) (*Conn, error) {
	for len(s.conns) <= n {
		s.conns = append(s.conns, nil)
	}
	if s.conns[n] == nil {
		c, err := Dial(s.addr)
		if err != nil {
			return nil, err
		}
		c.Patience = s.patience
		s.conns[n] = c
	}
	return s.conns[n], nil
}

// Play runs the steps on both servers from an empty start and returns the first
// difference that is not an accepted one, nil if there is none.
func (p *Player) Play(steps []Step) (*Difference, error) {
	p.queued = nil
	for _, s := range p.sides {
		s.patience = p.patience
		if err := s.begin(); err != nil {
			return nil, err
		}
	}
	for at := 0; at < len(steps); {
		end := batchEnd(steps, at)
		if steps[at].Pause > 0 {
			time.Sleep(steps[at].Pause)
		}
		diff, err := p.batch(steps[at:end])
		if err != nil {
			return nil, fmt.Errorf("differ: step %d, %s: %w", at, Join(steps[at].Args), err)
		}
		if diff != nil {
			diff.At += at
			return diff, nil
		}
		at = end
	}
	return nil, nil
}

// batchEnd is the index after the pipeline that starts at a step.
func batchEnd(steps []Step, at int) int {
	end := at + 1
	for end < len(steps) && !steps[end-1].Cut && steps[end].Conn == steps[at].Conn && steps[end].Pause == 0 &&
		!endsPipeline(steps[end].Args) && !endsPipeline(steps[end-1].Args) {
		end++
	}
	return end
}

// batch sends one pipeline and compares its replies.
func (p *Player) batch(steps []Step) (*Difference, error) {
	if steps[0].Args[0] == sweepWord {
		return p.sweep(steps[0])
	}
	for _, s := range p.sides {
		if err := s.send(steps); err != nil && !isClosed(err) {
			return nil, err
		}
	}
	for i, step := range steps {
		left, right := p.sides[0].receive(step), p.sides[1].receive(step)
		p.counts.Add(step.Args, left)
		if diff := p.judge(step, left, right); diff != nil {
			diff.At = i
			return diff, nil
		}
		if left.Kind == lost {
			break
		}
	}
	if strings.EqualFold(steps[0].Args[0], "quit") {
		p.hangUp(steps[0].Conn)
	}
	return nil, nil
}

func (p *Player) hangUp(conn int) {
	for _, s := range p.sides {
		s.conns[conn].Close()
		s.conns[conn] = nil
	}
	p.forget(conn)
}

func (s *side) send(steps []Step) error {
	c, err := s.conn(steps[0].Conn)
	if err != nil {
		return err
	}
	for _, step := range steps {
		c.Queue(step.Args)
	}
	return c.Flush()
}

// lost is the kind of a reply that did not come.
const lost = '?'

// receive reads a reply; pushes are not expected and not skipped.
func (s *side) receive(step Step) Reply {
	r, err := s.conns[step.Conn].Read()
	switch {
	case err == nil:
		return r
	case isClosed(err):
		return Reply{Kind: lost, Text: "closed"}
	}
	return Reply{Kind: lost, Text: err.Error()}
}

// judge compares two replies to a step, by the rules of its command. The
// elements of an EXEC reply are compared by the commands that were queued.
func (p *Player) judge(step Step, left, right Reply) *Difference {
	queue := p.queue(step.Conn)
	switch word := strings.ToLower(step.Args[0]); {
	case left.Text == "QUEUED" && left.Kind == '+' && right.equal(left):
		*queue = append(*queue, step.Args)
		return nil
	case word == "exec" && len(left.Items) == len(*queue) && len(right.Items) == len(*queue):
		return p.judgeExec(step, left, right)
	case endsMulti[word] && (!left.IsError() || strings.HasPrefix(left.Text, "EXECABORT")):
		p.forget(step.Conn)
	}
	return p.verdict(step.Args, left, right)
}

// endsMulti are the commands after which nothing is queued.
var endsMulti = map[string]bool{"exec": true, "discard": true, "reset": true}

func (p *Player) judgeExec(step Step, left, right Reply) *Difference {
	queued := slices.Clone(*p.queue(step.Conn))
	p.forget(step.Conn)
	for i, args := range queued {
		p.counts.Add(args, left.Items[i])
		if diff := p.verdict(args, left.Items[i], right.Items[i]); diff != nil {
			diff.Args = append([]string{"exec", "->"}, diff.Args...)
			return diff
		}
	}
	return p.verdict(step.Args, Reply{Kind: left.Kind, Null: left.Null}, Reply{Kind: right.Kind, Null: right.Null})
}

func (p *Player) verdict(args []string, left, right Reply) *Difference {
	if Same(args, left, right) {
		return nil
	}
	redis, ours := left.Print(), right.Print()
	if acceptedBy(args, redis, ours) != nil {
		return nil
	}
	return &Difference{Args: args, Redis: redis, Ours: ours}
}

func (p *Player) queue(conn int) *[][]string {
	for len(p.queued) <= conn {
		p.queued = append(p.queued, nil)
	}
	return &p.queued[conn]
}

func (p *Player) forget(conn int) { *p.queue(conn) = nil }
