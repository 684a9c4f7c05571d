# `make demo` and `make test` need nothing but Python 3.11 and make: both create .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
INSTALLED_DOCS := $(VENV)/installed-docs

# Neighbouring tests stay in one process, with their kernels, servers and browsers; an idle worker steals from the other's queue.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

# Tests of kernels run in three modes: compiled, without the compiler, with bounds checks.
WITH_KERNELS := tests/kernel tests/model tests/search tests/games tests/conformance tests/lab/learn/test_learner.py tests/lab/learn/test_training.py

.PHONY: demo test quick checks warm bench docs pictures clean

demo: $(INSTALLED)
	@$(BIN)/podium play zuniq champion uct --seed 1 --time 200 | tail -n 40
	@$(BIN)/podium match zuniq champion uct --time 50 --games 20 --store demo.db
	@echo "the match is stored; this shows it in the browser: $(BIN)/podium web --store demo.db --open"

# The loop while you work: the tests that a change most likely breaks.
quick: checks
	$(PYTEST) -m "not slow" $(WITH_KERNELS) tests/arena tests/test_imports.py

test: $(INSTALLED)
	@$(MAKE) --no-print-directory --jobs 2 checks warm
	$(PYTEST)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not compiled" $(WITH_KERNELS)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow" $(WITH_KERNELS)

checks: $(INSTALLED)
	$(BIN)/ruff format --check --quiet src tests examples tools docs
	$(BIN)/ruff check --quiet src tests examples tools docs
	$(BIN)/mypy

# Compile once; otherwise both test processes would compile what neither finds in the cache.
warm: $(INSTALLED)
	$(BIN)/podium warm

bench: $(INSTALLED)
	$(BIN)/podium bench zuniq

# The site, from docs/ into build/docs; any warning is an error, so no link is broken.
docs: $(INSTALLED_DOCS)
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --fresh-env --write-all --quiet docs build/docs
	@echo "open build/docs/index.html"

# Every picture that can be made anew: the match of the README, the pages in the browser, the stories' traces and tables.
pictures: $(INSTALLED)
	$(BIN)/python docs/pictures/terminal.py
	$(BIN)/python docs/pictures/screenshots.py
	$(BIN)/python docs/stories/make_stories.py

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

$(INSTALLED_DOCS): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) build docs/reference/commands.md docs/reference/bots.md docs/reference/options.md *.egg-info src/*.egg-info
