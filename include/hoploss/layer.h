/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layers that a loss is attributed to, in path order (drive end first).
 */
#ifndef HOPLOSS_LAYER_H
#define HOPLOSS_LAYER_H

enum hl_layer {
	HL_LAYER_NONE, /* not said */
	HL_LAYER_DATASHEET,
	HL_LAYER_LINK,
	HL_LAYER_DRIVE,
	HL_LAYER_POOL,
	HL_LAYER_TARGET,
	HL_LAYER_WIRE,
	HL_LAYER_VNIC,
	HL_LAYER_VDISK,
	HL_LAYER_INITIATOR,
	HL_LAYER_FILESYSTEM,
	HL_NR_LAYERS,
};

const char *hl_layer_name(enum hl_layer layer);                 /* "drive"; NULL for NONE */
int hl_layer_parse(const char *name, enum hl_layer *ret_layer); /* -EINVAL */

#endif
