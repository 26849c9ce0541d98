package main

import "testing"

// TestHouse holds the tree to every rule.
func TestHouse(t *testing.T) {
	tree, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			findings := rule.check(tree)
			for _, finding := range findings {
				t.Error(finding)
			}
			if len(findings) > 0 {
				t.Logf("the rule: %s", rule.why)
			}
		})
	}
	lengths := lengthsOf(tree)
	t.Logf("%d functions: median %d lines, 90th percentile %d, longest %d",
		len(lengths), percentile(lengths, 50), percentile(lengths, 90), percentile(lengths, 100))
}

// TestExceptionsAreUsed finds exceptions that nothing needs any more.
func TestExceptionsAreUsed(t *testing.T) {
	tree, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	kept := exceptions
	before := len(doors(tree)) + len(ownership(tree))
	defer func() { exceptions = kept }()
	for i, e := range kept {
		exceptions = append(append([]exception(nil), kept[:i]...), kept[i+1:]...)
		if len(doors(tree))+len(ownership(tree)) == before {
			t.Errorf("nothing needs the exception of %s for %s", e.file, e.use)
		}
	}
}
