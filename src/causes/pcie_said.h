/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about PCIe links have in common.
 */
#ifndef CAUSES_PCIE_SAID_H
#define CAUSES_PCIE_SAID_H

#include "hoploss/pcie.h"
#include "hoploss/trial.h"

/* A measurement is at a ceiling from so much of it on, near it from there, and refutes it above. */
#define PCIE_AT      0.95
#define PCIE_NEAR    0.8
#define PCIE_REFUTED 1.01

/* "0000:01:00.0 (KIOXIA Corporation NVMe SSD, slot 3)" */
const char *pcie_say_device(struct hl_graph *graph, const struct hl_pcie *pcie);
/* "8 GT/s x4"; what is not known is left out. */
const char *pcie_say_link(struct hl_graph *graph, double speed, double width);
/* The index-th fact of key is the first of its function: two states of one are told once. */
bool pcie_is_first(const struct hl_graph *graph, const char *key, size_t index);
/* The fastest pure reads or writes of hop; false: none. */
bool pcie_fastest(const struct hl_hop *hop, enum hl_dir dir, struct hl_trial *ret_trial);
/* Adds the facts of those keys, NULL-terminated, that the function has. */
void pcie_add_evidence(struct hl_graph *graph, struct hl_finding *finding,
		       const struct hl_pcie *pcie, const char *const *keys);

#endif
