/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Config space read by libpci, and the names that its list of PCI ids gives. The only file that
 * knows libpci.
 *
 * Source: pcilib(7); PCI Express Base Specification 6.0, 7.5.3 (Express), 7.8.4 (Advanced Error
 * Reporting), 9.3.3 (SR-IOV). The access method is "dump": nothing of this machine is touched, each
 * function's bytes are handed to libpci as what it has read of it already.
 *
 * Surprising: libpci's error callback must not return, and its default ends the program. Here it
 * jumps back. A register of which a byte is not known (a dump with rows missing) is not read.
 */
#include "pci.h"
#include <errno.h>
#include <math.h>
#include <pci/pci.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE   256
#define HEADER_SIZE 64
#define ONLY_SPEED  1      /* what a target of 0 means: 2.5 GT/s is all there is */
#define VSEC_TUNNEL 0x1234 /* Intel: part of Thunderbolt or USB4 */

static _Thread_local jmp_buf back;
static _Thread_local char last_error[160];

static void __attribute__((noreturn, format(printf, 1, 2))) fail(char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(last_error, sizeof(last_error), format, args);
	va_end(args);
	longjmp(back, 1);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): libpci's type */
static void __attribute__((format(printf, 1, 2))) ignore(char *format, ...)
{
	(void)format;
}

static struct pci_access *new_access(void)
{
	struct pci_access *access = pci_alloc();

	access->error = fail;
	access->warning = ignore;
	access->debug = ignore;
	access->method = PCI_ACCESS_DUMP;
	pci_set_param(access, "dump.name", "/dev/null");
	return access;
}

/* Runs what calls libpci, and comes back from its errors too. */
static int guard(struct pci_access *access, struct pci_listing *listing,
		 void (*work)(struct pci_access *access, struct pci_listing *listing),
		 struct hl_error *err)
{
	if (setjmp(back))
		return hl_fail(err, EBADMSG, "libpci: %s", last_error);
	work(access, listing);
	return 0;
}

/* ---- registers ---- */

struct space { /* of one function */
	struct pci_dev *dev;
	struct pci_function *at;
	struct pci_listing *listing;
};

static bool is_known(const struct space *space, unsigned from, unsigned nr)
{
	for (unsigned i = from; i < from + nr; i++) {
		if (i >= PCI_CONFIG_SIZE || !space->at->config->is_known[i])
			return false;
	}
	return true;
}

/* False: not known, ret_value is untouched. */
static bool get(const struct space *space, unsigned from, unsigned nr, uint32_t *ret_value)
{
	if (!is_known(space, from, nr))
		return false;
	*ret_value = nr == 1   ? pci_read_byte(space->dev, (int)from)
		     : nr == 2 ? pci_read_word(space->dev, (int)from)
			       : pci_read_long(space->dev, (int)from);
	return true;
}

static void set_number(struct space *space, enum pci_number which, double value)
{
	space->at->numbers[which] = value;
	space->at->number_sources[which] = space->at->config->source;
}

static void set_string(struct space *space, enum pci_string which, const char *value)
{
	space->at->strings[which] = NULL;
	hl_pci_set_string(space->listing, space->at, which, value, space->at->config->source);
}

static double payload(uint32_t code)
{
	return code <= 5 ? 128 << code : NAN;
}

static void read_link_status(struct space *space, unsigned cap)
{
	uint32_t value;

	if (!get(space, cap + PCI_EXP_LNKSTA, 2, &value))
		return;
	set_number(space, PCI_WIDTH, hl_pci_width((value & PCI_EXP_LNKSTA_WIDTH) >> 4));
	set_number(space, PCI_SPEED,
		   isnan(space->at->numbers[PCI_WIDTH])
			   ? NAN
			   : hl_pci_speed(value & PCI_EXP_LNKSTA_SPEED));
	set_number(space, PCI_LINK_ACTIVE, (value & PCI_EXP_LNKSTA_DL_ACT) != 0);
}

static void read_link(struct space *space, unsigned cap)
{
	uint32_t value;

	if (get(space, cap + PCI_EXP_LNKCAP, 4, &value)) {
		set_number(space, PCI_CAP_SPEED, hl_pci_speed(value & PCI_EXP_LNKCAP_SPEED));
		set_number(space, PCI_CAP_WIDTH, hl_pci_width((value & PCI_EXP_LNKCAP_WIDTH) >> 4));
		set_number(space, PCI_REPORTS_ACTIVE, (value & PCI_EXP_LNKCAP_DLLA) != 0);
		set_string(space, PCI_ASPM_CAP,
			   hl_pci_aspm_cap_name((value & PCI_EXP_LNKCAP_ASPM) >> 10));
	}
	if (get(space, cap + PCI_EXP_LNKCTL, 2, &value))
		set_string(space, PCI_ASPM, hl_pci_aspm_name(value & PCI_EXP_LNKCTL_ASPM));
	read_link_status(space, cap);
}

static bool has_link(uint32_t type)
{
	return type != PCI_EXP_TYPE_ROOT_INT_EP && type != PCI_EXP_TYPE_ROOT_EC;
}

static void read_express(struct space *space, unsigned cap)
{
	uint32_t flags, value;

	if (!get(space, cap + PCI_EXP_FLAGS, 2, &flags))
		return;
	set_string(space, PCI_PORT_TYPE, hl_pci_port_type_name((flags & PCI_EXP_FLAGS_TYPE) >> 4));
	if (get(space, cap + PCI_EXP_DEVCAP, 4, &value))
		set_number(space, PCI_MPS_CAP, payload(value & PCI_EXP_DEVCAP_PAYLOAD));
	if (get(space, cap + PCI_EXP_DEVCTL, 2, &value)) {
		set_number(space, PCI_MPS, payload((value & PCI_EXP_DEVCTL_PAYLOAD) >> 5));
		set_number(space, PCI_MRRS, payload((value & PCI_EXP_DEVCTL_READRQ) >> 12));
	}
	if (!has_link((flags & PCI_EXP_FLAGS_TYPE) >> 4))
		return;
	read_link(space, cap);
	if (flags & PCI_EXP_FLAGS_SLOT && get(space, cap + PCI_EXP_SLTSTA, 2, &value))
		set_number(space, PCI_SLOT_PRESENT, (value & PCI_EXP_SLTSTA_PRES) != 0);
	if ((flags & PCI_EXP_FLAGS_VERS) >= 2 && get(space, cap + PCI_EXP_LNKCTL2, 2, &value))
		set_number(space, PCI_TARGET_SPEED,
			   hl_pci_speed(PCI_EXP_LNKCTL2_SPEED(value) ? PCI_EXP_LNKCTL2_SPEED(value)
								     : ONLY_SPEED));
}

/* The names of the bits that are set, as lspci says them. */
static const char *flags_of(struct space *space, uint32_t value, const char *const names[32])
{
	char text[256] = "";
	size_t used = 0;

	for (int i = 0; i < 32; i++) {
		if (!(value >> i & 1) || !names[i])
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? " " : "",
					 names[i]);
	}
	return hl_arena_strdup(space->listing->arena, text);
}

static void read_aer(struct space *space, unsigned cap)
{
	static const char *const correctable[32] = {
		[0] = "RxErr",    [6] = "BadTLP",          [7] = "BadDLLP",     [8] = "Rollover",
		[12] = "Timeout", [13] = "AdvNonFatalErr", [14] = "CorrIntErr", [15] = "HeaderOF",
	};
	static const char *const uncorrectable[32] = {
		[4] = "DLP",           [5] = "SDES",       [12] = "TLP",      [13] = "FCP",
		[14] = "CmpltTO",      [15] = "CmpltAbrt", [16] = "UnxCmplt", [17] = "RxOF",
		[18] = "MalfTLP",      [19] = "ECRC",      [20] = "UnsupReq", [21] = "ACSViol",
		[22] = "UncorrIntErr",
	};
	uint32_t value;

	if (get(space, cap + PCI_ERR_COR_STATUS, 4, &value))
		set_string(space, PCI_AER_CORRECTABLE, flags_of(space, value, correctable));
	if (get(space, cap + PCI_ERR_UNCOR_STATUS, 4, &value))
		set_string(space, PCI_AER_UNCORRECTABLE, flags_of(space, value, uncorrectable));
}

static void read_sriov(struct space *space, unsigned cap)
{
	uint32_t value;

	if (get(space, cap + PCI_IOV_NUMVF, 2, &value))
		set_number(space, PCI_NR_VFS, value);
	if (get(space, cap + PCI_IOV_OFFSET, 2, &value))
		set_number(space, PCI_VF_OFFSET, value);
	if (get(space, cap + PCI_IOV_STRIDE, 2, &value))
		set_number(space, PCI_VF_STRIDE, value);
}

static void read_vendor_specific(struct space *space, unsigned cap)
{
	uint32_t value;

	if (space->at->numbers[PCI_VENDOR] == 0x8086 &&
	    get(space, cap + PCI_EVNDR_HEADER, 4, &value) && (value & 0xffff) == VSEC_TUNNEL)
		set_number(space, PCI_IS_TUNNEL, 1);
}

static void read_power(struct space *space, unsigned cap)
{
	static const char *const states[] = { "D0", "D1", "D2", "D3hot" };
	uint32_t value;

	if (get(space, cap + PCI_PM_CTRL, 2, &value))
		set_string(space, PCI_POWER_STATE, states[value & PCI_PM_CTRL_STATE_MASK]);
}

static const struct {
	unsigned id, type;
	void (*read)(struct space *space, unsigned cap);
} capabilities[] = {
	{ PCI_CAP_ID_PM, PCI_CAP_NORMAL, read_power },
	{ PCI_CAP_ID_EXP, PCI_CAP_NORMAL, read_express },
	{ PCI_EXT_CAP_ID_AER, PCI_CAP_EXTENDED, read_aer },
	{ PCI_EXT_CAP_ID_SRIOV, PCI_CAP_EXTENDED, read_sriov },
	{ PCI_EXT_CAP_ID_VNDR, PCI_CAP_EXTENDED, read_vendor_specific },
};

static void read_header(struct space *space)
{
	uint32_t value;

	if (get(space, PCI_VENDOR_ID, 2, &value) && value != 0xffff)
		set_number(space, PCI_VENDOR, value);
	if (get(space, PCI_DEVICE_ID, 2, &value) && value != 0xffff)
		set_number(space, PCI_DEVICE, value);
	if (get(space, PCI_CLASS_DEVICE, 2, &value))
		set_number(space, PCI_CLASS_CODE, value);
	if (!get(space, PCI_HEADER_TYPE, 1, &value) || (value & 0x7f) != PCI_HEADER_TYPE_BRIDGE)
		return;
	if (get(space, PCI_SECONDARY_BUS, 1, &value))
		set_number(space, PCI_SECONDARY, value);
	if (get(space, PCI_SUBORDINATE_BUS, 1, &value))
		set_number(space, PCI_SUBORDINATE, value);
}

static void read_capabilities(struct space *space)
{
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(*capabilities); i++) {
		unsigned nr = 1;

		for (unsigned k = 0; k < nr; k++) {
			unsigned at = k;
			struct pci_cap *cap = pci_find_cap_nr(space->dev, capabilities[i].id,
							      capabilities[i].type, &at);

			nr = at;
			if (cap)
				capabilities[i].read(space, cap->addr);
		}
	}
}

/* Nothing answers. A VF has all ones in vendor and device too, but not in what follows. */
static bool is_all_ones(const struct pci_config *config)
{
	size_t nr = 0;

	for (size_t i = 0; i < HEADER_SIZE; i++) {
		if (config->is_known[i] && config->bytes[i] != 0xff)
			return false;
		nr += config->is_known[i];
	}
	return nr > 4;
}

static void read_function(struct pci_access *access, struct pci_listing *listing,
			  struct pci_function *at)
{
	struct space space = { .at = at, .listing = listing };

	space.dev = pci_get_dev(access, (int)at->domain, (int)at->bus, (int)at->device,
				(int)at->function);
	pci_setup_cache(space.dev, at->config->bytes, (int)at->config->len);
	if (is_all_ones(at->config)) {
		set_number(&space, PCI_IS_GONE, 1);
	} else {
		read_header(&space);
		read_capabilities(&space);
	}
	pci_free_dev(space.dev);
}

static void read_all(struct pci_access *access, struct pci_listing *listing)
{
	pci_init(access);
	for (size_t i = 0; i < listing->nr; i++) {
		if (listing->functions[i]->config)
			read_function(access, listing, listing->functions[i]);
	}
}

int hl_pci_config_read(struct pci_listing *listing, struct hl_error *err)
{
	struct pci_access *access = new_access();
	int r = guard(access, listing, read_all, err);

	pci_cleanup(access);
	return r;
}

/* ---- names ---- */

static void name_one(struct pci_access *access, struct pci_listing *listing,
		     struct pci_function *at)
{
	double vendor = at->numbers[PCI_VENDOR], device = at->numbers[PCI_DEVICE];
	double class = at->numbers[PCI_CLASS_CODE];
	char text[NAME_SIZE];

	if (vendor >= 0 && device >= 0)
		hl_pci_set_string(
			listing, at, PCI_NAME,
			pci_lookup_name(access, text, sizeof(text),
					PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE | PCI_LOOKUP_NO_HWDB,
					(int)vendor, (int)device),
			at->source);
	if (class >= 0)
		hl_pci_set_string(listing, at, PCI_CLASS,
				  pci_lookup_name(access, text, sizeof(text),
						  PCI_LOOKUP_CLASS | PCI_LOOKUP_NO_HWDB,
						  (int)class),
				  at->source);
}

static void name_all(struct pci_access *access, struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++)
		name_one(access, listing, listing->functions[i]);
}

int hl_pci_config_name(struct pci_listing *listing, struct hl_error *err)
{
	struct pci_access *access = new_access();
	int r = guard(access, listing, name_all, err);

	pci_cleanup(access);
	return r;
}
