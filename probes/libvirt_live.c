/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What libvirt tells live, in the form in which virsh prints it: the only file that knows libvirt.
 *
 * The connection is read-only, and statistics do not wait for a domain that is busy. A daemon that
 * does not answer holds this up without end; the deadline of a probe is what ends it.
 */
#include "libvirt.h"
#include <errno.h>
#include <inttypes.h>
#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NODE_DEVICES_S 0.8 /* a large server has hundreds, each asked for by itself */

static void keep_quiet(void *context, virErrorPtr error)
{
	(void)context, (void)error;
}

static void close_connection(virConnectPtr *connection)
{
	if (*connection)
		virConnectClose(*connection);
}

static int fail_as_said(struct hl_error *err, const char *what)
{
	virErrorPtr error = virGetLastError();
	const char *words = error && error->message ? error->message : "no reason given";
	int code = EIO;

	if (error && (error->code == VIR_ERR_AUTH_FAILED || error->code == VIR_ERR_AUTH_CANCELLED ||
		      error->code == VIR_ERR_ACCESS_DENIED || strstr(words, "ermission denied")))
		code = EACCES;
	else if (error && (error->code == VIR_ERR_NO_CONNECT || strstr(words, "No such file") ||
			   strstr(words, "onnection refused")))
		code = ENOENT;
	else if (error && error->code == VIR_ERR_NO_SUPPORT)
		code = EOPNOTSUPP;
	return hl_fail(err, code, "%s: %s", what, words);
}

/* ---- domains ---- */

static int keep_domain(struct hl_capture *capture, virDomainPtr domain, struct hl_error *err)
{
	HL_FREE char *xml = virDomainGetXMLDesc(domain, 0);

	if (!xml) /* undefined meanwhile */
		return 0;
	return libvirt_keep(capture, "domain.xml", virDomainGetName(domain), xml, strlen(xml), err);
}

static int keep_domains(struct hl_capture *capture, virConnectPtr connection, struct hl_error *err)
{
	virDomainPtr *domains = NULL;
	int nr = virConnectListAllDomains(connection, &domains, 0);
	int rc = 0;

	if (nr < 0)
		return fail_as_said(err, "domains");
	for (int i = 0; i < nr; i++) {
		if (rc == 0)
			rc = keep_domain(capture, domains[i], err);
		virDomainFree(domains[i]);
	}
	free(domains);
	return rc;
}

/* ---- statistics, as virsh domstats ---- */

static void put_parameter(FILE *out, const virTypedParameter *parameter)
{
	fprintf(out, "  %s=", parameter->field);
	switch (parameter->type) {
	case VIR_TYPED_PARAM_INT:
		fprintf(out, "%d", parameter->value.i);
		break;
	case VIR_TYPED_PARAM_UINT:
		fprintf(out, "%u", parameter->value.ui);
		break;
	case VIR_TYPED_PARAM_LLONG:
		fprintf(out, "%lld", parameter->value.l);
		break;
	case VIR_TYPED_PARAM_ULLONG:
		fprintf(out, "%llu", parameter->value.ul);
		break;
	case VIR_TYPED_PARAM_DOUBLE:
		fprintf(out, "%f", parameter->value.d);
		break;
	case VIR_TYPED_PARAM_BOOLEAN:
		fputs(parameter->value.b ? "yes" : "no", out);
		break;
	case VIR_TYPED_PARAM_STRING:
		fputs(parameter->value.s, out);
		break;
	default:
		break;
	}
	fputc('\n', out);
}

static void put_record(FILE *out, const virDomainStatsRecord *record)
{
	fprintf(out, "Domain: '%s'\n", virDomainGetName(record->dom));
	for (int i = 0; i < record->nparams; i++)
		put_parameter(out, &record->params[i]);
	fputc('\n', out);
}

/* A driver without statistics is no failure. */
static int keep_statistics(struct hl_capture *capture, virConnectPtr connection,
			   struct hl_error *err)
{
	const unsigned groups = VIR_DOMAIN_STATS_STATE | VIR_DOMAIN_STATS_VCPU |
				VIR_DOMAIN_STATS_INTERFACE | VIR_DOMAIN_STATS_BLOCK;
	virDomainStatsRecordPtr *records = NULL;
	int nr = virConnectGetAllDomainStats(connection, groups, &records,
					     VIR_CONNECT_GET_ALL_DOMAINS_STATS_NOWAIT);
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *out;

	if (nr <= 0) {
		virDomainStatsRecordListFree(records);
		return 0;
	}
	out = open_memstream(&text, &len);
	for (int i = 0; out && i < nr; i++)
		put_record(out, records[i]);
	virDomainStatsRecordListFree(records);
	if (!out || fclose(out) != 0)
		return hl_fail(err, ENOMEM, "no memory for statistics");
	return hl_capture_keep(capture, "domstats.txt", NULL, text, len, err);
}

/* ---- node devices ---- */

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int keep_node_devices(struct hl_capture *capture, virConnectPtr connection,
			     struct hl_error *err)
{
	const unsigned kinds = VIR_CONNECT_LIST_NODE_DEVICES_CAP_PCI_DEV |
			       VIR_CONNECT_LIST_NODE_DEVICES_CAP_NET;
	virNodeDevicePtr *devices = NULL;
	int nr = virConnectListAllNodeDevices(connection, &devices, kinds);
	double stop = now_s() + NODE_DEVICES_S;
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *out = nr > 0 ? open_memstream(&text, &len) : NULL;

	for (int i = 0; i < nr; i++) {
		HL_FREE char *xml = out && now_s() < stop ? virNodeDeviceGetXMLDesc(devices[i], 0)
							  : NULL;

		if (xml)
			fprintf(out, "%s\n", xml);
		virNodeDeviceFree(devices[i]);
	}
	free(devices);
	if (!out || fclose(out) != 0 || !len)
		return 0;
	return libvirt_keep(capture, "nodedev.xml", NULL, text, len, err);
}

int libvirt_capture(struct hl_capture *capture, const char *uri, struct hl_error *err)
{
	__attribute__((cleanup(close_connection))) virConnectPtr connection = NULL;
	int rc;

	virSetErrorFunc(NULL, keep_quiet);
	connection = virConnectOpenReadOnly(uri);
	if (!connection)
		return fail_as_said(err, uri);
	rc = keep_domains(capture, connection, err);
	if (rc == 0)
		rc = keep_statistics(capture, connection, err);
	if (rc == 0)
		rc = keep_node_devices(capture, connection, err);
	return rc;
}
