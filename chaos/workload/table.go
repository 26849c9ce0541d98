package workload

// A Workload is what clients ask for.
type Workload struct {
	Name string
	Does string // one sentence
	// Alone says that it needs a node that is in no cluster.
	Alone bool
	// Strict says that it needs a node on which pipelines take effect in order
	// whatever shards they are about.
	Strict bool
	// Judges names those that look at what its clients saw, sorted.
	Judges []string

	Keys int // how many, or how many families, are in use at a time
	most int // operations on one of them
	// Share is how often it is drawn for a node that is alone, beside 1 of the others; 0
	// stands for 1. Only such a node runs what is sent together on several shards at once.
	Share int
	// next draws what a client does next.
	next func(c *Client) *job
}

// Table lists the workloads, sorted by name.
var Table = []Workload{
	{
		Name: "counter", Does: "Clients add to, read and remove integers, with expiry.",
		Judges: []string{"linearizable", "replies"},
		Keys:   6, most: mostAsked, next: nextCounter,
	},
	{
		Name: "databases", Does: "Clients use keys of the same names in two databases, and move some between them.", Alone: true,
		Judges: []string{"linearizable", "replies", "values"},
		Keys:   8, most: mostAskedFamily, next: nextDatabases, Share: 2,
	},
	{
		Name: "order", Does: "Clients send writes and reads of several keys together, which are on several shards.", Alone: true, Strict: true,
		Judges: []string{"linearizable", "replies", "values"},
		Keys:   3, most: mostAskedFamily / 2, next: nextOrder, Share: 3,
	},
	{
		Name: "pipeline", Does: "Clients send several requests together, on one key and on many.",
		Judges: []string{"linearizable", "replies", "values"},
		Keys:   9, most: mostAsked, next: nextPipeline, Share: 3,
	},
	{
		Name: "register", Does: "Clients write, compare and set, read and remove strings, short and long, with expiry.",
		Judges: []string{"linearizable", "replies", "values"},
		Keys:   6, most: mostAsked, next: nextRegister,
	},
	{
		Name: "tags", Does: "Clients write, read, move and remove several keys with one command.",
		Judges: []string{"linearizable", "replies", "values"},
		Keys:   4, most: mostAskedFamily, next: nextTags,
	},
	{
		Name: "transactions", Does: "Clients change several keys in transactions, often after they watched some.",
		Judges: []string{"linearizable", "replies", "values"},
		Keys:   4, most: mostAskedFamily, next: nextTransactions,
	},
}

// Find gives the workload of a name, nil if there is none.
func Find(name string) *Workload {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}

// Names are those of all workloads.
func Names() []string {
	var names []string
	for _, w := range Table {
		names = append(names, w.Name)
	}
	return names
}
