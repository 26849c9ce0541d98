package mutants

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/elares/ironcache/chaos/plan"
)

// Results are what came of hunts, as the file of results has them.
type Results struct {
	// Rows are in the order of the Table.
	Rows []Row `json:"rows"`
	// Unmutated is the node as it is, on as many seeds as the last of the mutants
	// took to be noticed.
	Unmutated Unmutated `json:"unmutated"`
	// Figures are what the documents quote.
	Figures map[string]float64 `json:"figures"`
}

// A Row is a mutant that was hunted.
type Row struct {
	ID      string  `json:"id"`
	Mutant  string  `json:"mutant"`
	Judge   string  `json:"judge"`       // that noticed; if none did, the one that must
	Seeds   int     `json:"seeds"`       // to the first on which it noticed; 0: on none of Most
	Most    int     `json:"most"`        // that would have been run
	Others  int     `json:"others"`      // seeds before on which only other judges noticed
	CPU     float64 `json:"cpu_seconds"` // of the runs
	Finding string  `json:"finding"`
	Of      string  `json:"of"` // the Fingerprint of what it was a mutant of
}

// Noticed tells whether the judge has noticed that the mutant names.
func (r *Row) Noticed() bool {
	m := Find(r.ID)
	return m != nil && r.Judge == m.Judge && r.Seeds > 0
}

// Unmutated is the node as it is.
type Unmutated struct {
	Seeds   int    `json:"seeds"`
	Finding string `json:"finding"` // empty, if all is well
	Of      string `json:"of"`
}

// Fingerprint tells apart nodes, by their bytes, and the ways in which plans are
// drawn: with either changed, a mutant may take another number of seeds.
func Fingerprint(node []byte) string {
	h := sha256.New()
	h.Write(node)
	for seed := range uint64(50) {
		if err := plan.Draw(seed, drawn).Write(h); err != nil { // a hash takes all
			panic(err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Load reads results, none from a file that is not there.
func Load(name string) (*Results, error) {
	r := &Results{}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		return nil, fmt.Errorf("mutants: results: %w", err)
	}
	return r, nil
}

// Save writes results, whole or not at all.
func (r *Results) Save(name string) error {
	r.sum()
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(r)
	if err == nil {
		err = os.WriteFile(name+".tmp", text.Bytes(), 0o644)
	}
	if err == nil {
		err = os.Rename(name+".tmp", name)
	}
	if err != nil {
		return fmt.Errorf("mutants: results: %w", err)
	}
	return nil
}

// Put puts a row in its place. Rows of mutants that are no more go.
func (r *Results) Put(row Row) {
	have := map[string]Row{}
	for _, old := range r.Rows {
		have[old.ID] = old
	}
	have[row.ID] = row
	r.Rows = r.Rows[:0]
	for i := range Table {
		if row, any := have[Table[i].ID]; any {
			r.Rows = append(r.Rows, row)
		}
	}
}

// Find gives the row of a mutant, nil if there is none.
func (r *Results) Find(id string) *Row {
	for i := range r.Rows {
		if r.Rows[i].ID == id {
			return &r.Rows[i]
		}
	}
	return nil
}

// Survivors lists the mutants that the judge which they name did not notice.
func (r *Results) Survivors() (ids []string) {
	for _, row := range r.Rows {
		if !row.Noticed() {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// Most is the most seeds that a mutant took to be noticed.
func (r *Results) Most() (most int) {
	for _, row := range r.Rows {
		most = max(most, row.Seeds)
	}
	return most
}

// Median is the middle one of how many seeds mutants took to be noticed; of an
// even number of mutants, the higher one of the two.
func (r *Results) Median() int {
	var seeds []int
	for _, row := range r.Rows {
		if row.Seeds > 0 {
			seeds = append(seeds, row.Seeds)
		}
	}
	if len(seeds) == 0 {
		return 0
	}
	slices.Sort(seeds)
	return seeds[len(seeds)/2]
}

// sum makes the figures.
func (r *Results) sum() {
	noticed, cpu := 0, 0.0
	r.Figures = map[string]float64{}
	for _, row := range r.Rows {
		r.Figures["seeds/"+row.ID] = float64(row.Seeds)
		cpu += row.CPU
		if row.Noticed() {
			noticed++
		}
	}
	r.Figures["mutants"], r.Figures["noticed"] = float64(len(r.Rows)), float64(noticed)
	r.Figures["median"], r.Figures["most"] = float64(r.Median()), float64(r.Most())
	r.Figures["cpu seconds"] = cpu
	if r.Unmutated.Finding == "" {
		r.Figures["unmutated"] = float64(r.Unmutated.Seeds)
	}
}
