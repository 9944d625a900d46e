/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SNIA steady-state rule: see hoploss/steady.h. (fio's ss= is deviation OR slope: another
 * rule.)
 */
#include "hoploss/steady.h"
#include <errno.h>
#include <math.h>

int hl_steady_judge(const double *values, size_t nr, struct hl_steady *ret_steady)
{
	const double *window;
	double sum = 0, slope = 0, low = INFINITY, high = -INFINITY, average;

	if (nr < HL_STEADY_WINDOW)
		return -ENODATA;
	window = values + nr - HL_STEADY_WINDOW;
	for (int i = 0; i < HL_STEADY_WINDOW; i++) {
		sum += window[i];
		slope += (i - 2) * window[i] / 10; /* least squares over x = -2 … 2: Σx² = 10 */
		low = fmin(low, window[i]);
		high = fmax(high, window[i]);
	}
	average = sum / HL_STEADY_WINDOW;
	if (!(average > 0))
		return -ENODATA;
	*ret_steady = (struct hl_steady){
		.average = average,
		.range_pct = (high - low) / average * 100,
		.excursion_pct = fabs(slope) * (HL_STEADY_WINDOW - 1) / average * 100,
	};
	ret_steady->is_steady = ret_steady->range_pct <= 20 && ret_steady->excursion_pct <= 10;
	return 0;
}
