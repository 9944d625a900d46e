/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVMe drives that answer from a file, for programs that are started with this in LD_PRELOAD:
 * what no emulator has (self-tests, thermal management, reservations) and no test may wait for.
 * ioctl(2) of NVMe on any file in /dev whose name begins with nvme is answered here, all else by
 * the kernel.
 *
 * The file $CANNED_NVME/nvmeN has lines of "KEY STAGE STATUS RESULT [fill=HH] [OFFSET=HEX]...":
 *   KEY     admin:06:01 = opcode and low byte of command dword 10; io:0e:00 likewise
 *   STAGE   how many self-test commands (admin:14) were taken before; - = any
 *   STATUS  0, a status of NVMe, or -N: errno N
 * Of several lines that fit, each is used once, in order, and the last one again and again. What
 * was sent is appended to $CANNED_NVME/nvmeN.sent; a command without a line gets "invalid opcode".
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MAX_LINE       4096
#define MAX_WORDS      200
#define INVALID_OPCODE 1

struct line {
	char text[MAX_LINE];
	char *words[MAX_WORDS];
	size_t nr;
};

enum { KEY, STAGE, STATUS, RESULT, DATA };

static int real_ioctl(int fd, unsigned long request, void *argument)
{
	static int (*real)(int, unsigned long, ...);

	if (!real)
		real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	return real(fd, request, argument);
}

/* The file of answers of the controller that fd is of; 0: it is no NVMe drive. */
static int find_answers(int fd, char path[MAX_LINE])
{
	static const char prefix[] = "/dev/nvme";
	const char *directory = getenv("CANNED_NVME");
	char link[64], device[256];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, device, sizeof(device) - 1);
	if (len < 0 || !directory)
		return 0;
	device[len] = '\0';
	if (strncmp(device, prefix, strlen(prefix)) != 0)
		return 0;
	snprintf(path, MAX_LINE, "%s/nvme%lu", directory,
		 strtoul(device + strlen(prefix), NULL, 10));
	return 1;
}

/* ---- what was sent ---- */

static FILE *open_sent(const char *answers)
{
	char path[MAX_LINE + 8];
	FILE *file;

	snprintf(path, sizeof(path), "%s.sent", answers);
	file = fopen(path, "a+e");
	if (!file || flock(fileno(file), LOCK_EX) < 0)
		abort();
	rewind(file);
	return file;
}

/* Self-test commands that were taken, and how often this one was sent since the last of them. */
static void count(FILE *sent, const char *key, unsigned *ret_stage, unsigned *ret_nr)
{
	char line[MAX_LINE];

	*ret_stage = *ret_nr = 0;
	while (fgets(line, sizeof(line), sent)) {
		line[strcspn(line, "\n")] = '\0';
		*ret_nr += !strcmp(line, key);
		if (strncmp(line, "admin:14", strlen("admin:14")) != 0)
			continue;
		++*ret_stage;
		*ret_nr = 0;
	}
}

/* ---- what is answered ---- */

static int read_line(FILE *file, struct line *line)
{
	char *rest = NULL;

	line->nr = 0;
	if (!fgets(line->text, sizeof(line->text), file))
		return 0;
	for (char *word = strtok_r(line->text, " \n", &rest); word && line->nr < MAX_WORDS;
	     word = strtok_r(NULL, " \n", &rest))
		line->words[line->nr++] = word;
	return 1;
}

static int fits(const struct line *line, const char *key, unsigned stage)
{
	if (line->nr < DATA || strcmp(line->words[KEY], key) != 0)
		return 0;
	return *line->words[STAGE] == '-' || strtoul(line->words[STAGE], NULL, 10) == stage;
}

/* The nr-th line that fits, else the last that does; 0: none does. */
static int find_line(const char *answers, const char *key, unsigned stage, unsigned nr,
		     struct line *ret)
{
	FILE *file = fopen(answers, "re");
	static struct line line;
	unsigned found = 0;

	if (!file)
		abort();
	while (found <= nr && read_line(file, &line)) {
		if (!fits(&line, key, stage))
			continue;
		found++;
		*ret = line;
		for (size_t i = 0; i < line.nr; i++)
			ret->words[i] = ret->text + (line.words[i] - line.text);
	}
	fclose(file);
	return found > 0;
}

static void put_hex(unsigned char *data, size_t len, size_t at, const char *hex)
{
	for (; hex[0] && hex[1] && at < len; hex += 2, at++) {
		const char byte[] = { hex[0], hex[1], '\0' };

		data[at] = (unsigned char)strtoul(byte, NULL, 16);
	}
}

static void put_data(const struct line *line, unsigned char *data, size_t len)
{
	for (size_t i = DATA; i < line->nr; i++) {
		const char *value = strchr(line->words[i], '=');

		if (!value)
			continue;
		if (!strncmp(line->words[i], "fill=", strlen("fill=")))
			memset(data, (int)strtoul(value + 1, NULL, 16), len);
		else
			put_hex(data, len, strtoul(line->words[i], NULL, 10), value + 1);
	}
}

static int answer(const char *answers, const char *set, struct nvme_passthru_cmd *command,
		  uint32_t *ret_result)
{
	static struct line line;
	char key[32];
	unsigned stage, nr;
	FILE *sent = open_sent(answers);
	long status = INVALID_OPCODE;

	snprintf(key, sizeof(key), "%s:%02x:%02x", set, command->opcode, command->cdw10 & 0xff);
	count(sent, key, &stage, &nr);
	if (find_line(answers, key, stage, nr, &line)) {
		status = strtol(line.words[STATUS], NULL, 0);
		*ret_result = (uint32_t)strtoul(line.words[RESULT], NULL, 0);
		put_data(&line, (unsigned char *)(uintptr_t)command->addr, command->data_len);
	}
	fprintf(sent, "%s\n", key);
	fclose(sent);
	if (status >= 0)
		return (int)status;
	errno = (int)-status;
	return -1;
}

int ioctl(int fd, unsigned long request, ...)
{
	char answers[MAX_LINE];
	uint32_t result = 0;
	int is_io = (uint32_t)request == NVME_IOCTL_IO_CMD;
	int is_64 = (uint32_t)request == NVME_IOCTL_ADMIN64_CMD;
	int is_admin = (uint32_t)request == NVME_IOCTL_ADMIN_CMD || is_64;
	int is_id = (uint32_t)request == (uint32_t)NVME_IOCTL_ID;
	void *argument;
	va_list args;
	int status;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if ((!is_io && !is_admin && !is_id) || !find_answers(fd, answers))
		return real_ioctl(fd, request, argument);
	if (is_id)
		return 1;
	/* the two kinds of command begin alike */
	status = answer(answers, is_io ? "io" : "admin", argument, &result);
	if (is_64)
		((struct nvme_passthru_cmd64 *)argument)->result = result;
	else
		((struct nvme_passthru_cmd *)argument)->result = result;
	return status;
}
