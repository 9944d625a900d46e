/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One slot, in a child process. What sleeps in the kernel cannot be killed, so the coordinator
 * never waits for a child longer than its deadline: it kills it, waits a second more, and abandons
 * it.
 *
 * Everything that goes back and forth is in one piece of shared memory, made before the fork: the
 * stop flag, live counters and, at the end, the outcome with its histograms. The child holds the
 * write end of a pipe; its closing is how the parent sees the end, whatever ended it.
 */
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS       100
#define KILL_PATIENCE 1000 /* ms between SIGKILL and giving up */
#define MAX_WORKERS   4096
#define NS_PER_S      1e9

/* Counted by all workers together; filled by the child when it is done. */
struct outcome {
	struct hl_error err;
	int rc;
	uint64_t ios[HL_NR_IOS], bytes[HL_NR_IOS];
	uint64_t from_ns, before_ns, last_ns, cpu_ns, laps;
	bool is_complete;
};

struct shared {
	atomic_bool stop;
	struct outcome outcome;
	struct hl_hist *hists[HL_NR_IOS + 1]; /* behind this struct, at the same address in both */
	unsigned nr_workers;
	struct hl_live live[];
};

struct thread {
	const struct hl_engine *engine;
	struct hl_worker worker;
	struct hl_error err;
	int rc;
	pthread_t id;
};

static unsigned nr_workers_of(const struct hl_engine *engine, const struct hl_job *job)
{
	double lanes = engine->is_one_deep ? job->workload.iodepth : 1;

	return (unsigned)(job->workload.numjobs * lanes) * (1 + job->nr_more_fds);
}

static size_t shared_size(unsigned nr_workers)
{
	size_t head = sizeof(struct shared) + nr_workers * sizeof(struct hl_live);

	return (head + 63) / 64 * 64;
}

static struct shared *shared_new(unsigned nr_workers)
{
	size_t head = shared_size(nr_workers);
	size_t size = head + (HL_NR_IOS + 1) * hl_hist_size();
	struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				     -1, 0);

	if (shared == MAP_FAILED)
		return hl_alloc(SIZE_MAX);
	shared->nr_workers = nr_workers;
	for (int i = 0; i <= HL_NR_IOS; i++)
		shared->hists[i] = hl_hist_place((char *)shared + head + i * hl_hist_size());
	return shared;
}

static void shared_free(struct shared *shared)
{
	munmap(shared, shared_size(shared->nr_workers) + (HL_NR_IOS + 1) * hl_hist_size());
}

/* ---- in the child ---- */

static uint64_t thread_cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

static void *thread_run(void *context)
{
	struct thread *thread = context;
	struct hl_worker *worker = &thread->worker;

	thread->rc = thread->engine->run(worker, &thread->err);
	worker->cpu_ns = thread_cpu_ns();
	if (thread->rc < 0)
		atomic_store(worker->stop, true);
	return NULL;
}

static int thread_prepare(struct thread *thread, const struct hl_engine *engine,
			  const struct hl_job *job, struct shared *shared, unsigned index,
			  _Atomic uint64_t *cursors)
{
	/* drives first, so that each has every job: its cursor is that of drive and job */
	unsigned nr_drives = 1 + job->nr_more_fds, drive = index % nr_drives;
	unsigned job_index = index / nr_drives % (unsigned)job->workload.numjobs;
	struct hl_worker *worker = &thread->worker;

	thread->engine = engine;
	*worker = (struct hl_worker){
		.job = job,
		.fd = drive ? job->more_fds[drive - 1] : job->fd,
		.index = index,
		.live = &shared->live[index],
		.stop = &shared->stop,
		.submission = hl_hist_new(),
	};
	if (job->max_bw > 0)
		worker->pace_ns = job->workload.bs * shared->nr_workers / job->max_bw * NS_PER_S;
	for (int i = 0; i < HL_NR_IOS; i++)
		worker->latency[i] = hl_hist_new();
	return hl_walk_init(&worker->walk, job, job_index, index,
			    &cursors[job_index * nr_drives + drive], &thread->err);
}

static void merge(struct shared *shared, const struct thread *thread)
{
	const struct hl_worker *worker = &thread->worker;
	struct outcome *outcome = &shared->outcome;

	for (int i = 0; i < HL_NR_IOS; i++) {
		outcome->ios[i] += worker->ios[i];
		outcome->bytes[i] += worker->bytes[i];
		hl_hist_merge(shared->hists[i], worker->latency[i]);
	}
	hl_hist_merge(shared->hists[HL_NR_IOS], worker->submission);
	if (worker->last_ns && (!outcome->from_ns || worker->count_from_ns < outcome->from_ns))
		outcome->from_ns = worker->count_from_ns;
	if (worker->before_ns > outcome->before_ns)
		outcome->before_ns = worker->before_ns;
	if (worker->last_ns > outcome->last_ns)
		outcome->last_ns = worker->last_ns;
	outcome->cpu_ns += worker->cpu_ns;
	if (thread->rc < 0 && outcome->rc == 0) {
		outcome->rc = thread->rc;
		outcome->err = thread->err;
	}
}

static int threads_start(struct thread *threads, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		int code = pthread_create(&threads[i].id, NULL, thread_run, &threads[i]);

		if (code == 0)
			continue;
		atomic_store(threads[i].worker.stop, true);
		threads[i].rc = hl_fail(&threads[i].err, code, "thread %u of %u: %s", i + 1, nr,
					strerror(code));
		return (int)i;
	}
	return (int)nr;
}

static void child_run(const struct hl_engine *engine, const struct hl_job *job,
		      struct shared *shared)
{
	unsigned nr = shared->nr_workers;
	unsigned nr_cursors = (unsigned)job->workload.numjobs * (1 + job->nr_more_fds);
	_Atomic uint64_t *cursors = hl_alloc(nr_cursors * sizeof(*cursors));
	struct thread *threads = hl_alloc(nr * sizeof(*threads));
	int nr_started = 0;

	for (unsigned i = 0; i < nr; i++)
		threads[i].rc = thread_prepare(&threads[i], engine, job, shared, i, cursors);
	if (threads[nr - 1].rc == 0)
		nr_started = threads_start(threads, nr);
	for (int i = 0; i < nr_started; i++)
		pthread_join(threads[i].id, NULL);
	for (unsigned i = 0; i < nr; i++)
		merge(shared, &threads[i]);
	for (unsigned i = 0; nr_started && i < nr_cursors; i++)
		shared->outcome.laps += cursors[i] / threads[i].worker.walk.nr_blocks;
	shared->outcome.is_complete = true;
}

/* ---- in the parent ---- */

static uint64_t live_bytes(const struct shared *shared)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < shared->nr_workers; i++)
		bytes += atomic_load_explicit(&shared->live[i].bytes, memory_order_relaxed);
	return bytes;
}

static void add_up(const struct shared *shared, struct hl_tally *tally)
{
	*tally = (struct hl_tally){ 0 };
	for (unsigned i = 0; i < shared->nr_workers; i++) {
		const struct hl_live *live = &shared->live[i];

		for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
			tally->ios[io] += (double)atomic_load_explicit(&live->all[io],
								       memory_order_relaxed);
			tally->ms[io] += (double)atomic_load_explicit(&live->all_ns[io],
								      memory_order_relaxed) /
					 1e6;
		}
	}
}

/* Waits up to timeout for the child's end of the pipe to close. */
static bool has_ended(int fd, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, timeout_ms) > 0;
}

struct watching {
	struct shared *shared;
	struct hl_slot *slot;
	struct hl_tally *tally; /* of the job */
	hl_slot_watch *watch;
	void *context;
	uint64_t start_ns, tick_ns, tick_bytes;
	double seconds; /* of the slot, with its warm-up */
	bool is_stopped;
};

static void tick(struct watching *watching)
{
	uint64_t now = hl_clock_ns(), bytes = live_bytes(watching->shared);
	double passed = (double)(now - watching->tick_ns) / NS_PER_S;
	double rate = (double)(bytes - watching->tick_bytes) / passed;
	double done = (double)(now - watching->start_ns) / NS_PER_S / watching->seconds;
	struct hl_slot *slot = watching->slot;

	slot->timeline = hl_grow(slot->timeline, slot->nr_timeline + 1, sizeof(*slot->timeline));
	slot->timeline[slot->nr_timeline++] = rate;
	watching->tick_ns = now;
	watching->tick_bytes = bytes;
	if (watching->tally)
		add_up(watching->shared, watching->tally);
	if (!watching->watch || !watching->watch(watching->context, fmin(done, 1), rate))
		return;
	watching->is_stopped = true;
	atomic_store(&watching->shared->stop, true);
}

/* Until the child is done or past its deadline. */
static int watch_child(struct watching *watching, pid_t pid, int fd, double grace,
		       const char *target, struct hl_error *err)
{
	uint64_t deadline = watching->start_ns + (uint64_t)((watching->seconds + grace) * NS_PER_S);

	while (!has_ended(fd, TICK_MS)) {
		if (hl_clock_ns() < deadline) {
			tick(watching);
			continue;
		}
		kill(pid, SIGKILL);
		if (has_ended(fd, KILL_PATIENCE)) {
			waitpid(pid, NULL, 0);
			return hl_fail(err, ETIMEDOUT,
				       "%s: no answer %.0f s after the slot's end: given up",
				       target, grace);
		}
		return hl_fail(
			err, ETIMEDOUT,
			"%s: process %d sleeps in the kernel and cannot be killed: abandoned",
			target, (int)pid);
	}
	return 0;
}

/*
 * From completion to completion: a time that begins between two of them is too short for the I/Os
 * in it by half of what lies between two, 1 % or 2 % in a slot of 30 I/Os.
 */
static double seconds_of(const struct outcome *outcome)
{
	uint64_t from_ns = outcome->before_ns ? outcome->before_ns : outcome->from_ns;

	return outcome->last_ns ? (double)(outcome->last_ns - from_ns) / NS_PER_S : 0;
}

static int collect(struct shared *shared, struct hl_slot *slot, struct hl_error *err)
{
	const struct outcome *outcome = &shared->outcome;

	for (int i = 0; i < HL_NR_IOS; i++) {
		slot->ios[i] = outcome->ios[i];
		slot->bytes[i] = outcome->bytes[i];
		if (!outcome->ios[i])
			continue;
		slot->latency[i] = hl_hist_new();
		hl_hist_merge(slot->latency[i], shared->hists[i]);
	}
	slot->submission = hl_hist_new();
	hl_hist_merge(slot->submission, shared->hists[HL_NR_IOS]);
	slot->seconds = seconds_of(outcome);
	slot->cpu_seconds = (double)outcome->cpu_ns / NS_PER_S;
	slot->laps = outcome->laps;
	if (outcome->rc < 0 && err)
		*err = outcome->err;
	return outcome->rc;
}

static int check_end(pid_t pid, const struct shared *shared, const char *target,
		     struct hl_error *err)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return hl_fail(err, ECHILD, "%s: the engine was ended by signal %d", target,
			       WTERMSIG(status));
	if (!shared->outcome.is_complete)
		return hl_fail(err, ECHILD, "%s: the engine ended early, exit code %d", target,
			       WEXITSTATUS(status));
	return 0;
}

static int check_job(const struct hl_engine *engine, const struct hl_job *job, struct hl_error *err)
{
	const struct hl_workload *workload = &job->workload;

	if (!(workload->bs >= 1) || !(workload->iodepth >= 1) || !(workload->numjobs >= 1))
		return hl_fail(err, EINVAL, "%s: block size, iodepth and numjobs must be known",
			       job->target);
	if (nr_workers_of(engine, job) > MAX_WORKERS)
		return hl_fail(err, EINVAL, "%s: %u threads are too many (at most %u)", job->target,
			       nr_workers_of(engine, job), MAX_WORKERS);
	if (hl_rw_writes(workload->rw) && !job->may_write)
		return hl_fail(err, EPERM, "%s: not given away for writing", job->target);
	return engine->check ? engine->check(err) : 0;
}

static pid_t spawn(const struct hl_engine *engine, const struct hl_job *job, struct shared *shared,
		   int *ret_fd, struct hl_error *err)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return hl_fail(err, errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return hl_fail(err, errno, "fork: %s", strerror(errno));
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_IGN); /* the coordinator decides what Ctrl-C means */
		close(ends[0]);
		child_run(engine, job, shared);
		_exit(0);
	}
	close(ends[1]);
	*ret_fd = ends[0];
	return pid;
}

int hl_slot_run(const struct hl_engine *engine, const struct hl_job *job, double grace,
		hl_slot_watch *watch, void *context, struct hl_slot *ret_slot, struct hl_error *err)
{
	struct hl_slot slot = { .engine = engine };
	struct watching watching;
	struct shared *shared;
	HL_CLOSE int fd = -1;
	pid_t pid;
	int rc = check_job(engine, job, err);

	if (rc < 0)
		return rc;
	shared = shared_new(nr_workers_of(engine, job));
	pid = spawn(engine, job, shared, &fd, err);
	watching = (struct watching){
		.shared = shared,
		.slot = &slot,
		.tally = job->tally,
		.watch = watch,
		.context = context,
		.start_ns = hl_clock_ns(),
		.tick_ns = hl_clock_ns(),
		.seconds = job->warmup + job->seconds,
	};
	rc = pid < 0 ? (int)pid : watch_child(&watching, pid, fd, grace, job->target, err);
	if (rc == 0)
		rc = check_end(pid, shared, job->target, err);
	if (rc == 0 && job->tally)
		add_up(shared, job->tally);
	if (rc == 0)
		rc = collect(shared, &slot, err);
	shared_free(shared);
	if (rc == 0 && watching.is_stopped)
		rc = hl_fail(err, EINTR, "%s: stopped", job->target);
	if (rc < 0) {
		hl_slot_free(&slot);
		return rc;
	}
	*ret_slot = slot;
	return 0;
}

void hl_slot_free(struct hl_slot *slot)
{
	for (int i = 0; i < HL_NR_IOS; i++)
		hl_hist_free(slot->latency[i]);
	hl_hist_free(slot->submission);
	free(slot->timeline);
}
