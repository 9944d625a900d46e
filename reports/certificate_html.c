/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The certificate as a page: to be printed, or to be sent with the drive that goes back.
 */
#include "columns_checks.h"
#include "hoploss/certificate.h"
#include "html.h"

static void put_head(FILE *out, const struct hl_acceptance_set *set)
{
	const char *verdict = hl_acceptance_verdict_name(set->verdict);

	fprintf(out,
		"<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
		"<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
		"<title>hoploss accept: "
		"%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n"
		"<p class=over>hoploss · acceptance</p>\n<h1>%s</h1>\n</header>\n<main>\n",
		verdict, hl_html_style, verdict);
}

static void put_lines(FILE *out, const char *title, const char *const *lines, size_t nr)
{
	if (!nr)
		return;
	hl_html_element(out, "h2", title);
	for (size_t i = 0; i < nr; i++)
		hl_html_element(out, "p", lines[i]);
}

static void put_device(FILE *out, struct hl_arena *arena, const struct hl_acceptance *device)
{
	struct hl_grid *checks = hl_columns_checks(arena, device);

	fputs("<section>\n", out);
	hl_html_element(out, "h2", device->headline);
	hl_html_element(out, "p", hl_columns_drive(arena, device));
	if (checks)
		hl_html_grid(out, checks);
	fputs("</section>\n", out);
}

static void html_render(const struct hl_acceptance_set *set, const struct hl_report_style *style,
			FILE *out)
{
	(void)style;
	put_head(out, set);
	if (set->nr_devices > 1)
		hl_html_element(out, "p", set->headline);
	hl_html_section(out, hl_columns_drives(set->arena, set));
	put_lines(out, "Findings", set->findings, set->nr_findings);
	for (size_t i = 0; i < set->nr_devices; i++)
		put_device(out, set->arena, &set->devices[i]);
	put_lines(out, "Notes", set->notes, set->nr_notes);
	fputs("</main>\n</body>\n</html>\n", out);
}

const struct hl_certificate hl_certificate_html = {
	.name = "html",
	.render = html_render,
};
