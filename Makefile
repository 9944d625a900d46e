# SPDX-License-Identifier: GPL-3.0-or-later
# hoploss: "make help" lists the targets.

B ?= build
CC ?= cc
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
PKGS = jansson inih gsl liburing libiscsi libnl-3.0 libnl-route-3.0 libnl-genl-3.0 nettle blkid
# Not in the static file: stubs in src/agent/static stand for the files that use them.
HOST_PKGS = libpci libvirt libxml-2.0
# pkg-config is asked when a recipe runs, not when this is read: "make demo" may install it first
HL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wvla -fno-strict-aliasing -MMD -MP \
	$(if $(filter true,$(CI)),-Werror) $(shell pkg-config --cflags $(PKGS) $(HOST_PKGS))
LIBS = $(shell pkg-config --libs $(PKGS) $(HOST_PKGS)) -lnvme -lsensors -lm -pthread

ifeq ($(V),1)
Q =
say = @:
else
Q = @
say = @echo
endif

sources = $(shell find $(1) -name '$(2)' 2>/dev/null | LC_ALL=C sort)
STATIC_SRC = $(call sources,src/agent/static,*.c)
LIB_SRC = $(filter-out src/main.c $(STATIC_SRC),$(call sources,src probes reports,*.c))
SPECS = $(call sources,probes/specs,*.conf)
LIB_OBJ = $(LIB_SRC:%.c=$(B)/%.o) $(B)/specs.o
UNIT_SRC = $(call sources,tests/unit,test_*.c)
UNIT_BIN = $(UNIT_SRC:%.c=$(B)/%)
FUZZ_SRC = $(call sources,tests/fuzz,fuzz_*.c)
STATIC_OBJ = $(STATIC_SRC:%.c=$(B)/%.o)
OBJ = $(LIB_OBJ) $(STATIC_OBJ) $(B)/src/main.o $(UNIT_BIN:%=%.o) $(FUZZ_SRC:%.c=$(B)/%.o) \
	$(patsubst %.c,$(B)/%.o,$(call sources,tests/bench,*.c))

all: $(B)/hoploss ## build the program

$(B)/hoploss: $(B)/src/main.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/libhoploss.a: $(LIB_OBJ) $(B)/objects
	$(say) "  AR    $@"
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_OBJ)

$(B)/%.o: %.c
	$(say) "  CC    $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(HL_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# One static file for hosts where nothing can be installed; it is "hoploss worker" that is wanted of
# it. libiscsi's archive wants the RDMA libraries.
STATIC_LIBS = -Wl,--start-group $(shell pkg-config --static --libs $(PKGS)) \
	-lnvme -lsensors -lrdmacm -libverbs -Wl,--end-group -lm -pthread
agent: $(B)/agent/hoploss ## link the program as one static file, for a TrueNAS or a container

$(B)/agent/hoploss: $(B)/src/main.o $(STATIC_OBJ) $(B)/libhoploss.a
	$(say) "  LD    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) -static -s $(CFLAGS) $(LDFLAGS) -o $@ $^ $(STATIC_LIBS) 2>$@.log || { cat $@.log; false; }

# The datasheets, compiled in.
$(B)/specs.c: $(SPECS) probes/specs/embed Makefile
	$(say) "  GEN   $@"
	@mkdir -p $(@D)
	$(Q)LC_ALL=C probes/specs/embed $(SPECS) >$@.new && mv $@.new $@

$(B)/specs.o: $(B)/specs.c
	$(say) "  CC    $<"
	$(Q)$(CC) $(HL_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

# A source that is gone must leave the library too.
$(B)/objects: FORCE
	@mkdir -p $(@D)
	@echo $(LIB_OBJ) | cmp -s - $@ || echo $(LIB_OBJ) >$@

.SECONDARY:
-include $(OBJ:.o=.d)

# These goals work on a bare machine: what is missing is installed before anything is compiled.
wants = $(filter $(1),$(MAKECMDGOALS))
ifneq ($(call wants,agent bench check% demo faults fuzz lab lint unit),)
$(OBJ): | deps
endif

DEPS = build $(if $(call wants,deps check% unit bench faults lab),test) $(if $(call wants,lab),lab) \
	$(if $(call wants,deps demo check% unit bench faults),demo) \
	$(if $(call wants,lint format fuzz check-valgrind),lint)
deps: ## install the packages that are missing (DEPS="build test lint": the sections)
	@.ci/deps $(DEPS)

# ---- tests ----

export HOPLOSS = $(abspath $(B)/hoploss)
CLI_TESTS = $(call sources,tests/cli,*.sh)
TESTS = tests/disks/hostile tests/disks/held $(UNIT_BIN) $(CLI_TESTS) tests/hosts/run tests/schema/run tests/rooms \
	$(if $(HOPLOSS_CORPUS),tests/corpus)

check: all $(UNIT_BIN) $(B)/tests/iscsi/writer $(B)/tests/canned/nvme.so ## run all tests; HOPLOSS_CORPUS=DIR: real inputs with a check-cases too
	$(Q)tests/run $(TESTS)

unit: $(UNIT_BIN) ## run the unit tests only
	$(Q)tests/run $(UNIT_BIN)

SAN = -fno-sanitize-recover=all -fno-omit-frame-pointer
check-asan: ## run all tests with address and undefined behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory B=build/asan CFLAGS="-O1 -g -fsanitize=address,undefined $(SAN)" \
		LDFLAGS=-fsanitize=address,undefined check

THREADED = slot agent plan
check-tsan: ## run the tests of what has threads with the thread sanitizer
	$(Q)$(MAKE) --no-print-directory B=build/tsan CFLAGS="-O1 -g -fsanitize=thread $(SAN)" \
		LDFLAGS=-fsanitize=thread UNIT_SRC="$(THREADED:%=tests/unit/test_%.c)" all unit

VALGRIND = valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible
# A worker is started as this program is, and under valgrind that is valgrind.
WORKERLESS = $(shell grep -LE 'run "?[0-9 ]+"? (run|mark|demo|clean|worker|capture|probes|discover|accept)\b|HOPLOSS" (run|mark|demo|worker|capture|probes|discover|accept)|tests/iscsi/lib|lib-demo|agent' \
	$(CLI_TESTS))
check-valgrind: all $(UNIT_BIN) ## run the unit and command line tests under valgrind
	$(Q)printf '#!/bin/sh\nexec $(VALGRIND) $(HOPLOSS) "$$@"\n' >$(B)/under-valgrind
	$(Q)chmod +x $(B)/under-valgrind
	$(Q)WRAP="$(VALGRIND)" HOPLOSS=$(abspath $(B)/under-valgrind) tests/run -t 600 $(UNIT_BIN) $(WORKERLESS)

golden: all ## rewrite the expected reports of tests/hosts; read the diff like code
	$(Q)tests/hosts/run --golden

FUZZ_TIME ?= 10
FUZZ_BIN = $(FUZZ_SRC:%.c=build/fuzz/%)
fuzz: deps ## run each fuzz target for FUZZ_TIME seconds
	$(Q)$(MAKE) --no-print-directory B=build/fuzz CC=clang \
		CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined $(SAN)" $(FUZZ_BIN)
	$(Q)FUZZ_TIME=$(FUZZ_TIME) tests/fuzz/run $(FUZZ_BIN)

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)

demo: all ## make a whole path on this machine, measure it, name what binds it (DEMO="--time 20s")
	$(Q)$(HOPLOSS) demo $(DEMO)

KILLS ?= 50
faults: all ## kill the demo at KILLS random moments and look for what is left (root)
	$(Q)printf '#!/bin/sh\nexec tests/faults/demo-is-killed $(KILLS) 25\n' >$(B)/demo-is-killed
	$(Q)chmod +x $(B)/demo-is-killed
	$(Q)tests/run -t 7200 $(B)/demo-is-killed

LAB = accept chain holders sriov suspended
lab: agent ## run the tests that want a machine of their own, in a QEMU guest (LAB="holders"; see tests/lab)
	$(Q)tests/lab/build
	$(Q)tests/run -j 1 -t 3600 -v $(wildcard $(LAB:%=tests/lab/%))

bench: all $(B)/tests/bench/import $(B)/tests/bench/engine ## print speed and memory; fio is compared with
	$(Q)tests/bench/run $(B)/bench $(B)/tests/bench/import
	$(Q)tests/bench/engines $(B)/tests/bench/engine $(B)/bench

$(B)/tests/iscsi/writer: $(B)/tests/iscsi/writer.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/canned/%.so: tests/canned/%.c
	$(say) "  LD    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -g -O1 -fPIC -shared -o $@ $< -ldl

$(B)/tests/bench/%: $(B)/tests/bench/%.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

lint: deps ## check format, clang-tidy, shellcheck and the rules of the rooms
	$(Q)TIDY_FLAGS="$(filter-out -MMD -MP,$(HL_CFLAGS))" tests/run -t 1800 tests/rooms tests/lint

format: deps ## let clang-format rewrite the sources
	$(Q)clang-format -i $(call sources,include src probes reports tests,*.[ch])

# ---- installation ----

BIN = $(DESTDIR)$(PREFIX)/bin/hoploss
MAN = $(DESTDIR)$(PREFIX)/share/man/man1/hoploss.1
COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/hoploss

install: all ## install program, man page and shell completion (PREFIX, DESTDIR)
	$(HOPLOSS) help --man >$(B)/hoploss.1
	$(HOPLOSS) help --completion bash >$(B)/hoploss.bash
	install -D -m 755 $(B)/hoploss $(BIN)
	install -D -m 644 $(B)/hoploss.1 $(MAN)
	install -D -m 644 $(B)/hoploss.bash $(COMPLETION)

uninstall: ## remove what install put there
	rm -f $(BIN) $(MAN) $(COMPLETION)

clean: ## remove all that was built
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

.PHONY: FORCE agent all bench check check-asan check-tsan check-valgrind clean demo deps faults \
	format fuzz golden help install lab lint uninstall unit
