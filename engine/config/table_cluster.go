package config

import "math"

// clusterOptions are the rows of the table that begin with "cluster-".
var clusterOptions = []Option{
	{
		Name: "cluster-announce-bus-port", Group: groupCluster, Default: "0", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterAnnounceBusPort }, max: math.MaxUint16},
		Help: "Port at which other nodes reach this one's bus; 0 is `cluster-port`.",
	},
	{
		Name: "cluster-announce-hostname", Group: groupCluster, change: immutable,
		kind: text{func(v *Values) *string { return &v.ClusterAnnounceHostname }, "host name"},
		Help: "Name that clients are told, where `cluster-preferred-endpoint-type` says so; empty is none.",
	},
	{
		Name: "cluster-announce-ip", Group: groupCluster, change: immutable,
		kind: text{func(v *Values) *string { return &v.ClusterAnnounceIP }, "IP address"},
		Help: "Address at which clients and other nodes reach this one; empty is the first of `bind`, which must be an address of one machine then.",
	},
	{
		Name: "cluster-announce-port", Group: groupCluster, Default: "0", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterAnnouncePort }, max: math.MaxUint16},
		Help: "Port at which clients reach this node; 0 is `port`.",
	},
	{
		Name: "cluster-election-timeout", Group: groupCluster, Default: "500", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterElectionTimeout }, min: 50, max: 60_000, unit: milliseconds},
		Help: "How long a node hears nothing of the leader before it wants to lead. The same on all nodes.",
	},
	{
		Name: "cluster-lease", Group: groupCluster, Default: "2500", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterLease }, min: 50, max: 600_000, unit: milliseconds},
		Help: "How long an owner may answer for its slots without having its lease renewed, and how long at least nobody else gets them. The same on all nodes.",
	},
	{
		Name: "cluster-lease-drift", Group: groupCluster, Default: "1000", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterLeaseDrift }, max: 100_000, unit: "parts per million"},
		Help: "Bound of how fast or slow the clock of any node runs. The same on all nodes.",
	},
	{
		Name: "cluster-lease-margin", Group: groupCluster, Default: "100", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterLeaseMargin }, min: 1, max: 600_000, unit: milliseconds},
		Help: "What is waited longer than a lease and its drift before slots are given away. The same on all nodes.",
	},
	{
		Name: "cluster-mode", Group: groupCluster, Default: "off", change: immutable, Aliases: []string{"cluster-enabled"},
		kind: clusterModes{enum[ClusterMode]{func(v *Values) *ClusterMode { return &v.ClusterMode }, clusterModeNames}},
		Help: "Whether the node is one of a cluster. `raft`: the nodes decide who owns which slots, and an owner answers while its lease holds. `static`: `cluster-topology` says so once and for all.",
	},
	{
		Name: "cluster-port", Group: groupCluster, Default: "0", change: immutable,
		kind: number{field: func(v *Values) *int64 { return &v.ClusterPort }, max: math.MaxUint16},
		Help: "Port of the bus, by which nodes talk; 0 is `port` and 10000. The port above `port` by 20000 is kept for replication.",
	},
	{
		Name: "cluster-preferred-endpoint-type", Group: groupCluster, Default: "ip", change: immutable,
		kind: enum[Endpoint]{func(v *Values) *Endpoint { return &v.ClusterPreferredEndpointType }, endpointNames},
		Help: "What clients are told to call this node. With `unknown-endpoint` they go on to use the host that they asked.",
	},
	{
		Name: "cluster-require-full-coverage", Group: groupCluster, Default: "no",
		kind: boolean{func(v *Values) *bool { return &v.ClusterRequireFullCoverage }},
		Help: "Whether a node refuses all keys when a slot is without an owner that was heard of lately. Redis does so unless it is told not to.",
	},
	{
		Name: "cluster-secret", Group: groupCluster, Secret: true, change: immutable,
		kind: password{func(v *Values) *Password { return &v.ClusterSecret }},
		Help: "What the nodes of a cluster prove to one another that they know. Empty: whoever reaches the bus may join in.",
	},
	{
		Name: "cluster-topology", Group: groupCluster, change: immutable,
		kind: topology{func(v *Values) *[]Place { return &v.ClusterTopology }},
		Help: "The nodes of a cluster with their slots. With `cluster-mode` `raft` the first of them forms the cluster, once all are there and none is in one; after that the cluster decides. Empty: it is made by CLUSTER MEET and ADDSLOTS, as `redis-cli --cluster create` does.",
	},
}
