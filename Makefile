# Every command a contributor runs. All set-up happens inside this checkout, in .venv.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help demo test lint types imports chromium unit torture fuzz bench docs pictures suffixes pins clean

help: ## list these commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

$(VENV)/base: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("sameas needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -e .
	@touch $@

$(VENV)/dev: pyproject.toml requirements/dev.txt requirements/sdists.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes -r requirements/dev.txt
	$(PIP) download --no-deps --no-build-isolation --no-binary :all: --require-hashes -r requirements/sdists.txt -d .cache/sdists
	$(PIP) install --no-deps -e .
	@touch $@ $(VENV)/base

$(VENV)/native: native/Cargo.toml native/pyproject.toml $(wildcard native/src/*.rs) $(VENV)/base
	@if command -v cargo >/dev/null; then $(PIP) install --force-reinstall --no-deps ./native && touch $@; \
	elif [ -n "$$CI" ]; then echo "NOT RUN: the native engine needs a Rust toolchain" >&2; exit 1; \
	else echo "NOT RUN: the native engine (there is no Rust toolchain here)" >&2; fi

$(VENV)/bench: requirements/bench.txt $(VENV)/dev
	$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

$(VENV)/tools: requirements/tools.txt $(VENV)/dev
	$(PIP) install --require-hashes -r requirements/tools.txt
	@touch $@

demo: $(VENV)/base $(VENV)/native ## the main job on the links in examples/
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: lint types imports unit ## everything that has to be green

lint: $(VENV)/dev ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if cargo clippy --version >/dev/null 2>&1; then cd native && cargo fmt --check && cargo clippy -q -- -D warnings; \
	else echo "NOT RUN: the style of native/ (there are no rustfmt and clippy here)" >&2; fi

types: $(VENV)/dev ## types
	$(BIN)/mypy

imports: $(VENV)/dev ## which room may know which
	$(BIN)/lint-imports

chromium: # what the pages are tried in; Debian's, where there is root
	@if command -v chromium chromium-browser >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -q && apt-get install -q -y chromium; fi

unit: $(VENV)/dev $(VENV)/native chromium ## the tests alone; the laws once more without the compiled engine
	$(BIN)/python -m pytest
	SAMEAS_ENGINE=python $(BIN)/python -m pytest tests/laws

torture: $(VENV)/dev ## laws of feeds and kills of the store, many times over
	KILLS=200 LAWS=20 $(BIN)/python -m pytest tests/store tests/feeds tests/change

fuzz: $(VENV)/dev $(VENV)/native ## both engines against each other, then random bytes against the laws (SECONDS=… DATA=…)
	$(BIN)/python -m fuzz.differential --seconds $(or $(SECONDS),300) --seed $$(date +%s) $(if $(DATA),--data $(DATA))
	$(BIN)/python fuzz/canonicalize.py -max_total_time=$(or $(SECONDS),300)

bench: $(VENV)/bench $(VENV)/native ## speed and traps, side by side with peers; rewrites docs/bench (FILE=…)
	$(BIN)/python -m bench $(if $(FILE),--input $(FILE))
	$(BIN)/python -m bench.batch $(if $(FILE),--input $(FILE))
	$(BIN)/python -m bench.titles
	$(BIN)/python -m bench.spark $(if $(FILE),--input $(FILE))
	$(BIN)/python -m bench.feeds
	$(BIN)/python -m bench.store
	$(BIN)/python -m bench.resolve
	$(BIN)/python -m bench.registry
	$(BIN)/python -m bench.files $(if $(FILE),--input $(FILE))
	$(BIN)/python -m bench.lessons
	$(BIN)/python -m bench.change
	$(BIN)/python -m bench.serve

docs: $(VENV)/dev ## rewrite the pages that are generated from the policies
	$(BIN)/python tools/policy_pages.py

pictures: $(VENV)/dev chromium ## rewrite the pictures of the pages in docs/images
	$(BIN)/python -m tests.web.pictures

suffixes: $(VENV)/tools ## refresh the table of public suffixes
	$(BIN)/python tools/suffix_table.py

PIN := $(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
  --no-emit-index-url --no-emit-find-links

pins: $(VENV)/tools ## pin the newest versions of what development needs
	$(PIN) requirements/dev.in pyproject.toml -o requirements/dev.txt
	$(PIN) requirements/bench.in -o requirements/bench.txt
	$(PIN) requirements/tools.in -o requirements/tools.txt

clean: ## remove everything that can be made again
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build native/target
