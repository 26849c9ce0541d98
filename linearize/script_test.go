package linearize

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// parse makes a history of lines such as
//
//	0..10 SET a PX 5 -> OK        the key is k
//	20.. @j GET -> ?              the key is j, the outcome unknown
//	0..10 %1:2 SET a -> OK        the third place in line 1, of a client of its own
//	0..10 BATCH set_m_1;get_m WATCHED w -> OK;1
//	30..40 WIPE                   a mark
//	30..40 CLOCK-JUMP -5
//
// A reply is nil, ERR, ? or text.
func parse(t rapid.TB, script string) *History {
	t.Helper()
	h := &History{}
	for i, line := range strings.Split(strings.TrimSpace(script), "\n") {
		words := strings.Fields(line)
		from, to, _ := strings.Cut(words[0], "..")
		kind := strings.ToLower(words[1])
		if row := rowOf(MarkKind(kind)); string(row.kind) == kind {
			m := Mark{Kind: row.kind, From: number(t, from), To: number(t, to), Keys: words[2:]}
			if m.Kind == ClockJump {
				m.By, m.Keys = number(t, words[2]), words[3:]
			}
			h.Marks = append(h.Marks, m)
			continue
		}
		op := Operation{Client: i, Key: "k", Call: number(t, from), Return: Infinite}
		if to != "" {
			op.Return = number(t, to)
		}
		words = words[1:]
		if strings.HasPrefix(words[0], "@") {
			op.Key, words = words[0][1:], words[1:]
		}
		if strings.HasPrefix(words[0], "%") {
			line, place, _ := strings.Cut(words[0][1:], ":")
			op.Line, op.Place, words = int(number(t, line)), int(number(t, place)), words[1:]
			op.Client = 1000 + op.Line
		}
		op.Kind = Kind(strings.ToLower(words[0]))
		reply := words[len(words)-1]
		arguments(t, &op, words[1:len(words)-2])
		op.Outcome = map[string]Outcome{"nil": replyNull, "ERR": {Result: Refused}, "?": {Result: Lost}}[reply]
		if op.Outcome.Result == "" {
			op.Outcome = Replied(reply)
		}
		h.Operations = append(h.Operations, op)
	}
	return h
}

func arguments(t rapid.TB, op *Operation, words []string) {
	t.Helper()
	switch op.Kind {
	case IncrBy, DecrBy:
		op.Delta = number(t, words[0])
		return
	case PExpire:
		op.Life = number(t, words[0])
		return
	case PExpireAt:
		op.At = number(t, words[0])
		return
	case DelIfEq:
		op.Old = words[0]
		return
	case Watch:
		op.Value, op.Old = strings.ReplaceAll(words[0], "_", " "), words[1]
		return
	case Batch:
		op.Value, words = strings.ReplaceAll(words[0], "_", " "), words[1:]
	case Set, SetNX, GetSet:
		op.Value, words = words[0], words[1:]
	}
	options(t, op, words)
}

func options(t rapid.TB, op *Operation, words []string) {
	t.Helper()
	for len(words) > 0 {
		switch words[0] {
		case "NX", "XX":
			op.If = strings.ToLower(words[0])
		case "KEEPTTL":
			op.Keep = true
		case "IFEQ", "IFNE":
			op.If, op.Old, words = strings.ToLower(words[0][2:]), words[1], words[1:]
		case "PX":
			op.Life, words = number(t, words[1]), words[1:]
		case "PXAT":
			op.At, words = number(t, words[1]), words[1:]
		case "WATCHED":
			op.Old, words = words[1], words[1:]
		default:
			t.Fatalf("what is %q?", words[0])
		}
		words = words[1:]
	}
}

func number(t rapid.TB, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// check is Check of a history and options that are in order.
func check(t rapid.TB, h *History, o Options) *Report {
	t.Helper()
	report, err := Check(h, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// show writes a history as parse reads it, nearly.
func show(h *History) string {
	var out strings.Builder
	for i := range h.Operations {
		op := &h.Operations[i]
		to := strconv.FormatInt(op.Return, 10)
		if op.lost() {
			to = ""
		}
		fmt.Fprintf(&out, "%d..%s @%s %s\n", op.Call, to, op.Key, op)
	}
	for _, m := range h.Marks {
		fmt.Fprintf(&out, "%d..%d %s %d\n", m.From, m.To, strings.ToUpper(string(m.Kind)), m.By)
	}
	return out.String()
}
