package sweep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
	"github.com/elares/ironcache/sim/wasm/endless"
)

// What the test binary is when the variable is set.
const (
	beThis   = "TEST_BINARY_IS"
	aWorker  = "worker" // that plays nodes, see half
	aMortal  = "mortal" // a worker that is killed at some seeds, see killed
	aDeadOne = "dead"   // that ends before it is ready
	aSweep   = "parent" // that has a worker and waits for it
)

func TestMain(m *testing.M) {
	switch os.Getenv(beThis) {
	case aWorker, aMortal:
		if err := work(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case aDeadOne:
		os.Exit(3)
	case aSweep:
		parent()
	default:
		os.Exit(m.Run())
	}
}

// work serves as a worker. Of seeds it plays every third one, with the node that it is
// given; at others all is well.
func work() error {
	pulse, err := OpenPulse()
	if err != nil {
		return err
	}
	s := &Server{In: os.Stdin, Out: os.Stdout, Gone: func() { os.Exit(0) }}
	s.Local.run = func(p *plan.Plan, o play.Options) *play.Result {
		switch mortal := os.Getenv(beThis) == aMortal; {
		case mortal && killed(p.Seed):
			pulse.Enter(1, 2, 5e9)
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case !mortal && p.Seed%3 == 2:
			o.Pulse = pulse
			return play.Run(p, s.Local.Module, o)
		}
		return &play.Result{Plan: p, Class: judge.OK, Trace: p.Seed}
	}
	return s.Serve()
}

// theFolder is a variable with a folder in which workers note that they were killed.
const theFolder = "TEST_FOLDER"

// killed tells whether a mortal worker is killed at a seed: at 5 each of them, at 3 the
// first one.
func killed(seed uint64) bool {
	return seed == 5 || seed == 3 && os.Mkdir(filepath.Join(os.Getenv(theFolder), "killed"), 0o700) == nil
}

// crewOf are workers that the test binary is.
func crewOf(what string, patience time.Duration) *Crew {
	return &Crew{Binary: wasm.NewBinary(endless.Computing), Patience: patience, Cache: wasm.Cache(), Command: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), beThis+"="+what)
		c.Stderr = os.Stderr
		return c
	}}
}

// soon is some patience: a node that computes for ever uses it up, and starting it
// does not.
const soon = 400 * time.Millisecond

// Seeds whose nodes compute for ever are stuck, are filed, and keep no other seed from
// running.
func TestNodesThatComputeForEver(t *testing.T) {
	dir := t.TempDir()
	crew := crewOf(aWorker, soon)
	defer crew.Close()
	outcomes := map[uint64]*Outcome{}
	table, err := Run(Options{
		Seeds: 8, Jobs: 2, Worker: crew.Worker,
		Done: func(o *Outcome, _ *Table) error { outcomes[o.Seed] = o; return nil },
		Failed: func(o *Outcome, file func(string) error) {
			if err := file(filepath.Join(dir, fmt.Sprint(o.Seed))); err != nil {
				t.Error(err)
			}
		},
	})
	if err != nil || table.Ran != 8 || table.Classes[judge.OK] != 6 || table.Classes[judge.Stuck] != 2 || len(table.Failures) != 2 || table.Twice != 1 {
		t.Fatalf("%v, %+v", err, table)
	}
	for seed, o := range outcomes {
		if want := fmt.Sprintf("%016x", seed); seed%3 != 2 && (o.Trace != want || o.Class != judge.OK) {
			t.Errorf("%+v", o)
		}
	}
	const says = "node 0 (life 1) goes on since 0 and does not wait: that step took 0.4 s of processor time"
	if f := outcomes[5].Finding(); f.Judge != "run" || !strings.Contains(f.Text, says) {
		t.Errorf("%+v", f)
	}
	p, about, err := ReadBundle(filepath.Join(dir, "5"))
	if err != nil || p.Seed != 5 || about.Class != judge.Stuck || about.Trace != outcomes[5].Trace || len(about.Findings) != 1 {
		t.Fatalf("%v, %+v", err, about)
	}
	for name, want := range map[string]string{"log.txt": "starts, life 1", "page.html": says[:20]} {
		if text, err := os.ReadFile(filepath.Join(dir, "5", name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q: %v", name, want, err)
		}
	}
	w := crew.Worker()
	defer w.Close()
	if o, err := w.Play(p, Playing{}); err != nil || o.Trace != about.Trace || o.Class != judge.Stuck {
		t.Errorf("the bundle does otherwise: %v, %+v", err, o)
	}
}

// A seed whose worker is killed runs once more. If that one is killed, too, the seed is
// told as lost, and the same sweep runs it again: it is neither kept nor filed.
func TestWorkersThatAreKilled(t *testing.T) {
	t.Setenv(theFolder, t.TempDir())
	crew, dir := crewOf(aMortal, time.Minute), t.TempDir()
	defer crew.Close()
	sweep := func(o Options) (*Table, error) {
		j, err := OpenJournal(dir, SweepOf(crew.Binary.Hash, "a test", o.Plan))
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		o.Seeds, o.Jobs, o.Journal = 8, 2, j
		return Run(o)
	}
	table, err := sweep(Options{Worker: crew.Worker, Failed: func(o *Outcome, _ func(string) error) { t.Errorf("%+v is filed", o) }})
	if err != nil || table.Ran != 8 || table.Classes[judge.OK] != 7 || table.Class() != judge.Unknown || len(table.Failures) != 1 {
		t.Fatalf("%v, %+v", err, table)
	}
	const says = "run: the process that ran the seed has ended by itself: signal: killed, within a step: node 1 (life 2) goes on since 5000000000"
	if f := table.Failures[0]; f.Seed != 5 || f.Summary != says {
		t.Errorf("%+v", f)
	}
	table, err = sweep(Options{Worker: playing(func(p *plan.Plan) *play.Result { return &play.Result{Plan: p, Class: judge.OK} })})
	if err != nil || table.Kept != 7 || table.Classes[judge.OK] != 8 {
		t.Errorf("once more: %v, %+v", err, table)
	}
}

// What was told of a run is not told again: one whose worker is killed is lost at once.
func TestLostWhileItIsTold(t *testing.T) {
	t.Setenv(theFolder, t.TempDir())
	w := crewOf(aMortal, time.Minute).Worker()
	defer w.Close()
	p := plan.Draw(3, plan.Options{})
	if o, err := w.Play(p, Playing{Tell: func(string) {}}); err != nil || !o.Lost || o.Class != judge.Unknown {
		t.Errorf("%v, %+v", err, o)
	}
	if err := w.File(t.TempDir()); err == nil || !strings.Contains(err.Error(), "nothing to file") {
		t.Error(err)
	}
	if o, err := w.Play(p, Playing{}); err != nil || o.Class != judge.OK {
		t.Errorf("another worker: %v, %+v", err, o)
	}
}

// A worker that ends before it has run anything is an error that says how.
func TestWorkerThatDies(t *testing.T) {
	w := crewOf(aDeadOne, soon).Worker()
	defer w.Close()
	if _, err := w.Play(plan.Draw(1, plan.Options{}), Playing{}); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Error(err)
	}
}

// A worker that stands still uses no processor time, and is not stuck however long that
// takes.
func TestWorkerThatStandsStill(t *testing.T) {
	var pulse wasm.Pulse
	cpu := 5 * time.Second
	w := &watch{pulse: &pulse, cpu: func() (time.Duration, error) { return cpu, nil }, patience: time.Minute}
	look := func(want bool) {
		t.Helper()
		if w.stuck() != want {
			t.Errorf("stuck: %v with %v", !want, cpu)
		}
	}
	pulse.Reset()
	look(false)
	cpu += time.Hour // between steps: judges look
	look(false)
	pulse.Enter(2, 1, 5e9)
	for range 1000 {
		look(false) // it is suspended
	}
	cpu += 59 * time.Second
	look(false)
	cpu += time.Second
	look(true)
	if got := w.place.String(); got != "node 2 (life 1) goes on since 5000000000" {
		t.Error(got)
	}
	pulse.Leave()
	pulse.Enter(2, 1, 6e9)
	look(false)
	cpu += 59 * time.Second
	look(false)
	w.cpu = func() (time.Duration, error) { return 0, errors.New("nobody knows") }
	look(false)
}

// Workers end with the process that they work for, however it ends, and in the middle
// of a step of a node.
func TestWorkersEndWithTheirParent(t *testing.T) {
	held, end, err := os.Pipe() // end is held by both of them
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), beThis+"="+aSweep)
	c.Stderr = end
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err = errors.Join(err, end.Close()); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(out).ReadString('\n')
	_ = c.Process.Kill()
	_ = c.Wait()
	if said != "within\n" {
		t.Fatalf("%q, %v", said, err)
	}
	_ = held.SetReadDeadline(time.Now().Add(time.Minute))
	if text, err := io.ReadAll(held); err != nil || len(text) > 0 {
		t.Errorf("the worker goes on: %v, %s", err, text)
	}
}

// parent has a worker that computes for ever, says so, and waits.
func parent() {
	w := &Child{crew: crewOf(aWorker, time.Hour)}
	_, _ = w.Play(plan.Draw(2, plan.Options{}), Playing{Watch: func(*play.Happening) {
		for !w.process.shared.pulse.Place().Within() {
			time.Sleep(time.Millisecond)
		}
		fmt.Println("within")
	}})
}

// A worker notices in the middle of a run that nobody gives it orders any more.
func TestWorkerNoticesThatItIsAlone(t *testing.T) {
	in, orders := io.Pipe()
	runs, gone := make(chan bool), make(chan bool)
	s := &Server{In: in, Out: io.Discard, Gone: func() { close(gone) }}
	s.Local.Module = &wasm.Module{}
	s.Local.run = func(p *plan.Plan, _ play.Options) *play.Result {
		close(runs)
		<-gone
		return oneInHundred(p)
	}
	go func() { _ = s.Serve() }()
	var text strings.Builder
	if err := plan.Draw(1, plan.Options{}).Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(orders).Encode(&order{Plan: text.String()}); err != nil {
		t.Fatal(err)
	}
	<-runs
	_ = orders.Close()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

func TestParseCPU(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"00:00:12": 12 * time.Second, "1-02:03:04": 26*time.Hour + 3*time.Minute + 4*time.Second, "2:03.50": 2*time.Minute + 3500*time.Millisecond,
	} {
		if got, err := parseCPU(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "12", "a:b", "1:-2", "1:2:3:4", "x-1:2:3"} {
		if got, err := parseCPU(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
	own, err := cpuOf(os.Getpid())
	if err != nil || own <= 0 {
		t.Errorf("%v, %v", own, err)
	}
	if _, err := exec.LookPath("ps"); err != nil {
		t.Skip("there is no ps")
	}
	if by, err := cpuByPs(os.Getpid()); err != nil || by > own+time.Minute {
		t.Errorf("%v, %v by ps", by, err)
	}
}
