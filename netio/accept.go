package netio

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
)

// Listen opens the node's doors: every loop listens on every address, and the
// system spreads the connections. It fails naming the address that it cannot
// have. An optional address that the machine lacks is skipped, though not the
// last one.
func (n *Node) Listen() error {
	open, list := 0, addresses(n.values.Load(), len(n.loops))
	for _, at := range list {
		err := n.listen(at)
		if at.optional && errors.Is(err, env.ErrNoAddress) {
			n.log.Info("Address skipped: this machine does not have it", "address", at.Address)
			continue
		}
		if err != nil {
			return err
		}
		open++
	}
	if open == 0 && len(list) > 0 {
		return errors.New("netio: nothing to listen on: this machine has none of the addresses that bind names")
	}
	return nil
}

// listen lets every loop listen on an address, or the one whose own it is.
func (n *Node) listen(at address) error {
	for _, l := range n.loops {
		if at.owner >= 0 && at.owner != l.id {
			continue
		}
		if err := l.listen(at); err != nil {
			return err
		}
	}
	return nil
}

type address struct {
	env.ListenAddress
	optional bool // it is skipped when the machine lacks it
	owner    int  // the loop that it is a port of; below 0: it is one of the node
}

// ofNode is the owner of an address at which every loop listens.
const ofNode = -1

// addresses lists where to listen.
func addresses(v *config.Values, shards int) []address {
	var list []address
	if v.Port > 0 {
		for _, bind := range v.Bind {
			host, optional := strings.CutPrefix(bind, "-")
			tcp := func(port int64, owner int) {
				list = append(list, address{env.ListenAddress{
					Network: "tcp", Address: hostPort(host, port), Backlog: int(v.TCPBacklog), Shared: owner == ofNode,
				}, optional, owner})
			}
			tcp(v.Port, ofNode)
			for shard := range shards {
				if v.ShardOwners {
					tcp(v.Port+1+int64(shard), shard)
				}
			}
		}
	}
	if v.Unixsocket != "" {
		list = append(list, address{env.ListenAddress{
			Network: "unix", Address: v.Unixsocket, Backlog: int(v.TCPBacklog), Shared: true, Perm: v.Unixsocketperm,
		}, false, ofNode})
	}
	return list
}

// hostPort joins a host as the bind option spells it with a port.
func hostPort(host string, port int64) string {
	switch host {
	case "*", "":
		return fmt.Sprintf("0.0.0.0:%d", port)
	case "::*", "::":
		return fmt.Sprintf("[::]:%d", port)
	}
	if a, err := netip.ParseAddr(host); err == nil && a.Is6() {
		return fmt.Sprintf("[%s]:%d", host, port)
	}
	return fmt.Sprintf("%s:%d", host, port)
}

func (l *Loop) listen(at address) error {
	listener, err := l.poller.Listen(at.ListenAddress)
	if err != nil {
		return err
	}
	l.listeners = append(l.listeners, listener)
	if at.owner != ofNode {
		l.own = append(l.own, listener)
	}
	return nil
}

// acceptBurst is how many connections one Step takes from a listener.
const acceptBurst = 64

// accept takes waiting connections.
func (l *Loop) accept(listener env.Conn) {
	for range acceptBurst {
		id, peer, err := l.poller.Accept(listener)
		if err == env.ErrAgain {
			return
		}
		if err != nil {
			l.acceptFailed(err)
			return
		}
		l.welcome(id, peer, slices.Contains(l.own, listener))
	}
}

func (l *Loop) acceptFailed(err error) {
	if err == env.ErrTooMany {
		l.stats.refused++
	}
	if args, ok := l.told.unaccepted.Line(l.mono, "err", err); ok {
		l.node.log.Warn("netio: a connection was not accepted", args...)
	}
}

// welcome starts a connection: here if it came to this loop's own port, else here
// or on the loop that has the fewest.
func (l *Loop) welcome(id env.Conn, peer env.Peer, own bool) {
	l.stats.accepted++
	c := &Conn{id: id, peer: peer, own: own}
	c.client = l.node.clientIDs.Add(1)
	c.created = l.mono
	if !l.node.admit(l.cfg.Maxclients) {
		l.turnAway(c, resp.ErrMaxClients)
		return
	}
	if l.cfg.ProtectedMode && !peer.Loopback && !l.cfg.Requirepass.IsSet() {
		l.node.connected.Add(-1)
		l.turnAway(c, resp.ErrProtected)
		return
	}
	if l.cfg.TCPKeepalive > 0 && !peer.Unix {
		l.poller.KeepAlive(id, int(l.cfg.TCPKeepalive))
	}
	l.newSession(c)
	c.touched = l.mono
	l.place(c)
}

// admit counts one client more, unless there are so many. Loops that accept at
// the same moment never admit more together.
func (n *Node) admit(most int64) bool {
	for {
		now := n.connected.Load()
		if now >= most {
			return false
		}
		if n.connected.CompareAndSwap(now, now+1) {
			return true
		}
	}
}

// turnAway tells a client why it is not served, as far as its socket takes the
// words at once.
func (l *Loop) turnAway(c *Conn, e resp.Error) {
	l.stats.rejected++
	w := resp.Writer{Proto: 2}
	w.Error(e)
	_, _ = l.poller.Write(c.id, w.Buf)
	l.poller.Close(c.id)
}

// clients counts the connections, those between two loops too.
func (n *Node) clients() int64 { return n.connected.Load() }
