/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The side towards the person: see hoploss/console.h.
 */
#include "hoploss/console.h"
#include "hoploss/alloc.h"
#include "hoploss/escape.h"
#include "hoploss/file.h"
#include "hoploss/usage.h"
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MAX    (1UL << 30)
#define WIDTH_PLAIN 100
#define WIDTH_MIN   40
#define WIDTH_MAX   400

static int lost; /* errno of the first flush of stdout that failed, which has it no more later */

void hl_console_hold(void)
{
	static const int wrong_way[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_way[fd]) != fd)
			_exit(HL_EXIT_UNABLE);
	}
}

static void put(FILE *out, const char *format, va_list args)
{
	HL_FREE char *text = NULL;
	int len = vasprintf(&text, format, args);
	size_t format_len = strlen(format);
	bool ends_line = format_len && format[format_len - 1] == '\n';

	if (len < 0) {
		text = NULL;
		return;
	}
	hl_escape_put_part(out, text, (size_t)len - ends_line, HL_ESCAPE_TEXT, 0);
	if (ends_line)
		fputc('\n', out);
}

void hl_console_put(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(out, format, args);
	va_end(args);
}

void hl_console_say(const char *format, ...)
{
	va_list args;

	if (fflush(stdout) == EOF && !lost)
		lost = errno;
	fputs("hoploss: ", stderr);
	va_start(args, format);
	put(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

enum hl_exit hl_console_misuse(const struct hl_command *command, const struct hl_error *err)
{
	hl_console_say("%s", err->text);
	hl_usage_line(command, stderr);
	fprintf(stderr, "\"hoploss help %s\" says more.\n", command->name);
	return HL_EXIT_USAGE;
}

enum hl_exit hl_console_finish(enum hl_exit so_far)
{
	bool has_failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !has_failed)
		return so_far;
	if (!lost)
		lost = errno;
	if (so_far != HL_EXIT_UNABLE)
		fprintf(stderr, "hoploss: the output was not written: %s\n",
			lost ? strerror(lost) : "write error");
	return HL_EXIT_UNABLE;
}

static unsigned stdout_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col)
		return WIDTH_PLAIN;
	if (size.ws_col < WIDTH_MIN)
		return WIDTH_MIN;
	return size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
}

static bool wants_colour_itself(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

/* A file gets UTF-8 whatever the locale: same bundle, same bytes. */
static bool is_ascii_terminal(void)
{
	locale_t locale = isatty(STDOUT_FILENO) ? newlocale(LC_CTYPE_MASK, "", NULL) : NULL;
	bool is_utf8 = !locale || !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

	if (locale)
		freelocale(locale);
	return !is_utf8;
}

int hl_console_format(const struct hl_args *args, const char **ret_format, struct hl_error *err)
{
	const char *format = hl_args_value(args, "format", 0);

	if (format && hl_args_json(args) && strcmp(format, "json") != 0)
		return hl_fail(err, EINVAL, "--json and --format %s: one of them", format);
	*ret_format = format ? format : hl_args_json(args) ? "json" : "text";
	return 0;
}

int hl_console_style(const struct hl_args *args, struct hl_report_style *ret_style,
		     struct hl_error *err)
{
	const char *when = hl_args_value(args, "color", 0);
	struct hl_report_style style = {
		.width = stdout_width(),
		.is_ascii = is_ascii_terminal(),
	};

	if (!when || !strcmp(when, "auto"))
		style.has_colour = wants_colour_itself();
	else if (!strcmp(when, "always"))
		style.has_colour = true;
	else if (strcmp(when, "never"))
		return hl_fail(err, EINVAL, "--color %s: it is auto, always or never", when);
	*ret_style = style;
	return 0;
}

int hl_console_read(const char *path, char **ret_bytes, size_t *ret_len, struct hl_error *err)
{
	bool is_stdin = !strcmp(path, "-");
	HL_CLOSE int opened = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int r;

	if (!is_stdin && opened < 0)
		return hl_fail(err, errno, "open %s: %s", path, strerror(errno));
	r = hl_file_read_fd(is_stdin ? STDIN_FILENO : opened, READ_MAX, ret_bytes, ret_len);
	if (r == -EISDIR)
		return hl_fail(err, EISDIR, "%s is a directory, and no bundle", path);
	if (r == -EFBIG)
		return hl_fail(err, EFBIG, "%s: more than 1 GiB", path);
	if (r < 0)
		return hl_fail(err, -r, "read %s: %s", is_stdin ? "standard input" : path,
			       strerror(-r));
	return 0;
}
