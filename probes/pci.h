/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PCI functions of one machine and what is known of each, whether it was read from the text of
 * lspci, from bytes of config space or from sysfs. Used by the probe "pcie" and the format "lspci".
 *
 * A listing is filled by the text of lspci or by the probe, then hl_pci_config_read reads the
 * registers out of config space where that is known, hl_pci_tree_fill derives what lies above and
 * below what, and hl_pci_facts_add makes facts of all of it. Everything lives in the graph's arena.
 */
#ifndef HOPLOSS_PROBES_PCI_H
#define HOPLOSS_PROBES_PCI_H

#include "hoploss/error.h"
#include "hoploss/graph.h"

#define PCI_CONFIG_SIZE 4096
#define PCI_NODE        24

enum pci_number {
	/* facts: see the table in pci_facts.c */
	PCI_CAP_SPEED, /* GT/s */
	PCI_CAP_WIDTH, /* lanes */
	PCI_SPEED,
	PCI_WIDTH,
	PCI_TARGET_SPEED,
	PCI_BEST_SPEED, /* that both ends of the link can do */
	PCI_BEST_WIDTH,
	PCI_LIMIT_SPEED, /* of the slowest link up to the root */
	PCI_LIMIT_WIDTH,
	PCI_MPS_CAP, /* bytes */
	PCI_MPS,
	PCI_MRRS,
	PCI_NUMA_NODE,
	PCI_IOMMU_GROUP,
	PCI_NR_VFS,
	PCI_AER_CORRECTABLE_COUNT, /* since boot, as the kernel counted them */
	PCI_AER_LINK_COUNT,        /* of those the ones that a bad link makes */
	PCI_AER_NONFATAL_COUNT,
	PCI_AER_FATAL_COUNT,
	/* true or false */
	PCI_IS_DOWNGRADED,
	PCI_IS_EMPTY,
	PCI_IS_GONE, /* answers with all ones: its registers mean nothing */
	PCI_IS_SYNTHETIC,
	PCI_IS_VF,
	PCI_SLOT_PRESENT,
	/* not facts by themselves */
	PCI_VENDOR,
	PCI_DEVICE,
	PCI_CLASS_CODE, /* 16 bits: base class and subclass */
	PCI_SECONDARY,
	PCI_SUBORDINATE,
	PCI_VF_OFFSET,
	PCI_VF_STRIDE,
	PCI_LINK_ACTIVE, /* 0 = the port says that nothing answers below it */
	PCI_REPORTS_ACTIVE,
	PCI_AT_ROOT,   /* the kernel knows of no bridge above */
	PCI_IS_TUNNEL, /* the vendor marks it as part of USB4 or Thunderbolt */
	PCI_NR_NUMBERS,
};

enum pci_string {
	PCI_NAME,
	PCI_CLASS,
	PCI_PORT_TYPE, /* "Endpoint", "Root Port", as lspci says it */
	PCI_ASPM_CAP,
	PCI_ASPM,
	PCI_AER_CORRECTABLE,
	PCI_AER_UNCORRECTABLE,
	PCI_AER_COUNTED, /* "RxErr 12 BadTLP 3", those that are not 0 */
	PCI_SLOT,
	PCI_DRIVER,
	PCI_POWER_STATE,
	PCI_PHYSFN,
	PCI_PARENT,
	PCI_LIMITING_HOP,
	PCI_SHARED_UPLINK,
	PCI_UPLINK_SHARED_BY,
	PCI_NR_STRINGS,
};

struct pci_config { /* a byte that was not read is no 0 */
	uint8_t bytes[PCI_CONFIG_SIZE];
	bool is_known[PCI_CONFIG_SIZE];
	size_t len; /* of the last known byte, plus 1 */
	const char *source;
};

struct pci_function {
	unsigned domain, bus, device, function;
	char node[PCI_NODE];            /* "0000:01:00.0" */
	double numbers[PCI_NR_NUMBERS]; /* NAN = unknown */
	const char *number_sources[PCI_NR_NUMBERS];
	const char *strings[PCI_NR_STRINGS]; /* NULL = unknown */
	const char *string_sources[PCI_NR_STRINGS];
	const char *source;          /* of the function itself: of what was derived */
	struct pci_config *config;   /* NULL = not known */
	struct pci_function *parent; /* the bridge above; NULL */
	bool is_record;              /* of lspci -vmm: "Device:" is its name there */
};

struct pci_listing {
	struct hl_arena *arena;
	struct pci_function **functions; /* sorted once hl_pci_listing_sort was called */
	size_t nr;
};

/* ---- pci_listing.c ---- */

/*
 * Reads "01:00.0", "0000:01:00.0" or "10000:01:00.0" that text begins with. Returns its length, 0 =
 * none.
 */
size_t hl_pci_read_address(const char *text, size_t len, struct pci_function *ret_at);
struct pci_function *hl_pci_listing_add(struct pci_listing *listing, const struct pci_function *at);
/* NULL = not in it. */
struct pci_function *hl_pci_listing_find(const struct pci_listing *listing,
					 const struct pci_function *at);
void hl_pci_listing_sort(struct pci_listing *listing);
/*
 * Takes over what other knows and listing does not. False, and nothing is taken, if they
 * contradict each other: other is another machine, or the same one at another time.
 */
bool hl_pci_listing_merge(struct pci_listing *listing, const struct pci_listing *other);

/* Unknown values change nothing; source is kept as it is, so it must live as long. */
void hl_pci_set_number(struct pci_function *at, enum pci_number which, double value,
		       const char *source);
void hl_pci_set_string(struct pci_listing *listing, struct pci_function *at, enum pci_string which,
		       const char *value, const char *source);
bool hl_pci_is(const struct pci_function *at, enum pci_number which); /* known and true */
bool hl_pci_is_type(const struct pci_function *at, const char *type); /* of that port type */
struct pci_config *hl_pci_config_of(struct pci_listing *listing, struct pci_function *at,
				    const char *source);
void hl_pci_config_set(struct pci_config *config, size_t at, uint8_t byte);

/* ---- pci_class.c ---- */

/* The class code of a class's name as pci.ids has it; NAN. And back; NULL. */
double hl_pci_class_code(const char *name);
const char *hl_pci_class_name(double code);
/* Storage, network and others that fill a link. */
bool hl_pci_moves_data(const struct pci_function *at);

/* ---- pci_registers.c ---- */

double hl_pci_speed(unsigned code); /* of a link speed field, GT/s; NAN */
double hl_pci_width(double lanes);  /* NAN for none and for what cannot be */
/* Bytes/s before packets' headers, as the kernel reckons; NAN. */
double hl_pci_link_bw(double gts, double width);
const char *hl_pci_aspm_cap_name(unsigned code); /* 0 .. 3 */
const char *hl_pci_aspm_name(unsigned code);
const char *hl_pci_port_type_name(unsigned code); /* NULL = reserved */

/* ---- pci_config.c: the only file that knows libpci ---- */

/*
 * Reads the registers of every function whose config space is known, as libpci finds them. Fields
 * that are set already are replaced: the bytes are exact. -EOPNOTSUPP: this build has no libpci.
 */
int hl_pci_config_read(struct pci_listing *listing, struct hl_error *err);
/* Names and classes of all functions, from this machine's list of PCI ids. */
int hl_pci_config_name(struct pci_listing *listing, struct hl_error *err);

/* ---- pci_ids.c ---- */

/* The same from the text of a list of PCI ids. */
void hl_pci_ids_name(struct pci_listing *listing, const char *ids);

/* ---- pci_tree.c, pci_chain.c ---- */

/* Parents, VFs, empty ports, synthetic links; then what both ends can do, limits, shared links. */
void hl_pci_tree_fill(struct pci_listing *listing);
void hl_pci_chain_fill(struct pci_listing *listing);

/* ---- pci_facts.c ---- */

/* Facts of that host; one that the graph has already is not added again. */
void hl_pci_facts_add(const struct pci_listing *listing, const char *host, struct hl_graph *graph);

#endif
