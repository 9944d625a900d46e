/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Temperatures by libsensors, behind probes/sensors_read.c.
 */
#ifndef PROBES_SENSORS_READ_H
#define PROBES_SENSORS_READ_H

/*
 * What "sensors -j" prints of temperatures on this machine, to be freed; disks are left out, for
 * asking one may keep it from its sleep. -ENOENT: no chip has a temperature.
 */
int hl_sensors_json(char **ret_json);

#endif
