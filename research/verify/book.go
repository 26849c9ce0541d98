package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"
)

// A Claim is one figure.
type Claim struct {
	Says  string `yaml:"says"`  // the statement, in a sentence without the number
	Value string `yaml:"value"` // as the text prints it, without unit and thousands separators
	Unit  string `yaml:"unit"`  // as the text prints it; empty for a bare number

	Source string `yaml:"source"` // where somebody else published it

	Script    string  `yaml:"script"`    // the command that measures it; {json} is where it writes
	Result    string  `yaml:"result"`    // the file of the last measurement
	Figure    string  `yaml:"figure"`    // its name in that file
	Tolerance float64 `yaml:"tolerance"` // relative difference that another measurement may show
}

// A result is what a script writes.
type result struct {
	Options struct {
		Quick bool `json:"quick"`
	} `json:"options"`
	Figures map[string]float64 `json:"figures"`
}

// A book holds the claims and the documents that refer to them.
type book struct {
	root   string
	claims map[string]Claim
	texts  map[string]string // documents by path
}

func loadBook(root string) (*book, error) {
	b := &book{root: root, texts: map[string]string{}}
	text, err := os.ReadFile(filepath.Join(root, "research", "claims.yaml"))
	if err != nil {
		return nil, fmt.Errorf("read the claims: %w", err)
	}
	if b.claims, err = parseClaims(text); err != nil {
		return nil, fmt.Errorf("research/claims.yaml: %w", err)
	}
	for _, name := range documents {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a document: %w", err)
		}
		b.texts[name] = string(text)
	}
	return b, nil
}

// parseClaims reads claims by id; a field it does not know is an error.
func parseClaims(text []byte) (map[string]Claim, error) {
	claims := map[string]Claim{}
	if err := yaml.UnmarshalWithOptions(text, &claims, yaml.DisallowUnknownField()); err != nil {
		return nil, err
	}
	return claims, nil
}

func (b *book) ids() []string { return slices.Sorted(maps.Keys(b.claims)) }

func (b *book) names() []string { return slices.Sorted(maps.Keys(b.texts)) }

func readResult(path string) (result, error) {
	var r result
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("decode %s: %w", path, err)
	}
	return r, nil
}
