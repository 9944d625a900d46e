/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Datasheets: parsing, the built-in ones, and what one promises for a workload.
 *
 * Source: the .conf files of probes/specs, made into the table hl_spec_files by probes/specs/embed.
 * A key of the file and a field of the struct meet in the two tables of fields below; a new key is
 * one line there. Strict: a key that is unknown, given twice or out of range is an error with file
 * and line.
 */
#include "hoploss/spec.h"
#include "hoploss/alloc.h"
#include "hoploss/ini.h"
#include "hoploss/model_name.h"
#include "hoploss/near.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_FILE    (64 * 1024)
#define SEQUENTIAL_FROM (64 * HL_KIB)
#define LEAST_DEPTH     0.25 /* of the figure's depth, for it to hold */
#define HDD_READ_GAIN   2.5
#define HDD_WRITE_GAIN  8.0
#define USUAL_TOLERANCE 10.0

/* Name and text by turns, sorted by name, then NULL: made by probes/specs/embed. */
extern const char *const hl_spec_files[];

struct owned_spec {
	struct hl_spec spec; /* first: freeing casts */
	struct hl_arena *arena;
};

enum kind { TEXT, SIZE, RATE, NUMBER, MICROSECONDS, RW, MEDIUM, STATE };

struct field {
	const char *key;
	enum kind kind;
	size_t offset;
};

#define DRIVE(key, kind, member)                                                                   \
	{                                                                                          \
		key, kind, offsetof(struct hl_spec, member)                                        \
	}
#define FIGURE(key, kind, member)                                                                  \
	{                                                                                          \
		key, kind, offsetof(struct hl_spec_figure, member)                                 \
	}

static const struct field drive_fields[] = {
	DRIVE("vendor", TEXT, vendor),
	DRIVE("product", TEXT, product),
	DRIVE("models", TEXT, models),
	DRIVE("medium", MEDIUM, medium),
	DRIVE("capacity", SIZE, capacity),
	DRIVE("link_speed_gts", NUMBER, link_speed_gts),
	DRIVE("link_width", NUMBER, link_width),
	DRIVE("link_gbps", NUMBER, link_gbps),
	DRIVE("rpm", NUMBER, rpm),
	DRIVE("seek_ms", NUMBER, seek_ms),
	DRIVE("cache", SIZE, cache_bytes),
	DRIVE("dwpd", NUMBER, dwpd),
	DRIVE("tbw", SIZE, tbw_bytes),
	DRIVE("temperature_warn_c", NUMBER, temperature_warn_c),
	DRIVE("temperature_critical_c", NUMBER, temperature_critical_c),
	DRIVE("source", TEXT, source),
	DRIVE("note", TEXT, note),
	{ 0 },
};

static const struct field figure_fields[] = {
	FIGURE("rw", RW, rw),
	FIGURE("bs", SIZE, bs),
	FIGURE("iodepth", NUMBER, iodepth),
	FIGURE("numjobs", NUMBER, numjobs),
	FIGURE("state", STATE, state),
	FIGURE("bw", RATE, bw),
	FIGURE("iops", NUMBER, iops),
	FIGURE("latency_us", MICROSECONDS, latency_ns),
	FIGURE("tolerance_pct", NUMBER, tolerance_pct),
	{ 0 },
};

static const char *const media[] = { "nvme", "ssd", "hdd", NULL };
static const char *const states[] = { "fresh", "steady", NULL };

struct parse {
	struct owned_spec *owned;
	struct hl_spec_figure *figures;
	char *section; /* of the line before */
	bool seen[sizeof(drive_fields) / sizeof(*drive_fields)];
};

/* ---- one value ---- */

static int take_word(const char *const *words, const char *value, const char **ret_word)
{
	for (; *words; words++) {
		if (!strcmp(*words, value)) {
			*ret_word = *words;
			return 0;
		}
	}
	return -EINVAL;
}

static int take_number(enum kind kind, const char *value, double *ret_number)
{
	size_t len = strlen(value);
	double number = NAN;
	int status;

	if (kind == SIZE)
		status = hl_unit_read_size(value, len, 1000, &number);
	else if (kind == RATE)
		status = hl_unit_read_rate(value, len, 1000, &number);
	else
		status = hl_number_double(value, len, &number);
	if (status)
		return status;
	if (!(number > 0) || isinf(number))
		return -ERANGE;
	*ret_number = kind == MICROSECONDS ? number * 1000 : number;
	return 0;
}

static int take_value(struct hl_arena *arena, const struct field *field, void *into,
		      const char *value)
{
	void *at = (char *)into + field->offset;

	switch (field->kind) {
	case TEXT:
		*(const char **)at = hl_arena_strdup(arena, value);
		return *value ? 0 : -EINVAL;
	case RW:
		return hl_rw_parse(value, at);
	case MEDIUM:
		return take_word(media, value, at);
	case STATE:
		return take_word(states, value, at);
	default:
		return take_number(field->kind, value, at);
	}
}

/* ---- the file ---- */

static void clear_figure(struct hl_spec_figure *figure)
{
	*figure = (struct hl_spec_figure){
		.bs = NAN,
		.iodepth = NAN,
		.numjobs = NAN,
		.bw = NAN,
		.iops = NAN,
		.latency_ns = NAN,
		.tolerance_pct = USUAL_TOLERANCE,
	};
}

/* The figure that ends where another section starts, or the file, must be whole. */
static int close_section(struct parse *parse, struct hl_error *err)
{
	const struct hl_spec *spec = &parse->owned->spec;
	const struct hl_spec_figure *figure;

	if (!spec->nr_figures)
		return 0;
	figure = &parse->figures[spec->nr_figures - 1];
	if (figure->rw == HL_RW_UNKNOWN || isnan(figure->bs) || !figure->state)
		return hl_fail(err, EBADMSG, "[%s] needs rw, bs and state", parse->section);
	if (isnan(figure->bw) && isnan(figure->iops) && isnan(figure->latency_ns))
		return hl_fail(err, EBADMSG, "[%s] needs bw, iops or latency_us", parse->section);
	return 0;
}

static int open_section(struct parse *parse, const char *section, struct hl_error *err)
{
	struct owned_spec *owned = parse->owned;
	struct hl_spec *spec = &owned->spec;
	int status = close_section(parse, err);

	if (status)
		return status;
	memset(parse->seen, 0, sizeof(parse->seen));
	parse->section = hl_arena_strdup(owned->arena, section);
	if (!strcmp(section, "drive"))
		return spec->nr_figures ? hl_fail(err, EBADMSG, "[drive] must come first") : 0;
	if (strncmp(section, "figure ", 7) != 0)
		return hl_fail(err, EBADMSG, "unknown section [%s]: [drive] or [figure NAME]",
			       section);
	parse->figures = hl_arena_extend(owned->arena, parse->figures, spec->nr_figures,
					 sizeof(*parse->figures));
	clear_figure(&parse->figures[spec->nr_figures++]);
	return 0;
}

static int take_item(void *to, const struct hl_ini_item *item, struct hl_error *err)
{
	struct parse *parse = to;
	struct hl_spec *spec = &parse->owned->spec;
	const struct field *fields = drive_fields;
	void *into = spec;
	size_t i = 0;

	if (!parse->section || strcmp(parse->section, item->section) != 0) {
		int status = open_section(parse, item->section, err);

		if (status)
			return status;
	}
	if (spec->nr_figures) {
		fields = figure_fields;
		into = &parse->figures[spec->nr_figures - 1];
	}
	while (fields[i].key && strcmp(fields[i].key, item->key) != 0)
		i++;
	if (!fields[i].key)
		return hl_fail(err, EBADMSG, "unknown key \"%s\" in [%s]", item->key,
			       item->section);
	if (parse->seen[i])
		return hl_fail(err, EBADMSG, "\"%s\" is given twice", item->key);
	parse->seen[i] = true;
	if (take_value(parse->owned->arena, &fields[i], into, item->value))
		return hl_fail(err, EBADMSG, "\"%s\" cannot be \"%s\"", item->key, item->value);
	return 0;
}

static int check_spec(const char *name, struct parse *parse, struct hl_error *err)
{
	const struct hl_spec *spec = &parse->owned->spec;
	struct hl_error why = { 0 };

	if (close_section(parse, &why))
		return hl_fail(err, EBADMSG, "%s: %s", name, why.text);
	if (!spec->vendor || !spec->product || !spec->medium || !spec->source)
		return hl_fail(err, EBADMSG, "%s: [drive] needs vendor, product, medium and source",
			       name);
	return 0;
}

static struct owned_spec *spec_new(const char *name, const char *bytes, size_t len)
{
	struct hl_arena *arena = hl_arena_new();
	struct owned_spec *owned = hl_arena_alloc(arena, sizeof(*owned));

	owned->arena = arena;
	owned->spec = (struct hl_spec){
		.name = hl_arena_strdup(arena, name),
		.capacity = NAN,
		.link_speed_gts = NAN,
		.link_width = NAN,
		.link_gbps = NAN,
		.rpm = NAN,
		.seek_ms = NAN,
		.cache_bytes = NAN,
		.dwpd = NAN,
		.tbw_bytes = NAN,
		.temperature_warn_c = NAN,
		.temperature_critical_c = NAN,
		.text = hl_arena_strndup(arena, bytes, len),
		.text_len = len,
	};
	return owned;
}

int hl_spec_parse(const char *name, const char *bytes, size_t len, struct hl_spec **ret_spec,
		  struct hl_error *err)
{
	struct owned_spec *owned = spec_new(name, bytes, len);
	struct parse parse = { .owned = owned };
	int status = hl_ini_read(name, bytes, len, take_item, &parse, err);

	if (!status)
		status = check_spec(name, &parse, err);
	if (status) {
		hl_spec_free(&owned->spec);
		return status;
	}
	owned->spec.figures = parse.figures;
	*ret_spec = &owned->spec;
	return 0;
}

void hl_spec_free(struct hl_spec *spec)
{
	if (spec)
		hl_arena_free(((struct owned_spec *)spec)->arena);
}

/* ---- finding one ---- */

const char *hl_spec_name_at(size_t index)
{
	for (size_t i = 0; hl_spec_files[2 * i]; i++) {
		if (i == index)
			return hl_spec_files[2 * i];
	}
	return NULL;
}

static int not_found(const char *text, struct hl_error *err)
{
	struct hl_near near;
	const char *name, *hint;

	hl_near_start(&near, text);
	for (size_t i = 0; (name = hl_spec_name_at(i)); i++)
		hl_near_offer(&near, name);
	hint = hl_near_hint(&near);
	return hl_fail(err, ENOENT, "no datasheet \"%s\"%s", text,
		       *hint ? hint : "; \"hoploss specs\" lists them");
}

static int read_all(const char *file, char *bytes, size_t *ret_len, struct hl_error *err)
{
	HL_CLOSE int fd = open(file, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t got;

	if (fd < 0)
		return hl_fail(err, errno, "open %s: %s", file, strerror(errno));
	while ((got = read(fd, bytes + len, LARGEST_FILE - len)) > 0)
		len += (size_t)got;
	if (got < 0)
		return hl_fail(err, errno, "read %s: %s", file, strerror(errno));
	if (len == LARGEST_FILE)
		return hl_fail(err, EFBIG, "%s: too large for a datasheet", file);
	*ret_len = len;
	return 0;
}

static int load_file(const char *file, struct hl_spec **ret_spec, struct hl_error *err)
{
	HL_FREE char *bytes = hl_alloc(LARGEST_FILE);
	const char *base = strrchr(file, '/');
	size_t len = 0;
	HL_FREE char *stem = hl_strdup(base ? base + 1 : file);
	char *suffix = strrchr(stem, '.');
	int status = read_all(file, bytes, &len, err);

	if (status)
		return status;
	status = hl_spec_parse(file, bytes, len, ret_spec, err);
	if (status)
		return status;
	if (suffix && suffix != stem)
		*suffix = '\0';
	(*ret_spec)->name = hl_arena_strdup(((struct owned_spec *)*ret_spec)->arena, stem);
	return 0;
}

int hl_spec_load(const char *name_or_file, struct hl_spec **ret_spec, struct hl_error *err)
{
	const char *const *file = hl_spec_files;

	if (strchr(name_or_file, '/') || strstr(name_or_file, ".conf"))
		return load_file(name_or_file, ret_spec, err);
	while (*file && strcasecmp(*file, name_or_file) != 0)
		file += 2;
	if (!*file)
		return not_found(name_or_file, err);
	return hl_spec_parse(file[0], file[1], strlen(file[1]), ret_spec, err);
}

/* ---- what a sheet promises ---- */

static bool has_direction(enum hl_rw rw, enum hl_dir dir)
{
	bool reads = hl_rw_reads(rw), writes = hl_rw_writes(rw);

	return dir == HL_DIR_READ ? reads && !writes : dir == HL_DIR_WRITE && writes && !reads;
}

static double figure_bw(const struct hl_spec_figure *figure)
{
	return isnan(figure->bw) ? figure->iops * figure->bs : figure->bw;
}

static bool is_deep_enough(const struct hl_spec_figure *figure, const struct hl_workload *workload)
{
	double jobs = isnan(figure->numjobs) ? 1 : figure->numjobs;
	double least_depth = figure->iodepth * jobs * LEAST_DEPTH;
	double depth = hl_workload_depth(workload);

	return isnan(least_depth) || isnan(depth) || depth >= least_depth;
}

static double best_sequential(const struct hl_spec *spec, enum hl_dir dir)
{
	double best = NAN;

	for (size_t i = 0; i < spec->nr_figures; i++) {
		const struct hl_spec_figure *figure = &spec->figures[i];

		if (!hl_rw_is_random(figure->rw) && has_direction(figure->rw, dir))
			best = fmax(best, figure_bw(figure)); /* of NAN and x, x */
	}
	return best;
}

/* What figure says about I/O of bs bytes, or NAN. */
static double promise(const struct hl_spec_figure *figure, double bs)
{
	if (!hl_rw_is_random(figure->rw))
		return bs >= SEQUENTIAL_FROM ? figure_bw(figure) : NAN;
	if (bs < figure->bs || bs > 2 * figure->bs)
		return NAN;
	return figure_bw(figure) / figure->bs * bs;
}

double hl_spec_bw(const struct hl_spec *spec, const struct hl_workload *workload, enum hl_dir dir)
{
	double best = NAN;

	for (size_t i = 0; i < spec->nr_figures; i++) {
		const struct hl_spec_figure *figure = &spec->figures[i];

		if (figure->rw == workload->rw && has_direction(workload->rw, dir) &&
		    is_deep_enough(figure, workload))
			best = fmax(best, promise(figure, workload->bs));
	}
	return isnan(best) ? NAN : fmin(best, best_sequential(spec, dir));
}

double hl_spec_random_iops(const struct hl_spec *spec, enum hl_dir dir)
{
	double gain = dir == HL_DIR_READ ? HDD_READ_GAIN : HDD_WRITE_GAIN;
	double turn_ms = 60000 / spec->rpm;
	double best = NAN;

	for (size_t i = 0; i < spec->nr_figures; i++) {
		const struct hl_spec_figure *figure = &spec->figures[i];

		if (hl_rw_is_random(figure->rw) && has_direction(figure->rw, dir))
			best = fmax(best, figure->iops);
	}
	return fmax(best, gain * 1000 / (spec->seek_ms + turn_ms / 2));
}

bool hl_spec_is_model(const struct hl_spec *spec, const char *model)
{
	HL_FREE char *patterns = hl_strdup(spec->models ? spec->models : "");
	char *rest = NULL;

	for (char *pattern = strtok_r(patterns, " ", &rest); pattern;
	     pattern = strtok_r(NULL, " ", &rest)) {
		if (hl_model_name_fits(pattern, model))
			return true;
	}
	return false;
}
