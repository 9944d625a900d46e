# SPDX-License-Identifier: GPL-3.0-or-later
# hoploss: "make help" lists the targets.

B ?= build
CC ?= cc
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
PKGS = jansson inih gsl
# pkg-config is asked when a recipe runs, not when this is read: "make demo" may install it first
HL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wvla -fno-strict-aliasing -MMD -MP \
	$(if $(filter true,$(CI)),-Werror) $(shell pkg-config --cflags $(PKGS))
LIBS = $(shell pkg-config --libs $(PKGS)) -lm -pthread

ifeq ($(V),1)
Q =
say = @:
else
Q = @
say = @echo
endif

sources = $(shell find $(1) -name '$(2)' 2>/dev/null | LC_ALL=C sort)
LIB_SRC = $(filter-out src/main.c,$(call sources,src probes reports,*.c))
SPECS = $(call sources,probes/specs,*.conf)
LIB_OBJ = $(LIB_SRC:%.c=$(B)/%.o) $(B)/specs.o
UNIT_SRC = $(call sources,tests/unit,test_*.c)
UNIT_BIN = $(UNIT_SRC:%.c=$(B)/%)
OBJ = $(LIB_OBJ) $(B)/src/main.o $(UNIT_BIN:%=%.o)

all: $(B)/hoploss ## build the program

$(B)/hoploss: $(B)/src/main.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/libhoploss.a: $(LIB_OBJ)
	$(say) "  AR    $@"
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(B)/%.o: %.c
	$(say) "  CC    $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(HL_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

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

.SECONDARY:
-include $(OBJ:.o=.d)

# These goals work on a bare machine: what is missing is installed before anything is compiled.
wants = $(filter $(1),$(MAKECMDGOALS))
ifneq ($(call wants,demo check% lint fuzz bench),)
$(OBJ): | deps
endif

DEPS = build $(if $(call wants,deps check% bench),test) \
	$(if $(call wants,lint format fuzz check-valgrind),lint)
deps: ## install the packages that are missing (DEPS="build test lint": the sections)
	@.ci/deps $(DEPS)

check: all unit ## run the tests

unit: $(UNIT_BIN) ## run the unit tests only
	$(Q)for t in $(UNIT_BIN); do $$t || exit 1; done

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 20

.PHONY: all check deps help unit
