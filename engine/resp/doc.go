// Package resp is the language spoken with clients: it splits a byte stream
// into requests, appends replies to a buffer in RESP2 or RESP3, and holds the
// list of error replies, the number formats and the glob patterns that the
// protocol is made of. It does no I/O, starts nothing and reads no clock.
//
// The promise that callers rely on: bytes that redis-server 7 accepts are cut
// into the same requests here, however they were split on the way, and a reply
// is spelt as redis-server 7 spells it.
//
// Source: https://redis.io/docs/latest/develop/reference/protocol-spec/
package resp
