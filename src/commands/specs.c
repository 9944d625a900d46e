/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss specs: the datasheets that are built in, and what one promises.
 */
#include "hoploss/alloc.h"
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/json.h"
#include "hoploss/spec.h"
#include "hoploss/unit.h"
#include "hoploss/usage.h"
#include <math.h>

#define DECIMAL_M 1e6

static void free_spec(struct hl_spec **spec)
{
	hl_spec_free(*spec);
}
#define SPEC __attribute__((cleanup(free_spec)))

/* ---- JSON ---- */

static void put_figure(struct hl_json_out *out, const struct hl_spec_figure *figure)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "rw", hl_rw_name(figure->rw));
	hl_json_put_number(out, "bs", figure->bs);
	hl_json_put_number(out, "iodepth", figure->iodepth);
	hl_json_put_number(out, "numjobs", figure->numjobs);
	hl_json_put_string(out, "state", figure->state);
	hl_json_put_number(out, "bw", figure->bw);
	hl_json_put_number(out, "iops", figure->iops);
	hl_json_put_number(out, "latency", figure->latency_ns);
	hl_json_put_number(out, "tolerance_pct", figure->tolerance_pct);
	hl_json_close(out);
}

static void put_spec(void *to, const struct hl_spec *spec)
{
	struct hl_json_out *out = to;

	hl_json_object(out, NULL);
	hl_json_put_string(out, "name", spec->name);
	hl_json_put_string(out, "vendor", spec->vendor);
	hl_json_put_string(out, "product", spec->product);
	hl_json_put_string(out, "models", spec->models);
	hl_json_put_string(out, "medium", spec->medium);
	hl_json_put_number(out, "capacity", spec->capacity);
	hl_json_put_number(out, "link_speed_gts", spec->link_speed_gts);
	hl_json_put_number(out, "link_width", spec->link_width);
	hl_json_put_number(out, "link_gbps", spec->link_gbps);
	hl_json_put_number(out, "rpm", spec->rpm);
	hl_json_put_number(out, "seek_ms", spec->seek_ms);
	hl_json_put_number(out, "cache", spec->cache_bytes);
	hl_json_put_number(out, "dwpd", spec->dwpd);
	hl_json_put_number(out, "tbw", spec->tbw_bytes);
	hl_json_put_number(out, "temperature_warn_c", spec->temperature_warn_c);
	hl_json_put_number(out, "temperature_critical_c", spec->temperature_critical_c);
	hl_json_array(out, "figures");
	for (size_t i = 0; i < spec->nr_figures; i++)
		put_figure(out, &spec->figures[i]);
	hl_json_close(out);
	hl_json_put_string(out, "source", spec->source);
	hl_json_put_string(out, "note", spec->note);
	hl_json_close(out);
}

/* ---- text ---- */

static void print_text(const char *label, const char *value)
{
	if (value)
		hl_usage_row(stdout, label, value);
}

static void print_quantity(const char *label, double value, const char *unit)
{
	HL_FREE char *text = hl_printf("%g %s", value, unit);

	if (!isnan(value))
		print_text(label, text);
}

/* "6200 MB/s (5913 MiB/s)": as the sheet says it first. */
static char *promise_text(const struct hl_spec_figure *figure)
{
	char binary[HL_UNIT_TEXT], count[HL_UNIT_TEXT], time[HL_UNIT_TEXT];

	if (!isnan(figure->bw))
		return hl_printf("%.0f MB/s (%s)", figure->bw / DECIMAL_M,
				 hl_unit_rate(binary, figure->bw));
	if (!isnan(figure->iops))
		return hl_printf("%s IOPS (%s)", hl_unit_count(count, figure->iops),
				 hl_unit_rate(binary, figure->iops * figure->bs));
	return hl_printf("%s a request", hl_unit_time(time, figure->latency_ns));
}

static void print_figure(const struct hl_spec_figure *figure)
{
	HL_FREE char *promise = promise_text(figure);
	char size[HL_UNIT_TEXT];

	printf("  %-10s %-8s", hl_rw_name(figure->rw), hl_unit_size(size, figure->bs));
	if (isnan(figure->iodepth))
		printf(" depth ?   ");
	else
		printf(" depth %-4g", figure->iodepth);
	if (!isnan(figure->numjobs) && figure->numjobs > 1)
		printf(" x %g jobs", figure->numjobs);
	printf("  %-7s %s, within %g %%\n", figure->state, promise, figure->tolerance_pct);
}

static void print_spec(void *to, const struct hl_spec *spec)
{
	(void)to;
	printf("%s: %s %s\n\n", spec->name, spec->vendor, spec->product);
	print_text("medium", spec->medium);
	print_quantity("capacity", spec->capacity / 1e9, "GB");
	print_quantity("link speed", spec->link_speed_gts, "GT/s");
	print_quantity("link width", spec->link_width, "lanes");
	print_quantity("SATA or SAS link", spec->link_gbps, "Gb/s");
	print_quantity("rotation", spec->rpm, "rpm");
	print_quantity("read seek", spec->seek_ms, "ms");
	print_quantity("cache", spec->cache_bytes / HL_MIB, "MiB");
	print_quantity("drive writes a day", spec->dwpd, "");
	print_quantity("bytes written, life", spec->tbw_bytes / 1e12, "TB");
	print_quantity("warns at", spec->temperature_warn_c, "degrees C");
	print_quantity("critical at", spec->temperature_critical_c, "degrees C");
	print_text("chosen for model", spec->models);
	print_text("source", spec->source);
	print_text("note", spec->note);
	puts("\npromises:");
	for (size_t i = 0; i < spec->nr_figures; i++)
		print_figure(&spec->figures[i]);
}

static void print_row(void *to, const struct hl_spec *spec)
{
	HL_FREE char *what = hl_printf("%s %s (%s)", spec->vendor, spec->product, spec->medium);

	(void)to;
	hl_usage_row(stdout, spec->name, what);
}

/* ---- the command ---- */

static void check_spec(void *to, const struct hl_spec *spec)
{
	(void)to;
	(void)spec;
}

/* Shows the one called name, or all that are built in. */
static int for_each(const char *only, void (*show)(void *to, const struct hl_spec *spec), void *to,
		    struct hl_error *err)
{
	const char *name;

	for (size_t i = 0; (name = only ? only : hl_spec_name_at(i)); i++) {
		SPEC struct hl_spec *spec = NULL;
		int r = hl_spec_load(name, &spec, err);

		if (r < 0)
			return r;
		show(to, spec);
		if (only)
			break;
	}
	return 0;
}

static void put_json(const char *only)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.specs/1");
	hl_json_array(out, "specs");
	for_each(only, put_spec, out, NULL);
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static enum hl_exit specs_run(const struct hl_args *args)
{
	const char *only = hl_args_operand(args, 0);
	struct hl_error err;
	int r;

	r = for_each(only, check_spec, NULL, &err); /* no half document */
	if (r < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (hl_args_json(args))
		put_json(only);
	else
		for_each(only, only ? print_spec : print_row, NULL, NULL);
	return HL_EXIT_OK;
}

static const struct hl_example examples[] = {
	{ "hoploss specs", "Lists the drives whose datasheets are built in." },
	{ "hoploss specs KCD61LUL7T68",
	  "What one promises, under which conditions, by which source." },
	{ 0 },
};

const struct hl_command hl_command_specs = {
	.name = "specs",
	.summary = "list the datasheets that are built in, or show one",
	.usage = "[NAME | FILE.conf] [--json]",
	.details = "Rates are decimal, as on the sheets, with MiB/s beside them. For a drive that "
		   "is not "
		   "here, write a .conf file like the ones in probes/specs of the source, and give "
		   "its "
		   "path in place of a name.",
	.examples = examples,
	.max_operands = 1,
	.operand_values = "SPEC",
	.run = specs_run,
};
