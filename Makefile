# 华牌 tournament software. `make run` and `make test` need Python 3.11 (or 3.12) and make, nothing else.
#
# Every path here is relative, so that the project may lie in any folder, whatever its name.

PORT ?= 8000
PY := .venv/bin/python
MANAGE := $(PY) manage.py
# What needs more than Python is chosen by folder: a test is run or not run, never skipped.
OUTSIDE := tests/browser tests/services tests/storm
# The browser tests that run with every change: a deal with and without network, and the public pages. All of them
# together take longer than a check of one change may.
MAIN_FLOWS := $(addprefix tests/browser/test_, referee_deal.py public_pages.py accessibility.py offline.py \
	cleared_storage.py noisy_hall.py killed_browser.py)
# Two processes: the smallest machine this runs on has two cores. A file stays in one process.
PYTEST := $(PY) -m pytest --numprocesses 2 --dist loadfile
PIP_COMPILE := $(PY) -m piptools compile --quiet --generate-hashes --strip-extras \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links

export PYTHON
export PYTHONUTF8 := 1

.DEFAULT_GOAL := help
.PHONY: help run install install-dev catalogs lint format test test-browser test-services test-storm bench \
	lock messages messages-check screenshots clean

help: ## Say what each target does
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /  make \1|/' | \
		while IFS='|' read -r name text; do printf '%-24s %s\n' "$$name" "$$text"; done

install: ## Make .venv and install what the program needs
	@sh scripts/install.sh requirements.lock

install-dev: ## Make .venv and install what development needs
	@sh scripts/install.sh requirements-dev.lock

catalogs:
	@$(PY) -m scripts.messages compile

run: install catalogs ## Serve the program with demo data (PORT=8000); what was entered stays
	@PORT=$(PORT) $(PY) -m scripts.serve

lint: install-dev ## Check style, types and layers
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -c 'from importlinter.cli import lint_imports_command as run; run()' --no-logo

format: install-dev ## Put the code into the project's format
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

test: lint catalogs ## Check everything that needs only Python
	$(PYTEST) $(addprefix --ignore=,$(OUTSIDE))

test-browser: install-dev catalogs ## Run the tests that drive a browser (needs Chromium)
	$(PYTEST) tests/browser

test-services: install-dev catalogs ## Run those with PostgreSQL, Redis and LibreOffice, the main browser flows and a small storm
	$(PYTEST) tests/services $(MAIN_FLOWS)
	HUAPAI_STORM_DEALS=200 HUAPAI_STORM_KILLS=5 $(PY) -m pytest tests/storm

test-storm: install-dev ## Kill the server over and over while tablets send (minutes; a quiet machine)
	$(PY) -m pytest tests/storm

bench: install-dev ## Run the benchmarks
	@for file in benchmarks/*.py; do echo "== $$file"; $(PY) "$$file" || exit 1; done

lock: install-dev ## Write both lock files anew after a change of pyproject.toml
	@$(PY) -m pip install --quiet --disable-pip-version-check 'pip-tools>=7.5,<8'
	$(PIP_COMPILE) --output-file=requirements.lock pyproject.toml
	$(PIP_COMPILE) --extra=dev --output-file=requirements-dev.lock pyproject.toml

messages: install-dev ## Collect translatable strings into locale/*/LC_MESSAGES/django.po
	$(PY) -m scripts.messages update

messages-check: install-dev ## List what is not translated
	$(PY) -m scripts.messages check

screenshots: install-dev catalogs ## Take the README's pictures anew (needs Chromium)
	$(PY) -m scripts.screenshots

clean: ## Remove what was generated; keeps entered data
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache staticfiles
