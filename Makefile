# Two commands do everything on a fresh machine with Python 3.11+ and make: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run help demo test coverage test-all lint types check nox docs screenshots bench clean

run: $(STAMP)  ## a server for trying things out, on smtp://127.0.0.1:2525
	PBMSERV_TRUST_FROM=1 PBMSERV_CONFIRM_ADDRESSES=0 $(BIN)/pbmserv serve

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

demo: $(STAMP)  ## a short game between two players, with every letter
	$(BIN)/pbmserv demo

test: $(STAMP)  ## the tests that everybody runs, on all cores
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

coverage: $(STAMP)  ## the same tests, and every line that none of them ran; fails below 98 %
	$(BIN)/coverage run -m pytest -n auto --dist worksteal -m "not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-all: check  ## check, and all tests, the long ones too; what CI runs
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMP)  ## ruff and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(STAMP)  ## mypy --strict
	$(BIN)/mypy

check: lint types  ## both of these

nox: $(STAMP)  ## the fast tests on each Python that is there, with a wheel installed and not the tree
	$(BIN)/python -m pip install --quiet "nox>=2025.5.1"
	$(BIN)/nox

docs: $(STAMP)  ## writes the generated pages anew
	$(BIN)/pbmserv docs

bench: $(STAMP)  ## measures speed and growth and writes benchmarks/RESULTS.md; ten idle minutes, Linux
	$(BIN)/python -m benchmarks

screenshots: $(STAMP)  ## letters and web pages as pictures, in build/screenshots; needs Chromium
	$(BIN)/python -m tests.letters.screenshots
	$(BIN)/python -m tests.web.screenshots

clean:  ## takes away what was installed and built
	rm -rf $(VENV) dist build

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@
