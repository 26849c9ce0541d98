package netio

import (
	"strings"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
)

// configGet replies with the options that match the patterns.
func configGet(r *Request) {
	patterns := make([]string, 0, r.Len()-2)
	for _, p := range r.rest(2) {
		patterns = append(patterns, string(p))
	}
	found := r.Loop.node.config.Match(patterns...)
	r.Reply.Map(len(found))
	for _, s := range found {
		r.Reply.BulkString(s.Name)
		r.Reply.BulkString(s.Value)
	}
}

// configSet changes options, all or none. All loops stand still.
func configSet(r *Request) {
	if r.Len()%2 != 0 {
		r.Reply.Error(resp.ErrSyntax)
		return
	}
	var settings []config.Setting
	for i := 2; i < r.Len(); i += 2 {
		settings = append(settings, config.Setting{Name: string(r.At(i)), Value: string(r.At(i + 1))})
	}
	n := r.Loop.node
	limit := n.ledger.Limit()
	if err := n.config.Set(settings); err != nil {
		r.Reply.Error(resp.Error("ERR " + err.Error()))
		return
	}
	n.publish()
	if n.ledger.Limit() != limit {
		n.warnTight()
	}
	r.Reply.OK()
}

// warnTight warns of a limit of memory that is passed already.
func (n *Node) warnTight() {
	limit, used := n.ledger.Limit(), n.ledger.Used()
	if limit > 0 && used > limit {
		n.log.Warn("maxmemory is smaller than what is in use: keys are evicted or writes refused, as maxmemory-policy says",
			"maxmemory", limit, "used", used)
	}
}

// publish gives all loops the configuration of now. All loops stand still.
func (n *Node) publish() {
	values := n.config.Values()
	n.values.Store(values)
	for _, l := range n.loops {
		l.configure(values)
	}
}

// configRewrite writes the options that were changed into the file.
func configRewrite(r *Request) {
	n := r.Loop.node
	if n.config.File() == "" {
		r.Reply.Error(resp.ErrNoConfigFile)
		return
	}
	if err := n.config.Rewrite(n.world.Disk); err != nil {
		n.log.Warn("CONFIG REWRITE failed", "err", err)
		r.Reply.Error(resp.Rewriting(strings.ReplaceAll(err.Error(), "\n", " ")))
		return
	}
	r.Reply.OK()
}

// configResetStat sets counters to zero. All loops stand still.
func configResetStat(r *Request) {
	for _, l := range r.Loop.node.loops {
		l.shard.ResetStats()
		l.resetStats()
	}
	r.Reply.OK()
}
