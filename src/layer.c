/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of the layers: see hoploss/layer.h.
 */
#include "hoploss/layer.h"
#include <errno.h>
#include <string.h>

static const char *const layer_names[HL_NR_LAYERS] = {
	[HL_LAYER_DATASHEET] = "datasheet", [HL_LAYER_LINK] = "link",
	[HL_LAYER_DRIVE] = "drive",         [HL_LAYER_POOL] = "pool",
	[HL_LAYER_TARGET] = "target",       [HL_LAYER_WIRE] = "wire",
	[HL_LAYER_VNIC] = "vnic",           [HL_LAYER_VDISK] = "vdisk",
	[HL_LAYER_INITIATOR] = "initiator", [HL_LAYER_FILESYSTEM] = "filesystem",
};

const char *hl_layer_name(enum hl_layer layer)
{
	return layer_names[layer];
}

int hl_layer_parse(const char *name, enum hl_layer *ret_layer)
{
	for (int i = HL_LAYER_NONE + 1; i < HL_NR_LAYERS; i++) {
		if (!strcmp(layer_names[i], name)) {
			*ret_layer = i;
			return 0;
		}
	}
	return -EINVAL;
}
