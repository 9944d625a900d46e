# SPDX-License-Identifier: GPL-3.0-or-later
# hoploss: "make help" lists the targets.

B ?= build
CC ?= cc
PKGS = jansson inih gsl
CFLAGS ?= -O2 -g
HL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wvla -fno-strict-aliasing -MMD -MP \
	$(shell pkg-config --cflags $(PKGS))
LIBS = $(shell pkg-config --libs $(PKGS)) -lm -pthread

ifeq ($(V),1)
Q =
say = @:
else
Q = @
say = @echo
endif

LIB_SRC = $(filter-out src/main.c,$(shell find src probes reports -name '*.c' | LC_ALL=C sort))
LIB_OBJ = $(LIB_SRC:%.c=$(B)/%.o)
UNIT_SRC = $(shell find tests/unit -name 'test_*.c' 2>/dev/null | LC_ALL=C sort)
UNIT_BIN = $(UNIT_SRC:%.c=$(B)/%)

all: $(B)/hoploss

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

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libhoploss.a
	$(say) "  LD    $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)

unit: $(UNIT_BIN)
	$(Q)for t in $(UNIT_BIN); do $$t || exit 1; done

.PHONY: all unit
