/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ethernet lines that a hop may run over, as far as its figures tell. Used by src/causes.
 */
#ifndef HOPLOSS_WIRE_H
#define HOPLOSS_WIRE_H

#include "hoploss/graph.h"

struct hl_wire {
	const char *name;    /* "10 Gb/s" */
	double usual, jumbo; /* bytes/s of TCP payload at MTU 1500 and 9000 */
};

/* The slowest standard line that can carry bw bytes/s (1 % over is still carried). */
bool hl_wire_for(double bw, struct hl_wire *ret_wire); /* false: none can */
/* A network can be part of what this hop measured; false for drives, pools and virtual disks. */
bool hl_wire_may_be_in(const struct hl_hop *hop);
/* The highest bandwidth of any usable measurement of hop: what a line of it must carry. NAN. */
double hl_wire_load(const struct hl_hop *hop);

#endif
