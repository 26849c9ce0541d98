package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/netio"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// plane is a control plane that has to be closed.
type plane interface {
	netio.ControlPlane
	io.Closer
}

// openPlane starts the node's part in a cluster, for which it may have so many files open;
// nil if it is in none.
func openPlane(values *config.Values, shards, files int, world env.World, log *slog.Logger) (plane, error) {
	if values.ClusterMode == config.ClusterOff && values.ShardOwners {
		return nil, usageError{errors.New("option shard-owners: clients are told of shards by a node of a cluster only: set cluster-mode")}
	}
	if values.ClusterMode == config.ClusterOff {
		return nil, nil
	}
	at, err := addressOf(values, shards)
	if err != nil {
		return nil, usageError{err}
	}
	if values.ClusterMode == config.ClusterStatic {
		return openStatic(values, &at, log)
	}
	if err := leaseOf(values).Validate(); err != nil {
		return nil, usageError{fmt.Errorf("options cluster-lease, cluster-lease-drift, cluster-lease-margin: %w", err)}
	}
	if !values.ClusterSecret.IsSet() {
		log.Warn("THE CLUSTER HAS NO SECRET: whoever reaches the bus can join it, take slots away, and end nodes or the whole cluster; set cluster-secret on all nodes",
			"bus", busListen(values))
	}
	dir := filepath.Join(values.Dir, "cluster")
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	p, err := raftlog.Open(raftlog.Options{
		World: world, Dir: dir, Address: at, Listen: busListen(values),
		Secret: values.ClusterSecret.String(), Lease: leaseOf(values),
		Election: time.Duration(values.ClusterElectionTimeout) * time.Millisecond,
		Topology: places(values.ClusterTopology), Files: files, Log: log,
	})
	if err != nil {
		return nil, errors.Join(unusable(err, dir), lock.Close())
	}
	return lockedPlane{p, lock}, nil
}

// unusable adds to an error what to do where it is the files of a node's folder that make it
// unfit.
func unusable(err error, dir string) error {
	if !errors.As(err, new(*store.Corruption)) && !errors.Is(err, store.ErrOther) {
		return err
	}
	return fmt.Errorf("%w: move %s away and start the node, which is another one then; if its cluster has others, tell one of them to CLUSTER DELSLOTS the slots of the former, to CLUSTER FORGET its id, and to CLUSTER MEET this one", err, dir)
}

// openStatic makes the node one of the list that its configuration has.
func openStatic(values *config.Values, at *state.Address, log *slog.Logger) (plane, error) {
	if len(values.ClusterTopology) == 0 {
		return nil, usageError{errors.New("option cluster-topology: cluster-mode static needs the list of all nodes with their slots, the same for each node, as in: " +
			"--cluster-topology '10.0.0.1:6379 0-8191 10.0.0.2:6379 8192-16383'")}
	}
	p, err := raftlog.NewStatic(at, founders(values.ClusterTopology, at))
	if err != nil {
		return nil, usageError{fmt.Errorf("option cluster-topology: %w", err)}
	}
	left := 0
	for _, r := range p.View().Map.Where(func(s *slots.Slot) bool { return s.Owner == slots.None }) {
		left += r.Size()
	}
	if left > 0 {
		log.Warn("cluster-topology leaves slots without an owner: keys in them are answered by CLUSTERDOWN", "slots", left, "of", slots.Count)
	}
	return p, nil
}

func leaseOf(values *config.Values) slots.Lease {
	ms := int64(time.Millisecond)
	return slots.Lease{Length: values.ClusterLease * ms, Drift: values.ClusterLeaseDrift, Margin: values.ClusterLeaseMargin * ms}
}

// replicationAbove is how far the port of replication lies above that of clients.
const replicationAbove = 20000

// endpoints translates cluster-preferred-endpoint-type.
var endpoints = [...]state.Endpoint{
	config.EndpointIP:       state.ByIP,
	config.EndpointHostname: state.ByHostname,
	config.EndpointUnknown:  state.ByNothing,
}

// addressOf is where the others find this node.
func addressOf(values *config.Values, shards int) (at state.Address, err error) {
	host, err := announcedHost(values)
	if err != nil {
		return at, err
	}
	port, busPort := values.ClusterAnnouncePort, values.ClusterAnnounceBusPort
	if port == 0 {
		port = values.Port
	}
	if busPort == 0 {
		busPort = busPortOf(values)
	}
	switch {
	case !isHostname(values.ClusterAnnounceHostname):
		return at, errors.New("option cluster-announce-hostname: host names consist of letters, digits, hyphens and dots")
	case values.Port == 0:
		return at, errors.New("option port: a node of a cluster needs a TCP port")
	case port > 65535-replicationAbove:
		return at, fmt.Errorf("option port: %d is too high for a node of a cluster: the bus listens %d above it and replication %d above it", port, config.BusAbove, replicationAbove)
	case values.ShardOwners && values.Port+int64(shards) > 65535:
		return at, fmt.Errorf("option shard-owners: the %d shards need the ports above port, and %d is too high", shards, values.Port)
	case values.ShardOwners && values.Port < busPortOf(values) && busPortOf(values) <= values.Port+int64(shards):
		return at, fmt.Errorf("option cluster-port: with shard-owners the ports %d to %d are those of the shards", values.Port+1, values.Port+int64(shards))
	}
	return state.Address{
		Host: host, Hostname: values.ClusterAnnounceHostname, Port: uint16(port), BusPort: uint16(busPort),
		ReplicationPort: uint16(port + replicationAbove), Endpoint: endpoints[values.ClusterPreferredEndpointType],
		ShardPorts: shardPorts(values, port, shards),
	}, nil
}

// shardPorts are where clients reach each shard, if they are to choose.
func shardPorts(values *config.Values, port int64, shards int) (list []uint16) {
	for shard := range shards {
		if values.ShardOwners {
			list = append(list, uint16(port+1+int64(shard)))
		}
	}
	return list
}

func isHostname(name string) bool {
	return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}

func busPortOf(values *config.Values) int64 {
	if values.ClusterPort != 0 {
		return values.ClusterPort
	}
	return values.Port + config.BusAbove
}

// announcedHost is the address that others use: as configured, or the first that
// the node listens on, if that is one machine's.
func announcedHost(values *config.Values) (string, error) {
	name, host := "cluster-announce-ip", values.ClusterAnnounceIP
	if host == "" {
		name, host = "bind", firstBind(values)
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.IsUnspecified() {
		return "", fmt.Errorf("option %s: %q is no address at which others could reach this node: set cluster-announce-ip", name, host)
	}
	return ip.String(), nil
}

func firstBind(values *config.Values) string {
	if len(values.Bind) == 0 {
		return ""
	}
	return strings.TrimPrefix(values.Bind[0], "-")
}

// busListen is where the bus listens: at the first address of bind.
func busListen(values *config.Values) string {
	host := firstBind(values)
	switch host {
	case "*", "":
		host = "0.0.0.0"
	case "::*":
		host = "::"
	}
	return net.JoinHostPort(host, strconv.FormatInt(busPortOf(values), 10))
}

// places are the nodes of a topology as the control plane knows them.
func places(list []config.Place) (all []raftlog.Place) {
	for _, p := range list {
		all = append(all, raftlog.Place{Bus: net.JoinHostPort(p.Host, strconv.Itoa(int(p.BusPort))), Owns: p.Owns})
	}
	return all
}

// founders are the nodes of a static cluster. What this node knows of itself
// beyond its place, it alone tells.
func founders(list []config.Place, self *state.Address) (all []state.Founder) {
	for _, p := range list {
		at := state.Address{
			Host: p.Host, Port: p.Port, BusPort: p.BusPort,
			ReplicationPort: uint16(min(int(p.Port)+replicationAbove, 65535)), Endpoint: self.Endpoint,
		}
		if at.Host == self.Host && at.BusPort == self.BusPort {
			at.Hostname, at.ShardPorts = self.Hostname, self.ShardPorts
		}
		all = append(all, state.Founder{Address: at, Owns: p.Owns})
	}
	return all
}
