package linearize

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// Picture writes porcupine's visualisation of one key as one HTML page that
// needs nothing else: a row a client, a box an operation from call to return,
// and the longest orders that explain it. Operations that are not part of the
// order stand beside, marks have rows of their own. Equal histories give equal
// bytes. It searches again, for as long as the limits allow.
func (r *Report) Picture(w io.Writer, key string) error {
	at := slices.IndexFunc(r.Keys, func(v Verdict) bool { return v.Key == key })
	if at < 0 {
		return fmt.Errorf("linearize: picture of %q: no such key", key)
	}
	verdict := r.Keys[at]
	p := r.problem(key)
	if p == nil || p.tooLarge(r.options.Limits) != "" {
		return fmt.Errorf("linearize: picture of %q: %s", key, verdict.Reason)
	}
	_, info := porcupine.CheckOperationsVerbose(p.porcupine(), p.operations(), 0)
	info.AddAnnotations(append(p.aside(), p.marked(r.history.Marks)...))
	p.machine.limit = math.MaxInt // what was found within the limit is stepped again
	var page bytes.Buffer
	if err := porcupine.Visualize(p.porcupine(), info, &page); err != nil {
		return fmt.Errorf("linearize: picture of %q: %w", key, err)
	}
	text, err := settle(page.String())
	if err != nil {
		return fmt.Errorf("linearize: picture of %q: %w", key, err)
	}
	_, err = io.WriteString(w, caption(text, verdict, p.clients))
	return err
}

// problem makes the problem of a key once more, nil if no model covers it.
func (r *Report) problem(key string) *problem {
	ops := r.history.byKey()[key]
	model := modelOf(ops)
	if model == nil {
		return nil
	}
	return pose(key, model, ops, r.history.Marks, r.options)
}

// marked shows the marks that concern the key. Those that a model steps are
// events as well: they have a box where they happened and one in the order.
func (p *problem) marked(marks []Mark) (list []porcupine.Annotation) {
	for i := range marks {
		mark := &marks[i]
		if !mark.concerns(p.key) {
			continue
		}
		row := rowOf(mark.Kind)
		list = append(list, porcupine.Annotation{
			Tag:             cmp.Or(mark.Node, "marks"),
			Start:           mark.From,
			End:             mark.To,
			Description:     label(mark),
			Details:         fmt.Sprintf("%s, from %d to %d ns", row.meaning, mark.From, mark.To),
			BackgroundColor: row.colour,
		})
	}
	return list
}

// aside shows the operations that are not part of the order that is searched.
func (p *problem) aside() (list []porcupine.Annotation) {
	add := func(op *Operation, details, colour string) {
		list = append(list, porcupine.Annotation{
			ClientId:        p.row(op.Client),
			Start:           op.Call,
			End:             min(op.Return, p.end()),
			Description:     op.String(),
			Details:         fmt.Sprintf("Client %d, called at %d ns. %s.", op.Client, op.Call, details),
			BackgroundColor: colour,
		})
	}
	for _, e := range p.machine.lost {
		add(e.op, "Nobody knows the outcome: states tell where it must have taken effect", "#fce8b2")
	}
	for _, op := range p.out {
		add(op, "Left out: it had no effect, or cannot matter", "#eeeeee")
	}
	return list
}

// everyone lists the clients of a problem, sorted. A client's row in the picture
// is its place in the list; marks come last.
func (p *problem) everyone() (clients []int) {
	for _, e := range slices.Concat(p.events, p.machine.lost) {
		clients = append(clients, e.client)
	}
	for _, op := range p.out {
		clients = append(clients, op.Client)
	}
	slices.Sort(clients)
	return slices.Compact(clients)
}

func (p *problem) row(client int) int {
	at, _ := slices.BinarySearch(p.clients, client)
	return at
}

// end is a moment after all calls and returns.
func (p *problem) end() (last int64) {
	for _, e := range slices.Concat(p.events, p.machine.lost) {
		last = max(last, e.call+1)
		if e.ret != Infinite {
			last = max(last, e.ret+1)
		}
	}
	for _, op := range p.out {
		last = max(last, op.Call+1)
	}
	return last
}

// label is a mark as one reads it.
func label(m *Mark) string {
	return strings.Join(strings.Fields(string(m.Kind)+" "+m.Node+" "+m.Text), " ")
}

// A drawing is the data in porcupine's page.
type drawing struct {
	Partitions []struct {
		History               json.RawMessage
		PartialLinearizations [][]drawnStep
		Largest               map[int]int // event to the longest order that has it
	}
	Annotations json.RawMessage
}

type drawnStep struct {
	Index            int
	StateDescription string
}

// The data lies between these in porcupine's page.
const (
	dataBegins = "const data = "
	dataEnds   = "\n\n      render(data)"
)

// settle puts the orders in porcupine's page, which come in the order of a map,
// into one of their own.
func settle(page string) (string, error) {
	head, rest, begins := strings.Cut(page, dataBegins)
	data, tail, ends := strings.Cut(rest, dataEnds)
	if !begins || !ends {
		return "", errors.New("porcupine's page has another form than expected")
	}
	var d drawing
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		return "", err
	}
	for i := range d.Partitions {
		part := &d.Partitions[i]
		slices.SortFunc(part.PartialLinearizations, func(a, b []drawnStep) int {
			return cmp.Or(cmp.Compare(len(b), len(a)),
				slices.CompareFunc(a, b, func(x, y drawnStep) int { return cmp.Compare(x.Index, y.Index) }))
		})
		clear(part.Largest)
		for n, order := range part.PartialLinearizations {
			for _, step := range order {
				if _, longer := part.Largest[step.Index]; !longer {
					part.Largest[step.Index] = n
				}
			}
		}
	}
	settled, err := json.Marshal(d)
	return head + dataBegins + string(settled) + dataEnds + tail, err
}

// caption tells the verdict above the picture, and whose the rows are, which
// porcupine numbers from 0. It stands below what porcupine keeps at the top.
func caption(page string, v Verdict, clients []int) string {
	title := html.EscapeString(fmt.Sprintf("key %q: %s", v.Key, v.Class))
	said := html.EscapeString(cmp.Or(v.Reason, "An order of the operations explains all that was seen."))
	page = strings.Replace(page, "<title>Porcupine</title>", "<title>"+title+"</title>", 1)
	return strings.Replace(page, "<body>", "<body>\n    <h3 style=\"margin-top: 2.5em\">"+title+"</h3>\n    <p>"+said+"</p>"+legend+rowsOf(clients), 1)
}

// rowsOf says which client each row is.
func rowsOf(clients []int) string {
	var names []string
	for row, client := range clients {
		if client != markClient {
			names = append(names, fmt.Sprintf("%d is client %d", row, client))
		}
	}
	return "\n    <p>Of the rows, " + strings.Join(names, ", ") + ".</p>"
}

const legend = `
    <p>A row is a client, a box an operation from its call to its return. Times are nanoseconds. The line joins the
    operations in the longest order that explains them; red marks those that cannot come next. Click a box to see the
    longest order that has it, point at one to see whose it is and what the key may hold then. Yellow boxes have an
    unknown outcome and may take effect at any time after their call, or never; grey ones are left out. The rows below
    the clients tell what happened to the nodes.</p>`
