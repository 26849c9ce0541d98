package linearize

import "fmt"

// registerTexts is Model.texts of registers.
func registerTexts(op *Operation) (written, shown []string) {
	switch op.Kind {
	case Set, SetNX, GetSet:
		written = []string{op.Value}
	}
	if shows, something := seesOne(op); shows && something {
		shown = []string{op.Outcome.Text}
	}
	return written, shown
}

// A Stray is a value that cannot have been where it was seen.
type Stray struct {
	Key, Value string
	By         *Operation // that shows it
	Why        string
}

// String is the stray as one reads it.
func (s Stray) String() string {
	return fmt.Sprintf("key %q: client %d sees %q from %d to %d, %s", s.Key, s.By.Client, s.Value, s.By.Call, s.By.Return, s.Why)
}

// Strays finds values that were seen at a key and that nobody had asked to be
// written there, and counts those that were looked at. Wiped tells whether all that a
// key held at a time is gone for certain at a later one.
//
// It needs values that are written once each. It does not search for an order, and
// so has a verdict on every key, however many outcomes are unknown; what it finds,
// no order explains.
func Strays(h *History, wiped func(key string, from, to int64) bool) (found []Stray, looked int) {
	type place struct{ key, value string }
	texts, writers := textsOf(h), map[place]*Operation{}
	for i := range h.Operations {
		op := &h.Operations[i]
		if tell := texts[op.Key]; tell != nil && op.Outcome.Result != Refused {
			written, _ := tell(op)
			for _, value := range written {
				writers[place{op.Key, value}] = op
			}
		}
	}
	for i := range h.Operations {
		op := &h.Operations[i]
		if texts[op.Key] == nil {
			continue
		}
		_, shown := texts[op.Key](op)
		for _, value := range shown {
			looked++
			if why := stray(writers[place{op.Key, value}], op, wiped); why != "" {
				found = append(found, Stray{op.Key, value, op, why})
			}
		}
	}
	return found, looked
}

// stray tells why what a writer wrote cannot be seen; empty if it can.
func stray(writer, by *Operation, wiped func(key string, from, to int64) bool) string {
	switch {
	case writer == nil:
		return "which nobody wrote"
	case writer.Call > by.Return:
		return fmt.Sprintf("which is not written before %d", writer.Call)
	case !writer.lost() && writer.Return < by.Call && wiped(by.Key, writer.Return, by.Call):
		return fmt.Sprintf("which was lost since it was written at %d", writer.Return)
	}
	return ""
}

// textsOf finds what tells the values of each key, nil for keys without such.
func textsOf(h *History) map[string]func(*Operation) (written, shown []string) {
	texts := map[string]func(*Operation) (written, shown []string){}
	for key, ops := range h.byKey() {
		if m := modelOf(ops); m != nil {
			texts[key] = m.texts
		}
	}
	return texts
}
