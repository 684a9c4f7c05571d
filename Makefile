# `make demo` and `make test` need nothing but Python 3.11 and make: both create .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

# Neighbours stay in one process, with their kernels, servers and browsers; who is done takes over from the other's end.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

# The rooms whose tests are about kernels: they run in all three modes, compiled, without the compiler, with bounds checks.
WITH_KERNELS := tests/kernel tests/search tests/games tests/conformance tests/lab/test_learner.py tests/lab/test_training.py

.PHONY: demo test quick checks warm bench screenshots clean

demo: $(INSTALLED)
	@$(BIN)/podium play zuniq champion uct --seed 1 --time 200 | tail -n 40
	@$(BIN)/podium match zuniq champion uct --time 50 --games 20 --store demo.db
	@echo "the match is stored; this shows it in the browser: $(BIN)/podium web --store demo.db --open"

# The loop while you work: what a change most likely breaks.
quick: checks
	$(PYTEST) -m "not slow" $(WITH_KERNELS) tests/arena tests/test_imports.py

test: $(INSTALLED)
	@$(MAKE) --no-print-directory --jobs 2 checks warm
	$(PYTEST)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not compiled" $(WITH_KERNELS)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow" $(WITH_KERNELS)

checks: $(INSTALLED)
	$(BIN)/ruff format --check --quiet src tests examples benchmarks
	$(BIN)/ruff check --quiet src tests examples benchmarks
	$(BIN)/mypy

# Two processes that test would both compile what neither finds in the cache.
warm: $(INSTALLED)
	$(BIN)/podium warm

bench: $(INSTALLED)
	$(BIN)/podium bench zuniq

screenshots: $(INSTALLED)
	$(BIN)/python docs/pictures/screenshots.py

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev,web]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info src/*.egg-info
