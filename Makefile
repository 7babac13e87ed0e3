# What test servers ask for: `make EXE=name EVALFILE=network` leaves the engine here under that name.
# It is built without sub-commands, board and endgame tables, so it needs next to nothing from
# elsewhere; `make FEATURES=tune` makes every parameter of the search an option.

EXE      ?= halcyon
EVALFILE ?=
FEATURES ?=

ifeq ($(OS),Windows_NT)
  NAME := $(patsubst %.exe,%,$(EXE)).exe
else
  NAME := $(EXE)
endif

ifneq ($(EVALFILE),)
  export EVALFILE := $(abspath $(EVALFILE))
endif

.PHONY: engine
engine:
	cargo rustc --release --locked --package halcyon --bin halcyon --no-default-features \
		--features "$(FEATURES)" -- --emit link=$(NAME)
