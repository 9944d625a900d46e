/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the decoder of libvirt's XML.
 */
#ifndef PROBES_LIBVIRT_H
#define PROBES_LIBVIRT_H

#include "hoploss/capture.h"
#include "hoploss/format.h"
#include "hoploss/xml.h"

#define LIBVIRT_ROOT "fragment" /* of mended XML, see markup.h */

struct libvirt {
	struct hl_reading *reading;
	const struct hl_text *slice;
	const char *vm; /* name of the domain, or what stands for it */
	unsigned nr_nics, nr_hostdevs;
};

enum libvirt_kind { LIBVIRT_TEXT, LIBVIRT_COUNT, LIBVIRT_SIZE, LIBVIRT_YES, LIBVIRT_UP };

/* A fact as it stands in an attribute, or in the text of an element. */
struct libvirt_row {
	const char *path;      /* below the element that is read */
	const char *attribute; /* NULL = its text */
	const char *key;
	enum libvirt_kind kind;
};

/* Lines of libvirt's XML from line at on; 0 = none. */
size_t libvirt_claim(const struct hl_text *text, size_t at);
/* Where a fact of that node was read. */
struct hl_origin libvirt_origin(const struct libvirt *in, const struct hl_xml *element,
				const char *node);
/* What the rows say of element, up to the row without a key. */
void libvirt_add_rows(const struct libvirt *in, const struct hl_xml *element, const char *node,
		      const struct libvirt_row *rows);
/* NAN: no whole number. */
double libvirt_number(const char *text);
/* "0000:42:02.5" of an address element, in the graph's arena; NULL = it is none of a PCI device. */
const char *libvirt_pci_address(const struct libvirt *in, const struct hl_xml *address);

void libvirt_add_disk(struct libvirt *in, const struct hl_xml *disk);
void libvirt_add_nic(struct libvirt *in, const struct hl_xml *interface);
void libvirt_add_hostdev(struct libvirt *in, const struct hl_xml *hostdev);
void libvirt_add_driver(struct libvirt *in, const struct hl_xml *driver); /* alone, of no device */
void libvirt_add_nodedev(struct libvirt *in, const struct hl_xml *device);

/* ---- acquiring ---- */

/*
 * Keeps what libvirt tells of its domains and node devices, over a read-only connection: by the
 * library, or where it is not built in, by virsh. Errors as those of a probe.
 */
int libvirt_capture(struct hl_capture *capture, const char *uri, struct hl_error *err);
/* Keeps XML of a domain (node = its name) or of node devices (NULL), by an allow-list. */
int libvirt_keep(struct hl_capture *capture, const char *name, const char *node, const char *xml,
		 size_t len, struct hl_error *err);

#endif
