/* The floor: the least that a server on epoll has to do for a command.
 *
 * One thread accepts connections, splits RESP arrays and answers each command
 * with a constant: a 64-byte value for a command that begins with G, "+PONG"
 * for one that begins with P, else "+OK". It stores nothing. What another
 * server costs above this is parsing options, finding keys and keeping books.
 *
 * usage: floor PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IN_SIZE = 64 * 1024, OUT_SIZE = 2 * 1024 * 1024, MAX_FD = 4096, MAX_EVENTS = 256 };

struct conn {
	int used;
	char in[IN_SIZE];
};

static struct conn *conns[MAX_FD];
static char out[OUT_SIZE];

static const char value_reply[] =
    "$64\r\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n";

static void die(const char *what) {
	perror(what);
	exit(1);
}

/* number reads "<digits>\r\n" and returns what follows, or NULL if it is cut. */
static char *number(char *at, char *end, int *n) {
	int sum = 0;
	while (at < end && *at >= '0' && *at <= '9')
		sum = sum * 10 + (*at++ - '0');
	if (end - at < 2)
		return NULL;
	*n = sum;
	return at + 2;
}

/* command reads one array of bulks and returns what follows, or NULL if it is
 * cut. *first is the first letter of its name. */
static char *command(char *at, char *end, char *first) {
	int argc, len;
	if (*at != '*') {
		fprintf(stderr, "floor: arrays only\n");
		exit(2);
	}
	at = number(at + 1, end, &argc);
	for (int i = 0; at && i < argc; i++) {
		if (at >= end || !(at = number(at + 1, end, &len)) || end - at < len + 2)
			return NULL;
		if (i == 0)
			*first = *at | 32;
		at += len + 2;
	}
	return at;
}

static char *reply(char *to, char first) {
	const char *text = first == 'g' ? value_reply : first == 'p' ? "+PONG\r\n" : "+OK\r\n";
	size_t len = first == 'g' ? sizeof value_reply - 1 : first == 'p' ? 7 : 5;
	memcpy(to, text, len);
	return to + len;
}

/* answer handles every complete command and keeps the rest for later. */
static void answer(int fd, struct conn *c) {
	char *at = c->in, *end = c->in + c->used, *to = out, first = 0;
	while (at < end) {
		char *next = command(at, end, &first);
		if (!next)
			break;
		to = reply(to, first);
		at = next;
	}
	c->used = end - at;
	if (c->used)
		memmove(c->in, at, c->used);
	if (to > out && write(fd, out, to - out) != to - out)
		close(fd);
}

static void receive(int fd) {
	struct conn *c = conns[fd];
	ssize_t n = read(fd, c->in + c->used, IN_SIZE - c->used);
	if (n > 0) {
		c->used += n;
		answer(fd, c);
	} else if (n == 0 || errno != EAGAIN) {
		close(fd);
	}
}

static void welcome(int poll, int listener) {
	int one = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	if (fd < 0)
		return;
	if (fd >= MAX_FD) {
		close(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (!conns[fd] && !(conns[fd] = malloc(sizeof(struct conn))))
		die("malloc");
	conns[fd]->used = 0;
	struct epoll_event ev = {.events = EPOLLIN, .data.fd = fd};
	if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &ev))
		die("epoll_ctl");
}

static int listen_on(int port) {
	int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_port = htons(port),
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 511))
		die("listen");
	return fd;
}

int main(int argc, char **argv) {
	if (argc != 2) {
		fprintf(stderr, "usage: floor PORT\n");
		return 2;
	}
	int listener = listen_on(atoi(argv[1])), poll = epoll_create1(0);
	struct epoll_event ev = {.events = EPOLLIN, .data.fd = listener}, events[MAX_EVENTS];
	epoll_ctl(poll, EPOLL_CTL_ADD, listener, &ev);
	for (;;) {
		int n = epoll_wait(poll, events, MAX_EVENTS, -1);
		for (int i = 0; i < n; i++) {
			if (events[i].data.fd == listener)
				welcome(poll, listener);
			else
				receive(events[i].data.fd);
		}
	}
}
