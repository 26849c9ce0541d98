// Package state is what a cluster has decided: who its members are, which node
// owns which slot, who is in sync, what migrates, and when each node's lease was
// last renewed. It computes only: no clock, no network, no disk, no chance. Every
// node that applies the same entries at the same indices has the same State, to
// the byte of its snapshot. User data is never in it.
//
// # Time
//
// The log knows no time. A lease runs from the sending of a request to L later by
// the holder's clock; that the leader has waited out a lease stands in an entry
// as the index of the Renew that granted it, and the entry is refused if a later
// Renew was applied first. research/decisions/0007 has the proof.
//
// # Compare and set
//
// Every entry names what its proposer saw, and is refused if that is no longer
// so. Epochs, versions and migrations are Raft indices, so none comes twice:
//
//	a slot's owner        Epoch: index of the Assign, Flip, Join ... that gave it
//	a slot's in-sync set  Version: index of the entry that made the set
//	a slot's migration    Move: index of its BeginMigration; Via when the slot came by it,
//	                      Cut: index of the entry that ended one otherwise
//	a node's lease        Waited: index of the last Renew
//	a node's process      Incarnation: its number, from Announce
//	a node's requests     Stamp: incarnation and sequence, which only rise
//	a member              Number: never given twice
//
// An entry whose outcome is not known can still be applied. It is settled by
// another that it cannot follow: CancelMigration for Flip, Shrink for
// Grow, any later request of the same node for Release. Whichever comes first in
// the log makes the other stale.
//
// # Commands
//
// What becomes of the commands that change a cluster, redis-cli --cluster create
// and reshard included. An unformed node keeps claims, which are no part of a
// State. The node that a command was sent to proposes; the reply waits until the
// outcome is known and applied there.
//
//	command                    on an unformed node       in a cluster
//	-------------------------- ------------------------- -----------------------------------
//	ADDSLOTS, ADDSLOTSRANGE    kept as claims; a slot    Assign by Claim to the node; refused
//	                           twice is refused          with the owner's name if owned
//	DELSLOTS, DELSLOTSRANGE,   takes claims back         Release by the owner, then Unassign;
//	FLUSHSLOTS                                           of a dead owner: Unassign when its
//	                                                     lease was waited out
//	MEET                       the other is unformed     the other is unformed: Join of the
//	                           too: Form of the node     other with its claims; refused with
//	                           alone with its claims,    slot and owner if one is owned. It
//	                           then Join of the other,   is a member: OK, nothing to do. It
//	                           after it promised to be   was one and was forgotten: Join. It
//	                           in no other cluster.      is in another cluster: refused,
//	                           The other is formed: it   clusters do not merge
//	                           proposes Join of the one
//	                           that asks
//	SET-CONFIG-EPOCH           OK and without effect:    refused, as Redis does when a node
//	                           epochs are log indices    knows others
//	BUMPEPOCH                  refused: not formed       BumpEpoch of the node
//	REPLICATE                  refused: unknown node,    SetRole, after Shrink where the node
//	                           which redis-cli expects   was in sync with another owner;
//	                           before its MEET           refused for a node with slots
//	FORGET                     refused: unknown node     Forget, answered when the node is out
//	                                                     of the Raft group; refused for the
//	                                                     node itself, for one with slots,
//	                                                     replicas or imports
//	RESET SOFT                 drops the claims          Release and Unassign of its slots,
//	                                                     Forget of itself; refused while it
//	                                                     holds keys, as in Redis, and for the
//	                                                     last voter
//	RESET HARD                 refused: an id is on a    refused likewise
//	                           disk as long as a vote
//	SETSLOT MIGRATING          refused: not the owner    BeginMigration by the owner; OK if it
//	                                                     has begun
//	SETSLOT IMPORTING          refused: not formed       the same by the destination
//	SETSLOT NODE               refused: not formed       the owner is that node: OK. It is the
//	                                                     destination, of the owner that is asked:
//	                                                     Flip, once no keys are left. The
//	                                                     destination itself is asked: it asks the
//	                                                     owner for the Flip; if that is gone,
//	                                                     Assign by Force, lease waited out.
//	                                                     Nobody owns the slot: Assign by Claim.
//	                                                     Else refused: the owner would not know
//	                                                     that it lost the slot
//	SETSLOT STABLE             OK: there is nothing      CancelMigration by owner or destination;
//	                                                     others: OK, nothing to do
//	FAILOVER                   refused: not formed       Release by the owner when the replica
//	                                                     has caught up, Assign by Promote;
//	                                                     FORCE: Promote without Release, lease
//	                                                     waited out; TAKEOVER: the same, and
//	                                                     Force if the replica is not in sync
//	SAVECONFIG                 OK: what is decided is    OK: it is on disk already
//	                           on disk already
//	COUNT-FAILURE-REPORTS      0: nodes do not gossip    0
//
// Until data is carried from node to node, REPLICATE and FAILOVER are refused by the
// node that is asked. An unformed node that claims every slot proposes the Form of itself.
//
// Without a command come Announce (a start, or an address that changed), Renew
// (every third of a lease), Barrier (a new leader's first entry), Grow and Shrink
// (an owner and its replicas), Flip (the source of a migration), Assign by Promote
// or Resume (the leader, for an owner that is gone or was started anew), and
// SetSuffrage to voter (the leader, for a learner that has caught up). A static
// topology is one Form, proposed once; a restart finds the cluster formed.
//
// # Versions
//
// Each entry has the version that it needs at its head. Members say what they
// understand, and an entry above the lowest of that is refused everywhere, so that
// a rolling upgrade cannot make nodes disagree. Once an entry of a version was
// accepted, a program below it can neither join nor come back.
package state
