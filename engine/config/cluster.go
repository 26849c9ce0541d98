package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/elares/ironcache/slots"
)

// ClusterMode says how a node is part of a cluster.
type ClusterMode uint8

// Modes, in the order of clusterModeNames.
const (
	ClusterOff    ClusterMode = iota // the node is alone
	ClusterStatic                    // cluster-topology says who owns which slots
	ClusterRaft                      // the nodes decide
)

var clusterModeNames = []string{"off", "static", "raft"}

// String is the name as cluster-mode spells it.
func (m ClusterMode) String() string { return clusterModeNames[m] }

// Endpoint is what clients are told to call a node.
type Endpoint uint8

// Endpoints, in the order of endpointNames.
const (
	EndpointIP Endpoint = iota
	EndpointHostname
	EndpointUnknown
)

var endpointNames = []string{"ip", "hostname", "unknown-endpoint"}

// String is the name as cluster-preferred-endpoint-type spells it.
func (e Endpoint) String() string { return endpointNames[e] }

// Place is a node of a topology.
type Place struct {
	Host    string // without brackets
	Port    uint16
	BusPort uint16
	Owns    []slots.Range // ascending
}

// clusterModes is the kind of cluster-mode: its names, and the yes and no of
// cluster-enabled.
type clusterModes struct{ enum[ClusterMode] }

func (k clusterModes) set(v *Values, text string) error {
	switch strings.ToLower(untilNUL(text)) {
	case "yes":
		text = "raft"
	case "no":
		text = "off"
	}
	return k.enum.set(v, text)
}

func (k clusterModes) describe() string {
	return k.enum.describe() + "; `yes` stands for raft and `no` for off"
}

// topology is a list of nodes, each an address and the ranges of its slots.
type topology struct{ field func(*Values) *[]Place }

func (k topology) set(v *Values, text string) error {
	var list []Place
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		if strings.ContainsRune(word, ':') {
			p, ok := placeAt(word)
			if !ok {
				return reason("an address must look like host:port or host:port@busport, and " + strconv.Quote(word) + " does not")
			}
			list = append(list, p)
			continue
		}
		r, ok := rangeOf(word)
		if !ok || len(list) == 0 {
			return reason("after an address come ranges of slots such as 0-5460, and " + strconv.Quote(word) + " is none")
		}
		p := &list[len(list)-1]
		p.Owns = append(p.Owns, r)
	}
	for i := range list {
		list[i].Owns = slots.Compact(list[i].Owns)
	}
	if fault := doubled(list); fault != "" {
		return reason(fault)
	}
	*k.field(v) = list
	return nil
}

// placeAt reads an address.
func placeAt(word string) (p Place, ok bool) {
	address, bus, told := strings.Cut(word, "@")
	colon := strings.LastIndexByte(address, ':')
	p.Host = strings.TrimSuffix(strings.TrimPrefix(address[:max(colon, 0)], "["), "]")
	port, err := strconv.ParseUint(address[colon+1:], 10, 16)
	if err != nil || port == 0 || p.Host == "" {
		return p, false
	}
	busPort := port + BusAbove
	if told {
		if busPort, err = strconv.ParseUint(bus, 10, 16); err != nil {
			return p, false
		}
	}
	p.Port, p.BusPort = uint16(port), uint16(busPort)
	return p, busPort > 0 && busPort <= 65535
}

// BusAbove is how far the port of the bus lies above that of clients, unless it
// is told.
const BusAbove = 10000

// rangeOf reads a slot or a range of them.
func rangeOf(word string) (r slots.Range, ok bool) {
	first, last, isRange := strings.Cut(word, "-")
	if !isRange {
		last = first
	}
	low, ok1 := integer(first)
	high, ok2 := integer(last)
	if !ok1 || !ok2 || low < 0 || high < low || high >= slots.Count {
		return r, false
	}
	return slots.Range{First: uint16(low), Last: uint16(high)}, true
}

// doubled names a slot or an address that a topology has twice; empty if there
// is none.
func doubled(list []Place) string {
	var owner [slots.Count]*Place
	seen := map[string]bool{}
	for i := range list {
		p := &list[i]
		bus := fmt.Sprintf("%s:%d", p.Host, p.BusPort)
		if seen[bus] {
			return "two nodes have a bus at " + bus
		}
		seen[bus] = true
		for _, r := range p.Owns {
			for slot := int(r.First); slot <= int(r.Last); slot++ {
				if owner[slot] != nil {
					return fmt.Sprintf("slot %d has two owners", slot)
				}
				owner[slot] = p
			}
		}
	}
	return ""
}

func (k topology) get(v *Values) string {
	var words []string
	for _, p := range *k.field(v) {
		host := p.Host
		if strings.ContainsRune(host, ':') {
			host = "[" + host + "]"
		}
		words = append(words, fmt.Sprintf("%s:%d@%d", host, p.Port, p.BusPort))
		for _, r := range p.Owns {
			words = append(words, fmt.Sprintf("%d-%d", r.First, r.Last))
		}
	}
	return strings.Join(words, " ")
}

func (k topology) shape() shape { return asList }

func (k topology) describe() string {
	return "list of nodes: `host:port` or `host:port@busport`, then the node's slots, as in `10.0.0.1:6379 0-8191 10.0.0.2:6379 8192-16383`"
}
