/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The groups of checks, in the order of the certificate.
 */
#include "check.h"

extern const struct check_group check_identity, check_newness, check_health, check_heat, check_link,
	check_speed, check_write;

const struct check_group *const check_groups[] = {
	&check_identity, &check_newness, &check_health, &check_heat,
	&check_link,     &check_speed,   &check_write,  NULL,
};
