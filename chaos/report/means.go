package report

import (
	"strings"

	"github.com/elares/ironcache/chaos/judge"
)

// means says what classes of failures are, to a reader who has not seen any.
var means = map[judge.Class]string{
	judge.Consistency:      "Clients saw something that cannot have been.",
	judge.Safety:           "Nodes did something that they must never do, whether a client noticed it or not.",
	judge.Crash:            "A node ended by itself, or the whole run did.",
	judge.NonDeterministic: "The same plan went two ways: something is decided by chance that the simulator does not control.",
	judge.Liveness:         "Something that has to happen did not happen in time.",
	judge.Stuck:            "A node goes on and on without ever waiting, so that its time does not pass.",
	judge.Unknown:          "There is no verdict: a judge could not decide.",
	judge.OK:               "Nothing was found.",
}

// term is a word that a reader may not know.
type term struct{ Word, Means string }

// glossary lists them.
var glossary = []term{
	{"node", "one server of the cluster. It runs in a simulated world, where one number, the seed, decides all chance, so that a run can be repeated exactly."},
	{"plan", "what a run is made of: how many nodes and clients, and which faults happen when. Times are seconds of the simulated world since it began."},
	{"fault", "something that the simulator lets go wrong on purpose: a crash, a pause, a cut in the network, a disk or a clock that misbehaves."},
	{"leader, follower, candidate", "roles in Raft, by which nodes agree on a log of decisions. A leader decides, followers follow, a candidate asks for votes to become leader."},
	{"term", "Raft counts its leaders: each election has a higher term."},
	{"entry", "one decision in the log. Every node applies the same entries in the same order."},
	{"slot, epoch", "keys are divided over 16384 slots, and each slot has one owner. The epoch of a slot rises whenever its owner is decided anew."},
	{"lease", "the right of an owner to answer clients for its slots, for about two and a half seconds, renewed over and over. Two nodes must never hold it for one slot at one time."},
	{"operation", "one request of a client, from when it was sent (call) until its answer was there (return). Its outcome is unknown if no answer came."},
	{"judge", "a program that looks at what a run left behind, and knows one thing that must always hold."},
	{"linearizable", "for every key there is an order of all operations, each somewhere between its call and its return, that explains every answer."},
}

// families group faults by what they are done to, for colours: the first whose
// word is in the fault's name.
var families = []struct{ word, family string }{
	{"disk", "disk"}, {"clock", "clock"}, {"pause", "pause"}, {"core", "pause"}, {"crash", "crash"},
	{"partition", "network"}, {"network", "network"}, {"reset", "network"}, {"connection", "network"}, {"io", "network"}, {"reader", "network"},
	{"move", "cluster"}, {"churn", "cluster"}, {"version", "cluster"}, {"upgrade", "cluster"},
}

// family is the group of a fault; "other" if there is none for it.
func family(name string) string {
	for _, f := range families {
		if strings.Contains(name, f.word) {
			return f.family
		}
	}
	return "other"
}
