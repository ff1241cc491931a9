# Two commands do everything on a fresh machine with Python 3.11+ and make: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
STAMP := $(VENV)/.installed
ORACLE := $(VENV)/.oracle
BASE ?= $(shell sed -n 's/^ARG BASE=//p' Dockerfile)
# The tests start hundreds of processes, and each of them would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run help demo test coverage test-all all-tests soak mutants lint types check nox docs constraints image screenshots bench bench-robots clean

run: $(RUNS)  ## start a server on smtp://127.0.0.1:2525 to try things out
	PBMSERV_TRUST_FROM=1 PBMSERV_CONFIRM_ADDRESSES=0 $(BIN)/pbmserv serve

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

demo: $(RUNS)  ## play a short game between two players and print every letter
	$(BIN)/pbmserv demo

test: $(STAMP)  ## run the fast tests, on all cores
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

coverage: $(ORACLE)  ## run all tests and list the lines that none of them ran; fails below 98 %; takes an hour
	$(BIN)/coverage run -m pytest -n auto --dist worksteal
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-all: lint $(ORACLE)  ## run check and all tests, the slow ones too, as CI does
	$(MAKE) --no-print-directory --jobs 2 --keep-going types all-tests

# Beside the types, which take one core for a minute.
all-tests: $(ORACLE)
	$(BIN)/python -m pytest -n auto --dist worksteal --all-statements

soak: $(STAMP)  ## run the random tests with twenty times as many examples; takes hours, is not CI
	SOAK=20 SEED=$${SEED:-$$(date +%Y%m%d)} $(BIN)/python -m pytest -n auto --dist worksteal --timeout 14400 pbmserv/conformance tests/games tests/boards \
		tests/admin tests/cli/manage tests/inbox/test_answers_answered.py tests/looks tests/store tests/tournaments tests/letters tests/mail tests/promises \
		tests/server/test_robots_in_all_games.py tests/whole/e2e/test_games.py tests/whole/docs/test_robots.py \
		tests/whole/packaging/test_upgrade.py

mutants: $(STAMP)  ## change central modules in small ways, list what their tests do not notice; half an hour
	$(BIN)/python -m pip install --quiet --editable ".[mutants]"
	$(BIN)/python -m tests.tools.mutants

lint: $(STAMP)  ## run ruff and check the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(ORACLE)  ## run mypy --strict
	$(BIN)/mypy

check: lint types  ## run lint and types, and say how old the figures of benchmarks/RESULTS.md are
	@$(BIN)/python -m benchmarks.report

nox: $(STAMP)  ## run the fast tests against an installed wheel, on each Python of this machine
	$(BIN)/python -m pip install --quiet "nox>=2025.5.1"
	$(BIN)/nox

docs: $(STAMP)  ## write the generated pages again
	$(BIN)/pbmserv docs

constraints: $(STAMP)  ## pin all that servers install, with hashes, in deploy/constraints.txt
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra all --generate-hashes \
		--custom-compile-command "make constraints" --output-file deploy/constraints.txt pyproject.toml

image:  ## build the container image, on the base that its tag names today; needs Docker
	docker pull --quiet $(BASE)
	docker build --build-arg BASE="$$(docker image inspect --format '{{index .RepoDigests 0}}' $(BASE))" --tag pbmserv .

bench: $(STAMP)  ## measure speed and growth, write benchmarks/RESULTS.md; Linux, forty minutes, idle machine
	$(BIN)/python -m benchmarks

bench-robots: $(STAMP)  ## let the levels of robots play each other, write benchmarks/ROBOTS.md; takes hours
	$(BIN)/python -m benchmarks.robots

screenshots: $(STAMP)  ## show all letters and web pages in build/screenshots/index.html; needs Chromium
	$(BIN)/python -m tests.looks.screenshots

clean:  ## remove what was installed and built
	rm -rf $(VENV) dist build

# Running needs much less than testing, so a first look does not wait for the rest.
$(RUNS): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(STAMP): $(RUNS)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

# OpenSpiel is only for tests that compare games with it. They are skipped where there is no wheel of it.
$(ORACLE): $(STAMP)
	$(BIN)/python -m pip install --quiet --only-binary open_spiel --editable ".[oracle]" \
		|| echo "There is no wheel of OpenSpiel for this machine: the tests that need it are skipped."
	touch $@
