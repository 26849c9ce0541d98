package linearize

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// draw is the picture of a key and the data within.
func draw(t *testing.T, report *Report, key string) (page string, data map[string]any) {
	t.Helper()
	var out bytes.Buffer
	if err := report.Picture(&out, key); err != nil {
		t.Fatal(err)
	}
	page = out.String()
	_, rest, _ := strings.Cut(page, dataBegins)
	text, _, _ := strings.Cut(rest, dataEnds)
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	return page, data
}

const pictured = `
	0..10  SET <b> -> OK
	20..30 SET c -> OK
	22..   SETNX d -> ?
	23..   GET -> ?
	24..25 SET e -> ERR
	32..34 WIPE
	35..36 PARTITION
	35..36 CRASH elsewhere
	40..50 GET -> <b>
	60..70 GET -> c`

func TestPictureShowsEverything(t *testing.T) {
	page, data := draw(t, check(t, parse(t, pictured), Options{Wipes: true}), "k")
	for _, want := range []string{
		`"Description":"SET \"\u003cb\u003e\" -\u003e \"OK\""`, `\u0026lt;b\u0026gt;`, "Left out", "Nobody knows", "partition", "came back without its data",
		"<title>key &#34;k&#34;: violated</title>", "cannot follow", "Of the rows, 0 is client ",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, never := range []string{"<b>", "crash", "http-equiv", " src=", "<link"} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %s", never)
		}
	}
	if n := len(data["Annotations"].([]any)); n != 5 { // SETNX, GET, the refused SET, the wipe, the partition
		t.Errorf("%d annotations", n)
	}
	part := data["Partitions"].([]any)[0].(map[string]any)
	if n := len(part["History"].([]any)); n != 5 {
		t.Errorf("%d operations", n)
	}
	orders := part["PartialLinearizations"].([]any)
	if n := len(orders[0].([]any)); n != 3 { // both writes and the wipe
		t.Errorf("the longest order has %d operations", n)
	}
	for i := 1; i < len(orders); i++ {
		if len(orders[i].([]any)) > len(orders[i-1].([]any)) {
			t.Errorf("order %d is longer than the one before", i)
		}
	}
	for event, at := range part["Largest"].(map[string]any) {
		text, _ := json.Marshal(orders[int(at.(float64))])
		if !strings.Contains(string(text), `"Index":`+event+",") {
			t.Errorf("event %s is not in its order %v", event, at)
		}
	}
}

func TestPictureOfALegalKey(t *testing.T) {
	page, _ := draw(t, check(t, parse(t, "0..10 SET a -> OK"), Options{}), "k")
	if !strings.Contains(page, "An order of the operations explains all that was seen.") {
		t.Error("the page does not tell the verdict")
	}
}

// TestPictureOfAnUnfinishedSearch shows what was found within the limit.
func TestPictureOfAnUnfinishedSearch(t *testing.T) {
	h := crowd(1, []Kind{Set, Get}, 100, 4, true)
	report := check(t, h, Options{keepIdle: true, Limits: Limits{Steps: 300}})
	if report.Class != Unknown {
		t.Fatalf("class %s", report.Class)
	}
	page, _ := draw(t, report, "k")
	if !strings.Contains(page, "no verdict within 300 steps") {
		t.Error("the page does not tell the verdict")
	}
}

func TestPictureThatCannotBe(t *testing.T) {
	report := check(t, parse(t, `
		0..10 @many SET a -> OK
		20..30 @many SET a -> OK
		0..10 @strange LPUSH -> 1`), Options{Limits: Limits{Operations: 1}})
	for _, key := range []string{"many", "strange", "absent"} {
		if err := report.Picture(io.Discard, key); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", key, err)
		}
	}
	report = check(t, parse(t, "0..10 SET a -> OK"), Options{})
	if err := report.Picture(full{}, "k"); !errors.Is(err, errFull) {
		t.Errorf("a writer that fails: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
