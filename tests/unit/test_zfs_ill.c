/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools that have lost devices or count errors: read from zpool status as a person saves it.
 */
#include "cause_maker.h"
#include "import_reader.h"

static const struct {
	const char *text;
	int state;         /* of the finding; -1 = none */
	const char *words; /* in it */
} pools[] = {
	{ "  pool: tank\n state: DEGRADED\nconfig:\n\n"
	  "\tNAME        STATE     READ WRITE CKSUM\n"
	  "\ttank        DEGRADED     0     0     0\n"
	  "\t  mirror-0  DEGRADED     0     0     0\n"
	  "\t    sda     ONLINE       0     0     0\n"
	  "\t    sdb     FAULTED     12     0     0  too many errors\n\n"
	  "errors: No known data errors\n",
	  HL_CONFIRMED, "tank is DEGRADED: mirror-0 DEGRADED, sdb FAULTED; 12 read errors" },
	{ "  pool: tank\n state: ONLINE\nconfig:\n\n"
	  "\tNAME        STATE     READ WRITE CKSUM\n"
	  "\ttank        ONLINE       0     0     0\n"
	  "\t  raidz1-0  ONLINE       0     0     4\n"
	  "\t    sda     ONLINE       0     0     0\n"
	  "\t    sdb     ONLINE       0     0     0\n"
	  "\t    sdc     ONLINE       0     0     0\n\n"
	  "errors: No known data errors\n",
	  HL_CONFIRMED, "4 checksum errors" },
	{ "  pool: tank\n state: ONLINE\nconfig:\n\n"
	  "\tNAME        STATE     READ WRITE CKSUM\n"
	  "\ttank        ONLINE       0     0     0\n"
	  "\t  sda       ONLINE       0     0     0\n\n"
	  "errors: 2 data errors, use '-v' for a list\n",
	  HL_CONFIRMED, "2 data errors" },
	{ "NAME   SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT\n"
	  "tank  34.9T  12.1T  22.8T        -         -     7%    34%  1.00x   UNAVAIL  -\n",
	  HL_CONFIRMED, "tank is UNAVAIL." },
	{ "  pool: tank\n state: ONLINE\n"
	  "  scan: scrub repaired 1.20M in 00:03:11 with 0 errors on Sun Nov  8 00:27:12 2026\n"
	  "config:\n\n"
	  "\tNAME        STATE     READ WRITE CKSUM\n"
	  "\ttank        ONLINE       0     0     0\n"
	  "\t  sda       ONLINE       0     0     0\n\n"
	  "errors: No known data errors\n",
	  HL_SUSPECTED, "last scrub" },
	{ "  pool: tank\n state: ONLINE\n"
	  "  scan: scrub repaired 0B in 00:03:11 with 0 errors on Sun Nov  8 00:27:12 2026\n"
	  "config:\n\n"
	  "\tNAME        STATE     READ WRITE CKSUM\n"
	  "\ttank        ONLINE       0     0     0\n"
	  "\t  mirror-0  ONLINE       0     0     0\n"
	  "\t    sda     ONLINE       0     0     0\n"
	  "\t    sdb     ONLINE       0     0     0\n"
	  "\tspares\n"
	  "\t  sdc       AVAIL\n\n"
	  "errors: No known data errors\n",
	  -1, NULL },
	{ "  pool: tank\n state: ONLINE\n"
	  "  scan: resilvered 1.20T in 03:03:11 with 0 errors on Sun Nov  8 00:27:12 2026\n"
	  "config:\n\n"
	  "\tNAME        STATE     READ WRITE CKSUM\n"
	  "\ttank        ONLINE       0     0     0\n"
	  "\t  sda       ONLINE       0     0     0\n\n"
	  "errors: List of errors unavailable (insufficient privileges)\n",
	  -1, NULL },
};

static const struct hl_finding *find_ill(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_findings; i++) {
		if (!strcmp(graph->findings[i]->id, "zfs-pool-ill"))
			return graph->findings[i];
	}
	return NULL;
}

static void state_and_counters_confirm_and_an_old_scrub_is_suspected(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < NR(pools); i++) {
		struct import import = import_text(pools[i].text);
		const struct hl_finding *finding;

		hl_causes_match(import.graph);
		finding = find_ill(import.graph);
		assert_int_equal(pools[i].state, finding ? (int)finding->state : -1);
		if (finding && !strstr(finding->text, pools[i].words))
			fail_msg("%s", finding->text);
		import_free(&import);
	}
}

static void each_pool_is_told_once(void **unused)
{
	HL_FREE char *twice = hl_printf("%s\n%s", pools[0].text, pools[0].text);
	struct import import = import_text(twice);
	size_t nr = 0;

	(void)unused;
	hl_causes_match(import.graph);
	for (size_t i = 0; i < import.graph->nr_findings; i++)
		nr += !strcmp(import.graph->findings[i]->id, "zfs-pool-ill");
	assert_int_equal(1, nr);
	import_free(&import);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_and_counters_confirm_and_an_old_scrub_is_suspected),
		cmocka_unit_test(each_pool_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
