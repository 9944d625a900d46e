/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job files and command lines of fio: see hoploss/fio_jobs.h.
 *
 * Surprising, after fio's init.c: a job inherits what [global] has said so far, and not the job
 * before it; on a command line everything before the first --name is global. A second [global]
 * adds to the first. '#' and ';' begin a comment anywhere in a line of a job file.
 */
#include "fio_job.h"
#include "hoploss/file.h"
#include "hoploss/fio_table.h"
#include "hoploss/ini.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define GLOBAL   "global"
#define FILE_MAX (1UL << 20)

struct reader {
	struct hl_fio_jobs *jobs;
	struct fio_draft global;
	struct fio_draft *drafts;
	size_t nr_drafts;
	struct fio_draft *current; /* NULL before the first section */
};

void hl_fio_jobs_init(struct hl_fio_jobs *jobs, struct hl_arena *arena)
{
	*jobs = (struct hl_fio_jobs){ .arena = arena };
}

static void reader_init(struct reader *reader, struct hl_fio_jobs *jobs)
{
	*reader = (struct reader){ .jobs = jobs };
	fio_draft_init(&reader->global);
}

static void begin(struct reader *reader, const char *name, unsigned line)
{
	struct hl_arena *arena = reader->jobs->arena;

	if (!strncmp(name, GLOBAL, strlen(GLOBAL))) {
		reader->current = &reader->global;
		return;
	}
	reader->drafts = hl_arena_extend(arena, reader->drafts, reader->nr_drafts,
					 sizeof(*reader->drafts));
	reader->current = &reader->drafts[reader->nr_drafts++];
	*reader->current = reader->global;
	reader->current->name = hl_arena_strdup(arena, name);
	reader->current->line = line;
}

/* ---- job files ---- */

static int take(void *to, const struct hl_ini_item *item, struct hl_error *err)
{
	struct reader *reader = to;
	const struct hl_fio_option *option = item->key ? hl_fio_option_find(item->key) : NULL;

	if (!item->key) {
		begin(reader, item->section, item->line);
		return 0;
	}
	if (!strncmp(item->key, "include", 7) || item->key[0] == '%')
		return hl_fail(err, EINVAL, "%s: other files are not read in: put their lines here",
			       item->key);
	if (!reader->current)
		return hl_fail(err, EINVAL, "%s stands before the first [section]", item->key);
	if (option && option->is_program)
		return hl_fail(err, EINVAL,
			       "%s is an option of fio's command line, not of a job file: take "
			       "it out",
			       item->key);
	return fio_draft_set(reader->jobs, reader->current, item->key, item->value, err);
}

int hl_fio_jobs_add_text(struct hl_fio_jobs *jobs, const char *name, const char *bytes, size_t len,
			 struct hl_error *err)
{
	struct reader reader;
	struct hl_error why;
	int rc;

	reader_init(&reader, jobs);
	rc = hl_ini_read_as(HL_INI_JOBS, name, bytes, len, take, &reader, err);
	if (rc == 0 && !reader.nr_drafts)
		rc = hl_fail(err, EINVAL, "%s: no job in it: a job begins with [NAME]", name);
	for (size_t i = 0; rc == 0 && i < reader.nr_drafts; i++) {
		if (fio_draft_finish(jobs, &reader.drafts[i], &why) < 0)
			rc = hl_fail(err, why.code, "%s:%u: job %s: %s", name,
				     reader.drafts[i].line, reader.drafts[i].name, why.text);
	}
	return rc;
}

int hl_fio_jobs_add_file(struct hl_fio_jobs *jobs, const char *path, struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	size_t len;
	int rc = hl_file_read_at(AT_FDCWD, path, FILE_MAX, &bytes, &len);

	if (rc < 0)
		return hl_fail(err, -rc, "job file %s: %s", path, strerror(-rc));
	return hl_fio_jobs_add_text(jobs, path, bytes, len, err);
}

/* ---- command lines ---- */

struct words {
	const char *const *at;
	size_t nr_left, number; /* of the word that was taken, from 1 */
};

static const char *next_word(struct words *words)
{
	words->nr_left--;
	words->number++;
	return *words->at++;
}

/* "--name=x", "-name=x", "--name x", "--direct": the name is cut off into ret_name. */
static const char *split_option(struct words *words, const char *word, struct hl_arena *arena,
				const char **ret_name)
{
	const char *start = word + strspn(word, "-"), *equals = strchr(start, '=');
	const struct hl_fio_option *option;

	if (equals) {
		*ret_name = hl_arena_strndup(arena, start, (size_t)(equals - start));
		return equals + 1;
	}
	*ret_name = start;
	option = hl_fio_option_find(start);
	if (option && !option->is_flag && words->nr_left && (*words->at)[0] != '-')
		return next_word(words);
	return NULL;
}

static int add_option(struct reader *reader, struct words *words, const char *word,
		      struct hl_error *err)
{
	const char *name, *value = split_option(words, word, reader->jobs->arena, &name);

	if (!strcmp(name, "name") && value && *value) {
		begin(reader, value, 0);
		return 0;
	}
	if (!reader->current)
		reader->current = &reader->global;
	return fio_draft_set(reader->jobs, reader->current, name, value, err);
}

static int add_word(struct reader *reader, struct words *words, struct hl_error *err)
{
	const char *word = next_word(words);
	size_t number = words->number;
	struct hl_error why;

	if (number == 1 && !strcmp(word, "fio"))
		return 0;
	if (word[0] != '-')
		return hl_fio_jobs_add_file(reader->jobs, word, err);
	if (!add_option(reader, words, word, &why))
		return 0;
	return hl_fail(err, why.code, "word %zu of the fio command line, %s: %s", number, word,
		       why.text);
}

int hl_fio_jobs_add_words(struct hl_fio_jobs *jobs, const char *const *words, size_t nr,
			  struct hl_error *err)
{
	struct words left = { .at = words, .nr_left = nr };
	size_t nr_before = jobs->nr_jobs;
	struct reader reader;
	struct hl_error why;
	int rc = 0;

	reader_init(&reader, jobs);
	while (rc == 0 && left.nr_left)
		rc = add_word(&reader, &left, err);
	for (size_t i = 0; rc == 0 && i < reader.nr_drafts; i++) {
		if (fio_draft_finish(jobs, &reader.drafts[i], &why) < 0)
			rc = hl_fail(err, why.code, "the fio command line, job %s: %s",
				     reader.drafts[i].name, why.text);
	}
	if (rc == 0 && jobs->nr_jobs == nr_before)
		rc = hl_fail(err, EINVAL,
			     "no job on the fio command line: a job begins with --name=NAME");
	return rc;
}

/* ---- notes ---- */

static void note(struct hl_fio_jobs *jobs, const char *text)
{
	jobs->notes = hl_arena_extend(jobs->arena, jobs->notes, jobs->nr_notes,
				      sizeof(*jobs->notes));
	jobs->notes[jobs->nr_notes++] = text;
}

static void note_idle(struct hl_fio_jobs *jobs)
{
	const char *list = "";

	for (size_t i = 0; i < jobs->nr_idle; i++)
		list = hl_arena_printf(jobs->arena, "%s%s%s", list, i ? ", " : "", jobs->idle[i]);
	if (jobs->nr_idle)
		note(jobs,
		     hl_arena_printf(jobs->arena, "options of fio without effect here: %s", list));
}

void hl_fio_jobs_conclude(struct hl_fio_jobs *jobs)
{
	note_idle(jobs);
	if (jobs->has_runtime)
		note(jobs, "fio's runtime is not a slot's: all rounds share the time of the run, "
			   "and a job goes round its region until its slot ends");
	if (jobs->is_parallel)
		note(jobs, "fio runs jobs without stonewall at the same time; here they ran one "
			   "after another");
	if (jobs->is_spread)
		note(jobs, "fio starts all sequential processes of a job at one place; here each "
			   "had a part of its own");
}
