/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of an HTML page: see html.h.
 */
#include "html.h"
#include "hoploss/escape.h"
#include <string.h>

const char hl_html_style[] =
	":root{color-scheme:light dark;--paper:#fff;--ink:#1c2430;--soft:#5b6675;--line:#e2e6ec;"
	"--wash:#f5f7fa;--bad:#b42318;--doubt:#9a5b00;--link:#2b5fa8}\n"
	"@media(prefers-color-scheme:dark){:root{--paper:#14181e;--ink:#e4e8ee;--soft:#9aa5b4;"
	"--line:#2b333d;--wash:#1c222a;--bad:#ff8f7e;--doubt:#f0b35e;--link:#8ab8f5}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;max-width:60rem;padding:2.5rem 1.25rem 4rem;background:var(--paper);"
	"color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica "
	"Neue',"
	"Arial,sans-serif;overflow-wrap:anywhere}\n"
	"h1{font-size:1.6rem;line-height:1.3;margin:.4rem 0 1rem;letter-spacing:-.01em}\n"
	"h2{font-size:1.2rem;margin:3rem 0 .75rem;padding-top:.9rem;border-top:1px solid "
	"var(--line)}\n"
	"h3{font-size:1rem;margin:2rem 0 .5rem}\n"
	"p{margin:.5rem 0}p.over,p.job{color:var(--soft);margin:0 0 .75rem}\n"
	"p.over{font-size:.8rem;letter-spacing:.04em}\n"
	".state{font-size:.75rem;font-weight:600;text-transform:uppercase;letter-spacing:.06em;"
	"border:1px solid;border-radius:3px;padding:.15em "
	".5em;margin-right:.6em;white-space:nowrap;"
	"vertical-align:.15em;color:var(--doubt)}\n"
	".state.confirmed{color:var(--bad)}\n"
	"nav{font-size:.9rem}nav a{margin-right:1rem;white-space:nowrap}a{color:var(--link)}\n"
	"figure{margin:1rem 0 1.5rem}figure svg{display:block;overflow:visible}\n"
	"figcaption{color:var(--soft);font-size:.85rem;margin-top:.5rem}\n"
	"div.table{overflow-x:auto;margin:1rem 0}\n"
	"table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.35rem 1.1rem .35rem 0;text-align:left;vertical-align:top;"
	"border-bottom:1px solid var(--line);overflow-wrap:normal;white-space:nowrap}\n"
	"th{color:var(--soft);font-weight:500}\n"
	"td.n,th.n{text-align:right}td.l{min-width:14rem;white-space:normal}\n"
	"article{margin:1.5rem 0 2.5rem}article h3{margin:0 0 .25rem}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.1rem;margin:.75rem 0;"
	"font-size:.95rem}dt{color:var(--soft)}dd{margin:0;white-space:pre-line}\n"
	"pre{background:var(--wash);border:1px solid var(--line);border-radius:4px;padding:.8rem "
	"1rem;"
	"overflow-x:auto;font:.82rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\n"
	"footer{margin-top:3rem;padding-top:1rem;border-top:1px solid "
	"var(--line);color:var(--soft);"
	"font-size:.9rem}\n"
	"@media(max-width:34rem){body{font-size:15px;padding:1.25rem 1rem 3rem}"
	"h1{font-size:1.3rem}dl{display:block}dd{margin-bottom:.5rem}}\n"
	"@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#fff;"
	"--bad:#8a1a10;--doubt:#6e4200}body{max-width:none;padding:0;font-size:10.5pt}nav{display:"
	"none}"
	"div.table{overflow:visible}td{white-space:normal}pre{white-space:pre-wrap}h2,h3{break-"
	"after:avoid}"
	"figure,tr,pre{break-inside:avoid}table{font-size:8pt}th,td{padding-right:.6rem}}\n";

void hl_html_text(FILE *out, const char *text)
{
	hl_escape_put(out, text, HL_ESCAPE_XML, 0);
}

void hl_html_element(FILE *out, const char *tag, const char *text)
{
	if (!text)
		return;
	fprintf(out, "<%s>", tag);
	while (*text) {
		size_t len = strcspn(text, "\n");

		hl_escape_put_part(out, text, len, HL_ESCAPE_XML, 0);
		text += len;
		if (*text++ != '\n')
			break;
		fputc('\n', out);
	}
	fprintf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

static const char *class_of(const struct hl_column *column)
{
	switch (column->kind) {
	case HL_COLUMN_NUMBER:
		return " class=n";
	case HL_COLUMN_LONG:
		return " class=l";
	case HL_COLUMN_NAME:
		break;
	}
	return "";
}

static void put_cell(FILE *out, const char *tag, const struct hl_column *column, const char *text)
{
	fprintf(out, "<%s%s>", tag, class_of(column));
	hl_escape_put(out, text, HL_ESCAPE_XML,
		      column->kind == HL_COLUMN_LONG ? 0 : HL_ESCAPE_NAME);
	fprintf(out, "</%.2s>", tag);
}

void hl_html_grid(FILE *out, const struct hl_grid *grid)
{
	fputs("<div class=table><table>\n<thead><tr>", out);
	for (size_t i = 0; i < grid->nr_columns; i++)
		put_cell(out, "th scope=col", grid->columns[i], grid->columns[i]->title);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t row = 0; row < grid->nr_rows; row++) {
		fputs("<tr>", out);
		for (size_t i = 0; i < grid->nr_columns; i++)
			put_cell(out, "td", grid->columns[i], hl_grid_cell(grid, row, i));
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

void hl_html_section(FILE *out, const struct hl_grid *grid)
{
	if (!grid)
		return;
	fprintf(out, "<section id=\"%s\">\n", grid->id);
	hl_html_element(out, "h2", grid->title);
	hl_html_grid(out, grid);
	fputs("</section>\n", out);
}
