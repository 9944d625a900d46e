/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of commands. To add one: its own file here, with a const struct hl_command at the
 * bottom, and one row; --help, man page and completion follow.
 */
#include "hoploss/command.h"

/* in the order of help */
#define COMMANDS(ROW)                                                                              \
	ROW(diagnose)                                                                              \
	ROW(run)                                                                                   \
	ROW(capture)                                                                               \
	ROW(discover)                                                                              \
	ROW(demo)                                                                                  \
	ROW(accept)                                                                                \
	ROW(compare)                                                                               \
	ROW(report)                                                                                \
	ROW(mark)                                                                                  \
	ROW(causes)                                                                                \
	ROW(specs)                                                                                 \
	ROW(workloads)                                                                             \
	ROW(formats)                                                                               \
	ROW(probes)                                                                                \
	ROW(clean)                                                                                 \
	ROW(worker)                                                                                \
	ROW(help)                                                                                  \
	ROW(version)

#define DECLARE(name)  extern const struct hl_command hl_command_##name;
#define POINT_TO(name) &hl_command_##name,

COMMANDS(DECLARE)

const struct hl_command *const hl_commands[] = { COMMANDS(POINT_TO) NULL };
