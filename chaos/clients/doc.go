// Package clients holds a server against programs that people use with one:
// go-redis, ioredis, node-redis, redis-py, redis-cli and redis-benchmark. Each
// drives the server the way applications do and checks what it gets back.
//
// It never speaks the protocol itself. What it promises is that a check which
// passes here passes with redis-server as well: IRONCACHE_CLIENTS_REDIS=1 adds
// one to the matrix.
package clients
