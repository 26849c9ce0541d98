package linearize

import (
	"fmt"
	"slices"
	"testing"
)

func TestStrays(t *testing.T) {
	lost := func(key string, from, to int64) bool { return key == "emptied" && from < 100 && to > 200 }
	for _, c := range []struct {
		name    string
		looked  int
		want    []string
		history string
	}{
		{"what was written is seen", 3, nil, `
			0..10 SET a -> OK
			5..8  GETSET b -> a
			20..30 GET -> b
			40..50 GETDEL -> b
			60..70 GET -> nil`},
		{"nobody wrote it", 1, []string{`key "k": client 1 sees "x" from 20 to 30, which nobody wrote`}, `
			0..10  SET a -> OK
			20..30 GET -> x`},
		{"it is another key's", 1, []string{`key "j": client 1 sees "a" from 20 to 30, which nobody wrote`}, `
			0..10  SET a -> OK
			20..30 @j GETEX -> a
			40..50 @j SET b -> OK`},
		{"it was refused", 1, []string{`key "k": client 1 sees "a" from 20 to 30, which nobody wrote`}, `
			0..10  SET a -> ERR
			20..30 GET -> a`},
		{"it comes later", 1, []string{`key "k": client 0 sees "a" from 20 to 30, which is not written before 31`}, `
			20..30 GET -> a
			31..   SET a -> ?`},
		{"nobody knows whether it was written", 1, nil, `
			0..    SET a -> ?
			20..30 GET -> a`},
		{"it was lost", 1, []string{`key "emptied": client 1 sees "a" from 250 to 260, which was lost since it was written at 10`}, `
			0..10    @emptied SET a -> OK
			250..260 @emptied GET -> a`},
		{"it was written beside the loss", 1, nil, `
			0..100   @emptied SET a -> OK
			250..260 @emptied GET -> a`},
		{"sums are nobody's values", 0, nil, `
			0..10  INCRBY 5 -> 5
			20..30 GET -> 7`},
		{"members", 3, []string{`key "k": client 1 sees "x" from 20 to 30, which nobody wrote`}, `
			0..10  BATCH mset_a_1_b_2;set_c_3 -> OK;OK
			20..30 BATCH del_z;mget_a_b_d;get_c -> 0;1,x,-;3`},
		{"members of a transaction that did nothing", 0, nil, `
			0..10  WATCH a w -> OK
			20..30 BATCH get_a WATCHED w -> nil`},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, looked := Strays(parse(t, c.history), lost)
			var got []string
			for _, s := range found {
				got = append(got, s.String())
			}
			if !slices.Equal(got, c.want) || looked != c.looked {
				t.Errorf("%d were looked at, %q", looked, got)
			}
		})
	}
}

// TestReadsOfFamiliesAreCounted: a check that saw nothing is not taken for one that
// passed.
func TestReadsOfFamiliesAreCounted(t *testing.T) {
	report := check(t, parse(t, `
		0..10  BATCH mset_a_1_b_2 -> OK
		20..30 BATCH mget_a_c -> 1,-
		40..50 BATCH del_a;get_a -> 1;-
		60..   BATCH get_a -> ?`), Options{})
	if c := report.Counts; c.Reads != 1 || c.Absences != 1 || c.Unknowns != 1 {
		t.Errorf("%s", fmt.Sprintf("%+v", c))
	}
}
