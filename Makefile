# Two commands do everything on a fresh machine with Python 3.11+ and make: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run demo test coverage test-all lint types check docs screenshots bench clean

run: $(STAMP)
	PBMSERV_TRUST_FROM=1 PBMSERV_CONFIRM_ADDRESSES=0 $(BIN)/pbmserv serve

demo: $(STAMP)
	$(BIN)/pbmserv demo

test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

coverage: $(STAMP)
	$(BIN)/coverage run -m pytest -n auto --dist worksteal -m "not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-all: check
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(STAMP)
	$(BIN)/mypy

check: lint types

docs: $(STAMP)
	$(BIN)/pbmserv docs

bench: $(STAMP)
	$(BIN)/python -m benchmarks

screenshots: $(STAMP)
	$(BIN)/python -m tests.letters.screenshots
	$(BIN)/python -m tests.web.screenshots

clean:
	rm -rf $(VENV) dist build

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@
