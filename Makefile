# make run: the dashboard.  make test: everything that CI runs.  Both install what they need.
# make quick: format, lint, types and the tests of what changed since the last commit, in half a minute.
# make docs: the documents and the API reference as pages in build/docs; a warning is an error.
# make papers: the numbers and figures of the four papers, computed again: docs/PAPERS.md and build/papers.
# make words: every sentence of the dashboard, its errors and hand-outs, in build/words.md, to be read.
# make mutants: every rule of the page Method broken on purpose, in a copy, and its test seen to fail.
# make test-engines: the same exact answers in DuckDB, SQLite, Postgres and a local Spark.
# make plain: the tests as on another processor.  make load: VISITORS at once, an act every PAUSE seconds.
PYTHON ?= python3
PORT ?= 8501
VISITORS ?= 25
PAUSE ?= 5
SINCE ?= HEAD
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal
CORE := tests/unit/accounting tests/unit/lossless tests/unit/noise tests/unit/release
INSTALL := $(BIN)/pip install --quiet --no-compile --requirement
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x /tests/ $(VENV)/lib || true # on every processor; pip takes one
export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONDONTWRITEBYTECODE # each test worker and server would compile 600 modules
# Threads of linear algebra would wait for processors that the workers have.
export OPENBLAS_NUM_THREADS = 1

.PHONY: run quick near test test-full full-core full-unit full-law full-app full-browser mutants test-engines plain load bench words papers static docs unit law app browser chromium postgres java clean

run: $(VENV)/.app
	@echo "Starting dpviz; it will be at http://127.0.0.1:$(PORT) (stop it with Ctrl+C) ..."
	@$(BIN)/python -m dpviz run --port=$(PORT)

quick:
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=recurse static near

near: $(VENV)/.dev # beside the static checks
	@$(BIN)/python -m tests.quick $(SINCE)

test:
	@$(MAKE) --no-print-directory --jobs=2 static docs chromium
	@$(MAKE) --no-print-directory postgres
	$(PYTEST) tests/browser tests/app dpviz tests/unit tests/law tests/engines # while a page is awaited, another computes
	@echo "All checks passed."

static: $(VENV)/.dev
	@$(BIN)/ruff format --check . || { echo "Repair it with: $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check . || { echo "Repair what can be repaired with: $(BIN)/ruff check --fix ."; exit 1; }
	@$(BIN)/mypy

docs: $(VENV)/.dev
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --jobs 2 --conf-dir docs --doctree-dir build/doctrees . build/docs || \
		{ rm -rf build/doctrees; exit 1; }  # else the next run would read only what changed, and pass
	@$(BIN)/python docs/run_notebooks.py >/dev/null
	@echo "The documents are at build/docs/docs/index.html, the figures of the notebooks in build/docs/notebooks"

papers: $(VENV)/.dev
	@$(BIN)/python -m tests.papers

unit: $(VENV)/.dev
	$(PYTEST) dpviz tests/unit

law: $(VENV)/.dev
	$(PYTEST) tests/law

app: $(VENV)/.dev
	$(PYTEST) tests/app

browser: $(VENV)/.dev chromium
	$(PYTEST) tests/browser

test-full: full-core full-unit mutants full-law full-app full-browser test-engines plain # each by itself, too
	@$(MAKE) load VISITORS=10 PAUSE=0

full-core: $(VENV)/.dev
	DPVIZ_SEEDS=all $(PYTEST) dpviz $(CORE)

full-unit: $(VENV)/.dev postgres
	DPVIZ_SEEDS=all $(PYTEST) tests/unit $(CORE:%=--ignore=%) --deselect tests/unit/method/test_mutants.py::test_the_check_of_a_broken_rule_fails

full-law: $(VENV)/.dev
	DPVIZ_SEEDS=all $(PYTEST) tests/law

full-app: $(VENV)/.dev
	DPVIZ_SEEDS=all $(PYTEST) tests/app

full-browser: $(VENV)/.dev chromium
	DPVIZ_SEEDS=all $(PYTEST) tests/browser

mutants: $(VENV)/.dev
	DPVIZ_SEEDS=all $(PYTEST) tests/unit/method/test_mutants.py

test-engines: $(VENV)/.engines postgres java
	DPVIZ_SEEDS=all $(PYTEST) tests/engines

plain: $(VENV)/.dev
	@echo "Without vector code of numpy and linear algebra, as on another processor:"
	OPENBLAS_CORETYPE=Nehalem NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -m tests.plain_numpy)" \
		$(PYTEST) dpviz tests/unit tests/law tests/app

load: $(VENV)/.dev
	DPVIZ_VISITORS=$(VISITORS) DPVIZ_LOAD_PAUSE=$(PAUSE) $(PYTEST) -n 0 -s -m load tests/load

words: $(VENV)/.dev
	@mkdir -p build && $(BIN)/python -m tests.all_words > build/words.md && echo "They are in build/words.md"

bench: $(VENV)/.dev
	@$(BIN)/python -m tests.benchmarks

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "dpviz needs Python 3.11 or newer: call make with PYTHON=/path/to/python3.11."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "The environment could not be made: install Python's venv (on Debian: apt-get install python3-venv)."; exit 1; }
	@$(BIN)/pip install --quiet --upgrade pip || true # of an old one, reading the index takes most of the time
	@touch $@

$(VENV)/.app: $(VENV)/.python requirements.txt
	@echo "Installing the packages of requirements.txt ..."
	@$(INSTALL) requirements.txt || \
		{ echo "The packages could not be installed: see the message above; is the package index reachable?"; exit 1; }
	@$(COMPILE)
	@touch $@

$(VENV)/.dev: $(VENV)/.app requirements-dev.txt requirements-server.txt
	@echo "Installing the packages of requirements-dev.txt ..."
	@$(INSTALL) requirements-dev.txt || \
		{ echo "The test tools could not be installed: see the message above; is the package index reachable?"; exit 1; }
	@touch $@

$(VENV)/.engines: $(VENV)/.dev requirements-engines.txt
	@echo "Installing Spark, 450 MB ..."
	@$(INSTALL) requirements-engines.txt || \
		{ echo "Spark could not be installed: see the message above; is the package index reachable?"; exit 1; }
	@touch $@

chromium:
	@test -x "$${CHROMIUM:-/usr/bin/chromium}" || { echo "Installing Chromium ..."; \
		root=$$(test "$$(id -u)" = 0 || echo sudo); \
		{ $$root apt-get update -qq && $$root apt-get install -y -qq chromium; } > /dev/null || \
		{ echo "Chromium could not be installed: install it by hand and set CHROMIUM to its path."; exit 1; }; }

postgres:
	@test -x "$$(ls -d /usr/lib/postgresql/*/bin/initdb 2> /dev/null | tail -1)" || command -v initdb > /dev/null || { \
		echo "Installing Postgres ..."; \
		root=$$(test "$$(id -u)" = 0 || echo sudo); \
		{ $$root apt-get update -qq && $$root apt-get install -y -qq postgresql; } > /dev/null || \
		{ echo "Postgres could not be installed: install it by hand, with initdb on the PATH."; exit 1; }; }

java:
	@command -v java > /dev/null || { \
		echo "Installing Java for Spark ..."; \
		root=$$(test "$$(id -u)" = 0 || echo sudo); \
		{ $$root apt-get update -qq && $$root apt-get install -y -qq default-jre-headless; } > /dev/null || \
		{ echo "Java could not be installed: install version 17 or later by hand, with java on the PATH."; exit 1; }; }

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
