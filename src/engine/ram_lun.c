/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The target of our own: see hoploss/ram_lun.h. Its sessions are in src/engine/ram_session.c.
 */
#include "hoploss/ram_lun.h"
#include "hoploss/alloc.h"
#include "ram_session.h"
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define IQN         "iqn.2026-11.net.hoploss:ram-"
#define TOKEN_BYTES 12
#define BACKLOG     64

struct hl_ram_lun {
	pid_t pid;
};

struct thread {
	int fd;
	const char *name;
};

static void *serve_one(void *context)
{
	struct thread *thread = context;

	ram_session_serve(thread->fd, thread->name);
	close(thread->fd);
	free(thread);
	return NULL;
}

/* Until the alarm, or until its parent ends it. */
static void serve(int fd, const char *name)
{
	for (;;) {
		int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
		struct thread *thread;
		pthread_t id;

		if (client < 0)
			continue;
		thread = hl_alloc(sizeof(*thread));
		*thread = (struct thread){ client, name };
		if (pthread_create(&id, NULL, serve_one, thread) == 0) {
			pthread_detach(id);
			continue;
		}
		close(client);
		free(thread);
	}
}

static int listen_on_loopback(uint16_t *ret_port, struct hl_error *err)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int code;

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, len) == 0 &&
	    listen(fd, BACKLOG) == 0 && getsockname(fd, (struct sockaddr *)&address, &len) == 0) {
		*ret_port = ntohs(address.sin_port);
		return fd;
	}
	code = errno;
	if (fd >= 0)
		close(fd);
	return hl_fail(err, code, "a listener on 127.0.0.1: %s", strerror(code));
}

static int make_name(char *ret_name, size_t size, struct hl_error *err)
{
	unsigned char bytes[TOKEN_BYTES];
	size_t used;

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return hl_fail(err, EIO, "no random token");
	used = (size_t)snprintf(ret_name, size, IQN);
	for (size_t i = 0; i < sizeof(bytes); i++)
		used += (size_t)snprintf(ret_name + used, size - used, "%02x", bytes[i]);
	return 0;
}

int hl_ram_lun_serve(double seconds, struct hl_ram_lun **ret_lun, char *ret_url, size_t size,
		     struct hl_error *err)
{
	char name[64];
	uint16_t port = 0;
	pid_t pid;
	int rc = make_name(name, sizeof(name), err), fd;

	if (rc < 0)
		return rc;
	fd = listen_on_loopback(&port, err);
	if (fd < 0)
		return fd;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
		alarm((unsigned)seconds + 1); /* the bound, whatever a client does */
		serve(fd, name);
		_exit(0);
	}
	close(fd);
	if (pid < 0)
		return hl_fail(err, errno, "fork: %s", strerror(errno));
	snprintf(ret_url, size, "iscsi://127.0.0.1:%u/%s/0", port, name);
	*ret_lun = hl_alloc(sizeof(**ret_lun));
	(*ret_lun)->pid = pid;
	return 0;
}

void hl_ram_lun_stop(struct hl_ram_lun *lun)
{
	if (!lun)
		return;
	kill(lun->pid, SIGKILL);
	waitpid(lun->pid, NULL, 0);
	free(lun);
}
