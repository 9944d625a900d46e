/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of fio 3, after fio(1) and `fio --cmdhelp=all`: see hoploss/fio_table.h.
 */
#include "hoploss/fio_table.h"
#include <string.h>

#define HONOURED(name_, alias_, why_)                                                              \
	{                                                                                          \
		.name = (name_), .alias = (alias_), .effect = HL_FIO_HONOURED, .why = (why_)       \
	}
#define IDLE(name_)                                                                                \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_IDLE                                             \
	}
#define FLAG(name_)                                                                                \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_IDLE, .is_flag = true                            \
	}
#define ALIAS(name_, alias_)                                                                       \
	{                                                                                          \
		.name = (name_), .alias = (alias_), .effect = HL_FIO_IDLE                          \
	}
#define WRITERS(name_, neutral_, why_)                                                             \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_WRITERS, .neutral = (neutral_), .why = (why_)    \
	}
#define REFUSED(name_, neutral_, why_)                                                             \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_REFUSED, .neutral = (neutral_), .why = (why_)    \
	}
#define REFUSED_FLAG(name_, why_)                                                                  \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_REFUSED, .is_flag = true, .neutral = "0",        \
		.why = (why_)                                                                      \
	}
#define PROGRAM(name_)                                                                             \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_IDLE, .is_program = true                         \
	}
#define PROGRAM_FLAG(name_)                                                                        \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_IDLE, .is_program = true, .is_flag = true        \
	}
#define NO_PROGRAM(name_, why_)                                                                    \
	{                                                                                          \
		.name = (name_), .effect = HL_FIO_REFUSED, .is_program = true, .is_flag = true,    \
		.why = (why_)                                                                      \
	}

#define AS_SIZE   "write it as 4096, 512m, 10g or 50%"
#define AS_TIME   "write it as 60, 90s or 5m"
#define AS_NUMBER "write a whole number"
#define ZONES     "hoploss knows no zones"
#define REPLAY    "hoploss replays no traces: say the job's rw, bs and iodepth"
#define RATE      "it would hold the job back; hoploss measures what a hop can give"
#define PAUSES    "it would pause between I/Os; hoploss measures what a hop can give"
#define BATCHES   "it would change how many I/Os are in flight; say iodepth"
#define PRIORITY  "it would change the priority of the I/O"
#define DATA      "it would change the data written; hoploss writes data that does not compress"
#define SPLIT     "it would mix block sizes; write one job for each block size"
#define GROUPS    "hoploss moves no process into another group or user"
#define POLLED    "it would poll for completions instead of waiting for interrupts"
#define NETWORK   "hoploss talks to its own workers only: write the host into a path file"
#define COMMANDS  "hoploss starts no command that a job names"
#define FILES     "hoploss reads one target a hop"

static const struct hl_fio_option options[] = {
	/* what the I/O is */
	HONOURED("name", NULL, "write the job's name"),
	HONOURED("rw", "readwrite", "write read, randread, write, randwrite, rw or randrw"),
	HONOURED("bs", "blocksize", "write it as 4k or 1m, or 4k,8k for reads and writes"),
	HONOURED("iodepth", NULL, AS_NUMBER),
	HONOURED("numjobs", NULL, AS_NUMBER),
	HONOURED("size", NULL, AS_SIZE),
	HONOURED("offset", "fileoffset", AS_SIZE),
	HONOURED("offset_increment", NULL, AS_SIZE),
	HONOURED("runtime", "timeout", AS_TIME),
	HONOURED("ramp_time", NULL, AS_TIME),
	HONOURED("rwmixread", NULL, "write a percentage without its sign"),
	HONOURED("rwmixwrite", NULL, "write a percentage without its sign"),
	HONOURED("fsync", NULL, AS_NUMBER),
	HONOURED("fdatasync", NULL, AS_NUMBER),
	HONOURED("direct", NULL, "write 0 or 1"),
	HONOURED("buffered", NULL, "write 0 or 1"),
	HONOURED("filename", NULL, "write one file or device"),
	HONOURED("ioengine", NULL, "write the engine's name"),
	{ .name = "time_based", .effect = HL_FIO_IDLE, .is_flag = true },

	/* how jobs follow each other, and threads */
	{ .name = "stonewall",
	  .alias = "wait_for_previous",
	  .effect = HL_FIO_HONOURED,
	  .is_flag = true,
	  .why = "write it alone" },
	IDLE("wait_for"),
	FLAG("new_group"),
	FLAG("exitall"),
	IDLE("exit_what"),
	FLAG("exitall_on_error"),
	FLAG("thread"),
	IDLE("startdelay"),
	IDLE("loops"),
	ALIAS("io_size", "io_limit"),
	IDLE("number_ios"),
	ALIAS("steadystate", "ss"),
	ALIAS("steadystate_duration", "ss_dur"),
	ALIAS("steadystate_ramp_time", "ss_ramp"),
	IDLE("cpumask"),
	IDLE("cpus_allowed"),
	IDLE("cpus_allowed_policy"),
	IDLE("numa_cpu_nodes"),
	IDLE("numa_mem_policy"),

	/* reports and logs */
	FLAG("group_reporting"),
	IDLE("description"),
	IDLE("stats"),
	IDLE("per_job_logs"),
	IDLE("write_bw_log"),
	IDLE("write_lat_log"),
	IDLE("write_iops_log"),
	IDLE("write_hist_log"),
	IDLE("write_iolog"),
	IDLE("bwavgtime"),
	IDLE("iopsavgtime"),
	IDLE("log_entries"),
	IDLE("log_avg_msec"),
	IDLE("log_hist_msec"),
	IDLE("log_hist_coarseness"),
	IDLE("log_max_value"),
	IDLE("log_window_value"),
	IDLE("log_offset"),
	IDLE("log_prio"),
	IDLE("log_issue_time"),
	IDLE("log_compression"),
	IDLE("log_compression_cpus"),
	IDLE("log_store_compressed"),
	IDLE("log_unix_epoch"),
	IDLE("log_alternate_epoch"),
	IDLE("log_alternate_epoch_clock_id"),
	IDLE("block_error_percentiles"),
	IDLE("clat_percentiles"),
	IDLE("lat_percentiles"),
	IDLE("slat_percentiles"),
	IDLE("percentile_list"),
	IDLE("significant_figures"),
	IDLE("disk_util"),
	IDLE("unified_rw_reporting"),
	IDLE("unit_base"),
	IDLE("gtod_reduce"),
	IDLE("gtod_cpu"),
	IDLE("disable_lat"),
	IDLE("disable_clat"),
	IDLE("disable_slat"),
	ALIAS("disable_bw_measurement", "disable_bw"),
	IDLE("clocksource"),
	ALIAS("continue_on_error", "continue_on_errors"),
	IDLE("ignore_error"),
	IDLE("error_dump"),

	/* offsets, data, memory and files, as hoploss does them anyway */
	IDLE("randrepeat"),
	IDLE("allrandrepeat"),
	IDLE("randseed"),
	FLAG("norandommap"),
	FLAG("softrandommap"),
	IDLE("random_generator"),
	IDLE("rw_sequencer"),
	FLAG("refill_buffers"),
	IDLE("scramble_buffers"),
	ALIAS("mem", "iomem"),
	ALIAS("mem_align", "iomem_align"),
	IDLE("hugepage-size"),
	IDLE("lockmem"),
	IDLE("invalidate"),
	IDLE("fadvise_hint"),
	IDLE("fallocate"),
	IDLE("overwrite"),
	IDLE("unlink"),
	IDLE("unlink_each_loop"),
	IDLE("create_serialize"),
	IDLE("create_fsync"),
	IDLE("create_on_open"),
	IDLE("allow_file_create"),
	IDLE("directory"),
	IDLE("unique_filename"),
	IDLE("filename_format"),
	IDLE("lockfile"),
	IDLE("openfiles"),
	IDLE("file_service_type"),

	/* of engines that hoploss replaces by its own */
	FLAG("fixedbufs"),
	FLAG("registerfiles"),
	FLAG("nonvectored"),
	FLAG("force_async"),
	FLAG("userspace_reap"),

	/* what changes the I/O */
	REFUSED("bsrange", NULL, SPLIT),
	REFUSED("blocksize_range", NULL, SPLIT),
	REFUSED("bssplit", NULL, SPLIT),
	REFUSED_FLAG("bs_unaligned", "its blocks would be of any size"),
	REFUSED_FLAG("blocksize_unaligned", "its blocks would be of any size"),
	REFUSED("blockalign", NULL, "hoploss aligns each I/O to its block size"),
	REFUSED("ba", NULL, "hoploss aligns each I/O to its block size"),
	REFUSED("offset_align", "0", "hoploss aligns each I/O to its block size"),
	REFUSED("random_distribution", "random", "hoploss draws offsets evenly"),
	REFUSED("percentage_random", "100 100,100 100,100,100",
		"it would mix random and sequential I/O; write one job for each"),
	REFUSED("iodepth_batch", "1", BATCHES),
	REFUSED("iodepth_batch_submit", "1", BATCHES),
	REFUSED("iodepth_batch_complete", "1", BATCHES),
	REFUSED("iodepth_batch_complete_min", "1", BATCHES),
	REFUSED("iodepth_batch_complete_max", "1", BATCHES),
	REFUSED("iodepth_low", NULL, BATCHES),
	REFUSED("io_submit_mode", "inline", BATCHES),
	REFUSED("serialize_overlap", "0", BATCHES),
	REFUSED("rate", "0", RATE),
	REFUSED("rate_min", "0", RATE),
	REFUSED("rate_iops", "0", RATE),
	REFUSED("rate_iops_min", "0", RATE),
	REFUSED("rate_process", "linear", RATE),
	IDLE("rate_cycle"),
	IDLE("rate_ignore_thinktime"),
	REFUSED("max_latency", "0", "it would end the job at the first slow I/O"),
	REFUSED("latency_target", "0", RATE),
	IDLE("latency_window"),
	IDLE("latency_percentile"),
	IDLE("latency_run"),
	REFUSED("thinktime", "0", PAUSES),
	IDLE("thinktime_spin"),
	IDLE("thinktime_blocks"),
	IDLE("thinktime_blocks_type"),
	IDLE("thinktime_iotime"),
	REFUSED("flow", "0", "it would tie the job's speed to that of others"),
	IDLE("flow_id"),
	IDLE("flow_sleep"),
	REFUSED("zonemode", "none", ZONES),
	REFUSED("zonesize", "0", ZONES),
	REFUSED("zonecapacity", "0", ZONES),
	REFUSED("zonerange", "0", ZONES),
	REFUSED("zoneskip", "0", ZONES),
	REFUSED("read_beyond_wp", "0", ZONES),
	REFUSED("max_open_zones", "0", ZONES),
	REFUSED("job_max_open_zones", "0", ZONES),
	REFUSED("ignore_zone_limits", "0", ZONES),
	REFUSED("zone_reset_threshold", NULL, ZONES),
	REFUSED("zone_reset_frequency", NULL, ZONES),
	REFUSED("read_iolog", NULL, REPLAY),
	REFUSED("read_iolog_chunked", "0", REPLAY),
	REFUSED("replay_no_stall", "0", REPLAY),
	REFUSED("replay_redirect", NULL, REPLAY),
	REFUSED("replay_scale", NULL, REPLAY),
	REFUSED("replay_align", "0", REPLAY),
	REFUSED("replay_time_scale", "100", REPLAY),
	REFUSED("replay_skip", NULL, REPLAY),
	REFUSED("merge_blktrace_file", NULL, REPLAY),
	REFUSED("merge_blktrace_scalars", NULL, REPLAY),
	REFUSED("merge_blktrace_iters", NULL, REPLAY),
	REFUSED("verify", "0", "hoploss measures and verifies nothing"),
	REFUSED_FLAG("verify_only", "hoploss measures and verifies nothing"),
	IDLE("do_verify"),
	IDLE("verify_interval"),
	IDLE("verify_offset"),
	IDLE("verify_pattern"),
	IDLE("verify_fatal"),
	IDLE("verify_dump"),
	IDLE("verify_async"),
	IDLE("verify_async_cpus"),
	IDLE("verify_backlog"),
	IDLE("verify_backlog_batch"),
	IDLE("verify_state_load"),
	IDLE("verify_state_save"),
	IDLE("experimental_verify"),
	REFUSED("trim_percentage", "0", "hoploss trims nothing"),
	IDLE("trim_verify_zero"),
	IDLE("trim_backlog"),
	IDLE("trim_backlog_batch"),
	REFUSED_FLAG("zero_buffers", DATA),
	REFUSED("buffer_pattern", NULL, DATA),
	REFUSED("buffer_compress_percentage", "0", DATA),
	REFUSED("buffer_compress_chunk", "512", DATA),
	REFUSED("dedupe_percentage", "0", DATA),
	REFUSED("dedupe_mode", "repeat", DATA),
	REFUSED("dedupe_working_set_percentage", "5", DATA),
	REFUSED("dedupe_global", "0", DATA),
	WRITERS("end_fsync", "0", "hoploss syncs every n writes (fsync=, fdatasync=) or never"),
	WRITERS("fsync_on_close", "0",
		"hoploss syncs every n writes (fsync=, fdatasync=) or never"),
	WRITERS("sync", "0 none", "hoploss opens without O_SYNC: say fsync=1 or fdatasync=1"),
	WRITERS("write_barrier", "0", "say fsync= or fdatasync="),
	WRITERS("sync_file_range", NULL, "say fsync= or fdatasync="),
	WRITERS("write_hint", "none", "hoploss writes without a hint"),
	WRITERS("atomic", "0", "hoploss makes no atomic writes"),
	REFUSED("nrfiles", "1", FILES),
	REFUSED("nr_files", "1", FILES),
	REFUSED("opendir", NULL, FILES),
	REFUSED("filesize", NULL, "say size= of the job, or \"size =\" of the hop"),
	REFUSED("fill_device", "0", "hoploss fills no device"),
	REFUSED("fill_fs", "0", "hoploss fills no device"),
	REFUSED("file_append", "0", "hoploss makes no file longer"),
	REFUSED("create_only", "0", "hoploss makes no files for a job"),
	REFUSED("allow_mounted_write", "0", "hoploss never writes to what is mounted"),
	REFUSED("pre_read", "0", "it would read all of the file into the page cache first"),
	REFUSED("kb_base", "1024", "it would change what 4k means: write sizes in bytes"),
	REFUSED("nice", "0", PRIORITY),
	REFUSED("prio", NULL, PRIORITY),
	REFUSED("prioclass", NULL, PRIORITY),
	REFUSED("cmdprio_percentage", "0", PRIORITY),
	REFUSED("cmdprio_class", NULL, PRIORITY),
	REFUSED("cmdprio_bssplit", NULL, PRIORITY),
	REFUSED_FLAG("hipri", POLLED),
	REFUSED("hipri_percentage", "0", POLLED),
	REFUSED_FLAG("sqthread_poll", POLLED),
	REFUSED("sqthread_poll_cpu", NULL, POLLED),
	REFUSED("nowait", "0", "it would drop I/Os that have to wait"),
	REFUSED("uncached", "0", "it would go round the page cache half-way"),
	REFUSED("exec_prerun", NULL, COMMANDS),
	REFUSED("exec_postrun", NULL, COMMANDS),
	REFUSED("ioscheduler", NULL, "hoploss changes no setting of a device"),
	REFUSED("profile", NULL, "hoploss has suites instead: see \"hoploss workloads\""),
	REFUSED("cgroup", NULL, GROUPS),
	REFUSED("cgroup_weight", NULL, GROUPS),
	IDLE("cgroup_nodelete"),
	REFUSED("uid", NULL, GROUPS),
	REFUSED("gid", NULL, GROUPS),

	/* of the program */
	PROGRAM("output"),
	PROGRAM("output-format"),
	PROGRAM_FLAG("minimal"),
	PROGRAM_FLAG("append-terse"),
	PROGRAM("terse-version"),
	PROGRAM_FLAG("bandwidth-log"),
	PROGRAM("eta"),
	PROGRAM("eta-newline"),
	PROGRAM("eta-interval"),
	PROGRAM("status-interval"),
	PROGRAM_FLAG("readonly"),
	PROGRAM_FLAG("warnings-fatal"),
	PROGRAM("alloc-size"),
	PROGRAM("max-jobs"),
	PROGRAM("idle-prof"),
	PROGRAM("aux-path"),
	PROGRAM("debug"),
	NO_PROGRAM("section", "hoploss runs every section: take the others out of the file"),
	NO_PROGRAM("parse-only", "say --dry-run before \"--\""),
	NO_PROGRAM("showcmd", "say --dry-run before \"--\""),
	NO_PROGRAM("help", "\"hoploss help run\" says what can stand here"),
	NO_PROGRAM("version", "say \"hoploss version\""),
	NO_PROGRAM("cmdhelp", "ask fio itself"),
	NO_PROGRAM("enghelp", "ask fio itself"),
	NO_PROGRAM("crctest", "ask fio itself"),
	NO_PROGRAM("cpuclock-test", "ask fio itself"),
	NO_PROGRAM("inflate-log", "ask fio itself"),
	NO_PROGRAM("merge-blktrace-only", REPLAY),
	NO_PROGRAM("server", NETWORK),
	NO_PROGRAM("client", NETWORK),
	NO_PROGRAM("daemonize", NETWORK),
	NO_PROGRAM("remote-config", NETWORK),
	NO_PROGRAM("trigger", COMMANDS),
	NO_PROGRAM("trigger-remote", COMMANDS),
	NO_PROGRAM("trigger-file", COMMANDS),
	NO_PROGRAM("trigger-timeout", COMMANDS),
};

const struct hl_fio_option *hl_fio_option_find(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct hl_fio_option *option = &options[i];

		if (!strcmp(option->name, name) || (option->alias && !strcmp(option->alias, name)))
			return option;
	}
	return NULL;
}

const struct hl_fio_option *hl_fio_option_at(size_t index)
{
	return index < sizeof(options) / sizeof(*options) ? &options[index] : NULL;
}

bool hl_fio_option_is_neutral(const struct hl_fio_option *option, const char *value)
{
	const char *at = option->neutral;
	size_t len = value ? strlen(value) : 0;

	while (at && len && (at = strstr(at, value))) {
		if ((at == option->neutral || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
		at += len;
	}
	return false;
}
