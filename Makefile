# Two commands: `make grade` sets everything up and grades the example class; `make test` passes the tests.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
CLASS ?= examples/class
OUT ?= out/class
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: setup system grade test lint doctor bench clean

setup: .venv/ready system

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

# bubblewrap is the wall; without it grading goes on behind process limits, and every report says so.
# Chromium is for the tests that look at the pages; without it they are skipped, and say so.
system:
	@$(call need,bwrap,bubblewrap,grading will use process limits only)
	@$(call need,chromium,chromium,the tests of the pages will be skipped)

define need
command -v $(1) >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
  && { apt-get update -qq && apt-get install -y -qq $(2); } >/dev/null 2>&1; } \
  || echo '$(2) is missing and cannot be installed here: $(3) (apt-get install $(2))'
endef

grade: setup
	@$(BIN)/courselib grade $(CLASS) --out $(OUT) --jobs $(JOBS) || [ $$? = 1 ]

test: setup lint
	@$(BIN)/pytest
	@$(BIN)/courselib doctor --lang en

lint: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

doctor: setup
	@$(BIN)/courselib doctor

bench: setup
	@$(BIN)/python tests/bench/bench_grade.py
	@$(BIN)/python tests/bench/bench_quiz.py

clean:
	@rm -rf .venv out
