/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP streams, one a worker: reads receive what the server sends, writes send to it. A block is one
 * workload's block size of payload; its latency is the time it took to pass.
 *
 * On the wire: the client sends its token, 'r' or 'w' and the block size as 8 hex digits; a server
 * that does not know the token closes. Then blocks flow one way until one end closes.
 */
#include "hoploss/tcp.h"
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELLO_LEN      (HL_TCP_TOKEN_LEN + 1 + 8)
#define MAX_BLOCK      (16u << 20)
#define HELLO_PATIENCE 5 /* s that a client may take to say hello */

struct hl_tcp_server {
	pid_t pid;
};

struct stream { /* of the server */
	int fd;
	const char *token;
	pthread_t thread;
};

/* ---- both ends ---- */

static int parse_address(const char *address, uint16_t port, struct sockaddr_storage *ret_address,
			 socklen_t *ret_len, struct hl_error *err)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found;
	char service[8];
	int rc;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(address, service, &hints, &found);
	if (rc)
		return hl_fail(err, EINVAL, "\"%s\" is no numeric address: %s", address,
			       gai_strerror(rc));
	memcpy(ret_address, found->ai_addr, found->ai_addrlen);
	*ret_len = found->ai_addrlen;
	freeaddrinfo(found);
	return 0;
}

/* All of it, or the number of bytes until the other end closed, or -errno. */
static long transfer_all(int fd, char *bytes, size_t len, bool is_sending)
{
	size_t done = 0;

	while (done < len) {
		ssize_t nr = is_sending ? send(fd, bytes + done, len - done, MSG_NOSIGNAL)
					: recv(fd, bytes + done, len - done, 0);

		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return -errno;
		if (nr == 0)
			break;
		done += (size_t)nr;
	}
	return (long)done;
}

/* ---- the client: an engine ---- */

static int dial(const struct hl_worker *worker, int *ret_fd, struct hl_error *err)
{
	const struct hl_tcp_peer *peer = worker->job->peer;
	bool is_reading = hl_rw_reads(worker->job->workload.rw);
	const struct timeval patience = { .tv_sec = (time_t)worker->job->seconds + 5 };
	struct sockaddr_storage address = { 0 };
	char hello[HELLO_LEN + 1];
	socklen_t len = 0;
	int fd, rc = parse_address(peer->address, peer->port, &address, &len, err);

	if (rc < 0)
		return rc;
	fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return hl_fail(err, errno, "socket: %s", strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	snprintf(hello, sizeof(hello), "%s%c%08x", peer->token, is_reading ? 'r' : 'w',
		 (unsigned)worker->walk.bs);
	if (connect(fd, (struct sockaddr *)&address, len) < 0 ||
	    transfer_all(fd, hello, HELLO_LEN, true) != HELLO_LEN) {
		rc = hl_fail(err, errno, "%s port %u: %s", peer->address, peer->port,
			     strerror(errno));
		close(fd);
		return rc;
	}
	*ret_fd = fd;
	return 0;
}

static int tcp_loop(struct hl_worker *worker, int fd, char *block, struct hl_error *err)
{
	int io = hl_rw_reads(worker->job->workload.rw) ? HL_IO_READ : HL_IO_WRITE;
	uint64_t bs = worker->walk.bs, start = hl_clock_ns();

	while (!hl_worker_is_done(worker, start)) {
		uint64_t now;
		long done;

		start = hl_worker_wait_turn(worker, start);
		done = transfer_all(fd, block, bs, io == HL_IO_WRITE);
		now = hl_clock_ns();
		if (done != (long)bs)
			return hl_engine_io_failed(worker, io, 0, done, err);
		hl_worker_count(worker, io, start, now);
		start = now;
	}
	return 0;
}

static int tcp_run(struct hl_worker *worker, struct hl_error *err)
{
	HL_CLOSE int fd = -1;
	int rc = dial(worker, &fd, err);
	char *block;

	if (rc < 0)
		return rc;
	block = hl_buffers_new(worker->job, 1, worker->index);
	hl_worker_begin(worker);
	rc = tcp_loop(worker, fd, block, err);
	hl_buffers_free(block, worker->job, 1);
	return rc;
}

/* ---- the server ---- */

/* Compares all of it whatever differs, so that time tells nothing. */
static bool is_token(const char *a, const char *b)
{
	unsigned char difference = 0;

	for (int i = 0; i < HL_TCP_TOKEN_LEN; i++)
		difference |= (unsigned char)(a[i] ^ b[i]);
	return difference == 0;
}

/* The block size that a client with the right token asks for; 0 = turn it away. */
static size_t read_hello(const struct stream *stream, bool *ret_is_sending)
{
	const struct timeval patience = { .tv_sec = HELLO_PATIENCE };
	char hello[HELLO_LEN + 1] = "";
	unsigned long bs;

	setsockopt(stream->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (transfer_all(stream->fd, hello, HELLO_LEN, false) != HELLO_LEN ||
	    !is_token(hello, stream->token))
		return 0;
	bs = strtoul(hello + HL_TCP_TOKEN_LEN + 1, NULL, 16);
	*ret_is_sending = hello[HL_TCP_TOKEN_LEN] == 'r';
	return bs <= MAX_BLOCK ? bs : 0;
}

static void *serve_stream(void *context)
{
	struct stream *stream = context;
	bool is_sending = false;
	size_t bs = read_hello(stream, &is_sending);
	HL_FREE char *block = bs ? hl_alloc(bs) : NULL;

	while (bs && transfer_all(stream->fd, block, bs, is_sending) == (long)bs)
		;
	close(stream->fd);
	return NULL;
}

static void serve(int fd, const char *token, unsigned nr_streams, uint64_t end_ns)
{
	struct stream *streams = hl_alloc(nr_streams * sizeof(*streams));
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	unsigned nr = 0;

	while (nr < nr_streams && hl_clock_ns() < end_ns) {
		if (poll(&poll_fd, 1, 100) <= 0)
			continue;
		streams[nr] = (struct stream){ .fd = accept4(fd, NULL, NULL, SOCK_CLOEXEC),
					       .token = token };
		if (streams[nr].fd >= 0 &&
		    pthread_create(&streams[nr].thread, NULL, serve_stream, &streams[nr]) == 0)
			nr++;
	}
	close(fd);
	for (unsigned i = 0; i < nr; i++)
		pthread_join(streams[i].thread, NULL);
}

static void make_token(char *ret_token)
{
	unsigned char bytes[HL_TCP_TOKEN_LEN / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort(); /* cannot fail for so few bytes: getrandom(2) */
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret_token + 2 * i, 3, "%02x", bytes[i]);
}

static uint16_t port_of(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;

	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): it was zeroed before */
	return ntohs(address->ss_family == AF_INET6 ? six->sin6_port : four->sin_port);
}

static int listen_on(const char *address, struct hl_tcp_peer *peer, struct hl_error *err)
{
	struct sockaddr_storage bound = { 0 };
	socklen_t len = 0;
	int fd, rc = parse_address(address, 0, &bound, &len, err);

	if (rc < 0)
		return rc;
	fd = socket(bound.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&bound, len) < 0 || listen(fd, 16) < 0 ||
	    getsockname(fd, (struct sockaddr *)&bound, &len) < 0) {
		rc = hl_fail(err, errno, "listen on %s: %s", address, strerror(errno));
		if (fd >= 0)
			close(fd);
		return rc;
	}
	peer->port = port_of(&bound);
	snprintf(peer->address, sizeof(peer->address), "%s", address);
	return fd;
}

int hl_tcp_serve(const char *address, unsigned nr_streams, double seconds,
		 struct hl_tcp_server **ret_server, struct hl_tcp_peer *ret_peer,
		 struct hl_error *err)
{
	struct hl_tcp_peer peer;
	int fd = listen_on(address, &peer, err);
	pid_t pid;

	if (fd < 0)
		return fd;
	make_token(peer.token);
	pid = fork();
	if (pid < 0) {
		close(fd);
		return hl_fail(err, errno, "fork: %s", strerror(errno));
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_IGN);
		alarm((unsigned)seconds + 1); /* the bound, whatever a client does */
		serve(fd, peer.token, nr_streams, hl_clock_ns() + (uint64_t)(seconds * 1e9));
		_exit(0);
	}
	close(fd);
	*ret_server = hl_alloc(sizeof(**ret_server));
	(*ret_server)->pid = pid;
	*ret_peer = peer;
	return 0;
}

void hl_tcp_stop(struct hl_tcp_server *server)
{
	if (!server)
		return;
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	free(server);
}

const struct hl_engine hl_engine_tcp = {
	.name = "tcp",
	.summary = "TCP streams to another host of the path, one a job",
	.is_one_deep = true,
	.run = tcp_run,
};
