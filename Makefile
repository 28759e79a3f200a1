# Every target works as the first command on a machine with Python 3.11 or newer, make and a C
# library: it makes .venv, installs what is pinned under requirements/, then the project itself.
# (`make docs` also needs npm, `make requirements` also needs uv.)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
# Evaluated only where the environment is made, so that `make help` starts no interpreter.
FIND_PYTHON = for python in $(PYTHON) python3.13 python3.12 python3.11; do \
		if $$python -c "$(NEW_ENOUGH)" >/dev/null 2>&1; then echo $$python; break; fi; done

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/installed-run
DEV := $(VENV)/installed-dev
PEERS := .venv-peers

# $(call install,ARGUMENTS): with uv where there is one, else with pip.
install = if command -v uv >/dev/null 2>&1; \
	then uv pip install --quiet --python $(BIN)/python $(1); \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); fi
install_project = $(call install,--no-deps --no-build-isolation --editable .)

.PHONY: help demo test test-all lint format docs bench bench-peers mutants requirements wheel clean

help:  ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

demo: $(RUN)  ## Show what equipoise does
	$(BIN)/equipoise demo

test: $(DEV)  ## Run the tests, without the slow ones
	$(BIN)/pytest -m "not slow"

test-all: $(DEV)  ## Run every test; a skipped one is a failure
	$(BIN)/pytest --no-skips --junitxml=build/tests.xml

lint: $(DEV)  ## Check style, formatting, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(DEV)  ## Format the code, and mend what can be mended by itself
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(DEV)  ## Build the docs into docs/_build/html and run their examples
	$(BIN)/python docs/fetch_mathjax.py
	$(BIN)/sphinx-build -q -E -n -W --keep-going -b html docs docs/_build/html
	$(BIN)/sphinx-build -q -E -W --keep-going -b doctest docs docs/_build/doctest
	$(BIN)/python docs/check_offline.py docs/_build/html

bench: $(DEV)  ## Measure how fast it is
	$(BIN)/python benchmarks/run.py

bench-peers: $(DEV) $(PEERS)/installed  ## Measure it beside ADOpy; OPTIONS="--people 3" is quicker
	$(BIN)/python benchmarks/peers/compare.py $(OPTIONS)

mutants: $(DEV)  ## Break the code on purpose and see that the tests notice
	PYTHONPATH=tests $(BIN)/python -m mutants.run

wheel: $(DEV)  ## Build the wheel and the source distribution into dist
	rm -rf dist
	$(BIN)/hatchling build -d dist

# all.txt is solved first, and bounds dev.txt and run.txt: they never disagree on a version.
# Pins stay as they are unless they must change, or UPGRADE=--upgrade is given.
COMPILE = uv pip compile --quiet --universal --generate-hashes \
	--python-version 3.11 --fork-strategy fewest --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make requirements" $(UPGRADE)
PROJECT = $(COMPILE) pyproject.toml

requirements:  ## Compile requirements/*.txt anew (needs uv)
	$(PROJECT) --all-extras --group dev --output-file requirements/all.txt
	$(PROJECT) --group dev --constraints requirements/all.txt --output-file requirements/dev.txt
	$(PROJECT) --group build --constraints requirements/all.txt --output-file requirements/run.txt
	$(COMPILE) benchmarks/peers/requirements.in --output-file requirements/peers.txt
	@if grep -n '://' requirements/*.txt; then echo "an address is in the pins"; exit 1; fi

clean:  ## Remove the environment and everything built
	rm -rf $(VENV) $(PEERS) build dist docs/_build docs/_vendor
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

# --seed: an environment made by uv has pip as well, should uv be gone the next time.
$(VENV)/pyvenv.cfg:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
		echo "Equipoise needs Python 3.11 or newer, and found none."; \
		echo "Install one, or name it: make PYTHON=/path/to/python3.11"; exit 1; fi; \
	echo "Making $(VENV) with $$($$python --version)"; \
	if command -v uv >/dev/null 2>&1; \
	then uv venv --quiet --seed --clear --python "$$(command -v $$python)" $(VENV); \
	else $$python -m venv --clear $(VENV); fi

$(RUN): $(VENV)/pyvenv.cfg requirements/run.txt pyproject.toml
	@echo "Installing requirements/run.txt and equipoise"
	@$(call install,--require-hashes -r requirements/run.txt)
	@$(install_project)
	@touch $@

# dev.txt holds all of run.txt, so one environment serves both and neither undoes the other.
$(DEV): $(VENV)/pyvenv.cfg requirements/dev.txt pyproject.toml
	@echo "Installing requirements/dev.txt and equipoise"
	@$(call install,--require-hashes -r requirements/dev.txt)
	@$(install_project)
	@touch $@ $(RUN)

# ADOpy runs with Python 3.11 and what was its time's NumPy.
$(PEERS)/pyvenv.cfg:
	@if command -v uv >/dev/null 2>&1; \
	then uv venv --quiet --seed --clear --python 3.11 $(PEERS); exit; fi; \
	for python in $(PYTHON) python3.11; do \
		if $$python -c "import sys; sys.exit(sys.version_info[:2] != (3, 11))" >/dev/null 2>&1; \
		then $$python -m venv --clear $(PEERS); exit; fi; done; \
	echo "ADOpy needs Python 3.11, and there is none. Name it: make PYTHON=/path/to/python3.11"; exit 1

$(PEERS)/installed: BIN = $(PEERS)/bin
$(PEERS)/installed: $(PEERS)/pyvenv.cfg requirements/peers.txt
	@echo "Installing requirements/peers.txt"
	@$(call install,--require-hashes -r requirements/peers.txt)
	@touch $@
