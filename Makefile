# Everything runs in .venv, which each target makes first. `make` alone lists the targets.

PYTHON   ?= python3
RUNS     ?= runs
OUT      ?= site
ROUND    ?=
BASE     ?=
HEAD     ?=
BASE_URL ?=
PORT     ?= 8000
FUZZ     ?= 10000

# The tool that writes the locks; not part of them.
UV := uv==0.13.9

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip --disable-pip-version-check --no-input
# Wheels only: an sdist would bring build requirements that no hash covers.
LOCKED := $(PIP) install --quiet --require-hashes --only-binary :all:


# A worker a core: more of them might disturb the tests that measure. Whoever is through takes over from the others, and what
# one has compiled is kept for the programs that tests start.
WORKERS ?= auto
TESTS   := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -q --dist worksteal

# What npm has for the gates, by the lock beside it; without scripts of its packages.
TOOLS := .ci/tools/node_modules
GATES := $(addprefix tests/,$(addprefix browser/test_,every_page.py firefox.py lighthouse.py) \
  $(addprefix site/test_,pages.py validity.py weight.py) render/test_contrast.py)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help site demo collect check diff serve test gates lighthouse tools fuzz lint bench golden lock clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

site: $(VENV)/.runtime ## build the report site [RUNS=runs] [OUT=site] [BASE_URL=]
	@$(BIN)/rounds site --runs "$(RUNS)" --out "$(OUT)" $(if $(BASE_URL),--base-url "$(BASE_URL)")
	@echo "Open $(OUT)/index.html"

demo: $(VENV)/.demo ## collect a small round on this machine, in runs/demo, and build the site
	@$(BIN)/rounds demo "$(RUNS)/demo"
	@$(BIN)/rounds site --runs "$(RUNS)" --out "$(OUT)"
	@echo "Open $(OUT)/index.html, and there: demo"

collect: $(VENV)/.runtime ## collect a round by its plan: ROUND=my-round; without ROUND the demo [RUNS=runs]
	@if test -n "$(ROUND)"; then $(BIN)/rounds collect "$(RUNS)/$(ROUND)"; else $(MAKE) --no-print-directory demo; fi

check: $(VENV)/.runtime ## check one round: ROUND=round-2 [RUNS=runs] [FAIL_ON=fail|warn]
	@test -n "$(ROUND)" || { echo "make check: name a round, as in ROUND=round-2" >&2; exit 2; }
	@$(BIN)/rounds check "$(RUNS)/$(ROUND)" $(if $(FAIL_ON),--fail-on "$(FAIL_ON)")

diff: $(VENV)/.runtime ## compare two rounds: BASE=round-1 HEAD=round-2 [RUNS=runs] [FORMAT=table|json|markdown|junit] [FAIL_ON=worse]
	@test -n "$(BASE)" -a -n "$(HEAD)" || { echo "make diff: name two rounds, as in BASE=round-1 HEAD=round-2" >&2; exit 2; }
	@$(BIN)/rounds diff "$(RUNS)/$(BASE)" "$(RUNS)/$(HEAD)" $(if $(FORMAT),--format "$(FORMAT)") $(if $(FAIL_ON),--fail-on "$(FAIL_ON)")

serve: $(VENV)/.runtime ## serve the built site on 127.0.0.1 [OUT=site] [PORT=8000]
	@test -f "$(OUT)/index.html" || { echo "make serve: no $(OUT)/index.html: run make site first" >&2; exit 2; }
	@echo "http://127.0.0.1:$(PORT)/  (Ctrl-C stops it)"
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory "$(OUT)" $(PORT)

test: $(VENV)/.dev ## run the tests on every core [WORKERS=auto]
	@$(TESTS) -n $(WORKERS) tests

gates: $(VENV)/.dev tools ## check the built pages alone: HTML, axe, contrast, links, weight, requests, Firefox, Lighthouse
	@REQUIRE_BROWSER=1 $(TESTS) -n $(WORKERS) $(GATES)

lighthouse: $(VENV)/.dev tools ## build the site and print the scores of Lighthouse, performance too [RUNS=runs] [OUT=site]
	@$(MAKE) --no-print-directory site
	@$(BIN)/python -m tests.lighthouse "$(OUT)"

tools: $(TOOLS)/.package-lock.json ## install what npm has for the gates: the HTML checker, Lighthouse, a driver of Firefox

fuzz: $(VENV)/.dev ## read many damaged copies of a sample with each importer and reader [FUZZ=10000]
	@FUZZ=$(FUZZ) $(TESTS) -n $(WORKERS) --timeout 7200 -m fuzz tests

lint: $(VENV)/.dev ## ruff, mypy --strict and the layers of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict
	@$(BIN)/lint-imports --no-logo

bench: $(VENV)/.dev ## time a build of the site, its search, logs against grep, and the client against one in C
	@$(BIN)/python tests/bench.py
	@$(BIN)/python tests/bench_logs.py
	@$(BIN)/python tests/bench_client.py
	@$(BIN)/python -m tests.bench_search

golden: $(VENV)/.dev ## rewrite the stored output that the golden tests compare with
	@REWRITE_GOLDEN=1 $(BIN)/python -m pytest -q tests -k golden

lock: $(VENV)/.made ## write .ci/requirements*.txt anew, keeping pins that still hold [UPGRADE=1]
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(PYTHON) -m venv "$$tmp"; \
	"$$tmp/bin/pip" install --quiet --disable-pip-version-check $(UV); \
	compile() { "$$tmp/bin/uv" --no-config --quiet pip compile pyproject.toml --group build --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) "$$@"; }; \
	compile --output-file .ci/requirements.txt; \
	compile --extra dev --constraints .ci/requirements.txt --output-file .ci/requirements-dev.txt; \
	compile --extra demo --constraints .ci/requirements.txt --output-file .ci/requirements-demo.txt
	@echo "Wrote .ci/requirements.txt, .ci/requirements-dev.txt and .ci/requirements-demo.txt"

clean: ## remove the built site and the caches
	@rm -rf site dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find generator tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## remove .venv and what npm installed as well
	@rm -rf $(VENV) $(TOOLS)

# The stamps: each is written last, so an interrupted install is done again (and a
# half-made .venv begun anew).

$(VENV)/.made:
	@command -v $(PYTHON) >/dev/null 2>&1 || \
	  { echo "make: no $(PYTHON) here: install Python 3.11 or newer, or name one with PYTHON=" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $$($(PYTHON) --version) is too old: Python 3.11 or newer is needed; name one with PYTHON=" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "make: $(PYTHON) has no venv module: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.runtime: .ci/requirements.txt pyproject.toml | $(VENV)/.made
	@echo "Installing what the site needs into $(VENV) ..."
	@$(LOCKED) -r .ci/requirements.txt
	@$(PIP) install --quiet --no-index --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: .ci/requirements-dev.txt $(VENV)/.runtime
	@echo "Installing what the tests need into $(VENV) ..."
	@$(LOCKED) -r .ci/requirements-dev.txt
	@touch $@

$(TOOLS)/.package-lock.json: .ci/tools/package.json .ci/tools/package-lock.json
	@command -v npm >/dev/null 2>&1 || { echo "make tools: no npm here: install nodejs and npm" >&2; exit 1; }
	@echo "Installing what checks the pages into $(TOOLS) ..."
	@npm ci --prefix .ci/tools --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Where the engine cannot be installed (no wheel for this machine, no network), the demo runs on the reference server.
$(VENV)/.demo: .ci/requirements-demo.txt $(VENV)/.runtime
	@echo "Installing llama.cpp for the demo into $(VENV) ..."
	@$(LOCKED) -r .ci/requirements-demo.txt || \
	  echo "It cannot be installed here: the demo will run on the reference server, and say that it is simulated."
	@touch $@
