/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The link that it hangs on: speed and width of its own PCIe link against what both drive and sheet
 * promise, the narrowest hop above it, and errors that were corrected; the rate of SATA and SAS.
 * And the LBA format in use, which a buyer can mend.
 *
 * Source: PCI Express Base Specification 5.0, 7.5.3.6 and 7.5.3.8 (Link Capabilities and Status);
 * NVM Express NVM Command Set Specification 1.0, 4.1.5.1 (relative performance).
 */
#include "check.h"
#include "functions.h"
#include <math.h>
#include <string.h>

static bool is_synthetic(const struct subject *subject)
{
	const struct hl_fact *fact = subject_fact(subject, "pcie.is_synthetic");

	return fact && fact->type == HL_FACT_BOOLEAN && fact->boolean;
}

static bool can_judge(const struct subject *subject, struct hl_check *check)
{
	if (is_synthetic(subject)) {
		check_evidence(subject, check, subject_fact(subject, "pcie.is_synthetic"));
		check_miss(subject, check, "its link is emulated: the register says nothing");
		return false;
	}
	return true;
}

/* What drive and sheet promise: the higher of the two. */
static void judge_own(const struct subject *subject, const struct check_kind *kind, double promised,
		      const char *cap_key, struct hl_check *check)
{
	const char *list = functions_list(subject);
	double can = subject_number(subject, cap_key);

	if (!can_judge(subject, check))
		return;
	if (isnan(subject_number(subject, kind->key))) {
		check_miss(subject, check, "nothing tells its link: --bdf names its function%s%s",
			   list ? ", one of " : " in lspci's output", list ? list : "");
		return;
	}
	check_compare(subject, kind, fmax(can, promised), check);
	check_evidence(subject, check, subject_fact(subject, cap_key));
}

static void judge_speed(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	judge_own(subject, kind, subject->spec ? subject->spec->link_speed_gts : NAN,
		  "pcie.cap_speed_gts", check);
}

static void judge_width(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	judge_own(subject, kind, subject->spec ? subject->spec->link_width : NAN, "pcie.cap_width",
		  check);
}

/* Speed × width of the narrowest link on the way to the root, against that of the drive. */
static void judge_chain(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	double limit = subject_number(subject, "pcie.limit_speed_gts") *
		       subject_number(subject, "pcie.limit_width");
	double own = subject_number(subject, "pcie.cap_speed_gts") *
		     subject_number(subject, "pcie.cap_width");
	const struct hl_fact *hop = subject_fact(subject, kind->key);

	if (!can_judge(subject, check))
		return;
	if (isnan(limit) || isnan(own)) {
		check_miss(subject, check, "nothing tells the links above it");
		return;
	}
	check->measured = limit;
	check_limit(check, HL_RELATION_AT_LEAST, own);
	check->unit = "GT/s x lanes";
	check_evidence(subject, check, hop);
	if (limit < own)
		check_fail(subject, check, "%s%s%s", kind->reason, hop ? ": " : "",
			   hop && hop->type == HL_FACT_STRING ? hop->string : "");
}

static void judge_errors(const struct subject *subject, const struct check_kind *kind,
			 struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);

	check_limit(check, HL_RELATION_AT_MOST, 0);
	if (!fact || fact->type != HL_FACT_NUMBER || isnan(fact->before)) {
		check_miss(subject, check,
			   "its error counters were not read before and after a load");
		return;
	}
	check->measured = fact->number - fact->before;
	check_evidence(subject, check, fact);
	if (check->measured > 0)
		check_fail(subject, check, "%s", kind->reason);
}

/* SAS drives tell what was negotiated, and only the sheet what they can. */
static void judge_rate(const struct subject *subject, const struct check_kind *kind,
		       struct hl_check *check)
{
	static const char most[] = "drive.link_max_gbps";
	double promised = fmax(subject_number(subject, most),
			       subject->spec ? subject->spec->link_gbps : NAN);

	check_compare(subject, kind, promised, check);
	if (isnan(check->measured))
		check_limit(check, kind->relation, promised);
	else if (isnan(promised))
		check_show(subject, check, "%s: nothing tells what it can", kind->title);
	check_evidence(subject, check, subject_fact(subject, most));
}

/* 0 is the best of NVMe's four degrees. */
static void judge_format(const struct subject *subject, const struct check_kind *kind,
			 struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);
	double best = subject_number(subject, "nvme.lba_best_relative_performance");

	if (!fact || fact->type != HL_FACT_NUMBER || isnan(best)) {
		check_miss(subject, check, "nothing tells its LBA formats");
		return;
	}
	check->measured = fact->number;
	check_limit(check, HL_RELATION_AT_MOST, best);
	check_evidence(subject, check, fact);
	check_evidence(subject, check, subject_fact(subject, "nvme.lba_best_bytes"));
	if (fact->number > best)
		check_fail(subject, check, "%s", kind->reason);
}

static const struct check_kind kinds[] = {
	{ "link.speed", "PCIe link speed", DRIVE_NVME, judge_speed, .key = "pcie.speed_gts",
	  .relation = HL_RELATION_AT_LEAST,
	  .reason = "the link runs below what the drive can: look at slot, riser, backplane and "
		    "the port's setting" },
	{ "link.width", "PCIe link width", DRIVE_NVME, judge_width, .key = "pcie.width",
	  .relation = HL_RELATION_AT_LEAST,
	  .reason = "lanes are missing: look at slot, riser, backplane and contacts" },
	{ "link.chain", "narrowest link up to the root", DRIVE_NVME, judge_chain,
	  .key = "pcie.limiting_hop", .reason = "a link above the drive is narrower than its own" },
	{ "link.errors", "PCIe errors during the test", DRIVE_NVME, judge_errors,
	  .key = "pcie.aer_correctable_count",
	  .reason = "errors were corrected on the link while it was measured" },
	{ "link.rate", "SATA or SAS link rate", DRIVE_ATA | DRIVE_SCSI, judge_rate,
	  .key = "drive.link_gbps", .relation = HL_RELATION_AT_LEAST,
	  .reason = "the link runs below what the drive can: look at cable, backplane and the "
		    "port of the controller" },
	{ "format.lba", "LBA format in use", DRIVE_NVME, judge_format,
	  .key = "nvme.lba_relative_performance",
	  .reason = "a format that the drive itself calls faster is not in use (nvme format, which "
		    "erases it)" },
};

const struct check_group check_link = {
	.kinds = kinds,
	.nr = sizeof(kinds) / sizeof(*kinds),
	.is_of_now = true,
};
