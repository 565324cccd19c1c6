# rlpaper: two commands, `make` and `make test`. `make help` lists the others.
.DEFAULT_GOAL := all
PAPERS := $(shell sed -n 's/^\[\(.*\)\]$$/\1/p' data/published/papers.toml)
.PHONY: all quick verify test test-fast fuzz bench assess course lab review lock clean help $(PAPERS)

PYTHON ?= python3
JOBS ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := uv==0.13.8
HAND_ON := index-url>UV_DEFAULT_INDEX extra-index-url>UV_INDEX find-links>UV_FIND_LINKS cert>SSL_CERT_FILE trusted-host>UV_INSECURE_HOST
BUILD := $(BIN)/rlpaper build $(if $(JOBS),--jobs $(JOBS))

all: $(READY) ## Rerun every notebook at the papers' full protocol and write the report
	@$(BUILD)

quick: $(READY) ## The same with few executions, in minutes; leaves figures/ alone
	@$(BUILD) --profile quick

verify: $(READY) ## Say file by file whether figures/ is what was committed
	@$(BIN)/rlpaper verify

test: $(READY) ## Run all tests
	@$(BIN)/python -m rlpaper.compendium.compile
	@$(BIN)/python -m pytest -n auto --dist worksteal

test-fast: $(READY) ## Run the tests that need no notebook, browser or long proof
	@$(BIN)/python -m rlpaper.compendium.compile
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

fuzz: $(READY) ## Call the public functions with whatever a seed draws: [CALLS=10000] [SEED=1]
	@PYTHONPATH=tests $(BIN)/python -m fuzz --calls $(or $(CALLS),10000) --seed $(or $(SEED),1)

bench: $(READY) ## Time linkage, masking and learning against other ways, in the same run; BASE=revision: proofs against an older tree
	@TQDM_DISABLE=1 $(BIN)/python $(if $(BASE),tests/bench_solver.py $(BASE),tests/bench.py)

$(PAPERS): $(READY) ## Rerun the notebooks of one paper only
	@$(BUILD) --paper $@

assess: $(READY) ## Risk of your own files: ORIGINAL=a.csv MASKED=b.csv [KEY=column] [OUT=folder] [TYPES=...] [VALUES=1]
	@[ -n "$(ORIGINAL)" ] && [ -n "$(MASKED)" ] || { echo "Name two CSV files: make assess ORIGINAL=before.csv MASKED=after.csv \
	[KEY=column] [OUT=folder] [TYPES='age=number,grade=low<high'] [VALUES=1] [ALIGNED=1] [SEED=1]" >&2; exit 2; }
	@name=$$(basename "$(MASKED)"); $(BIN)/rlpaper assess "$(ORIGINAL)" "$(MASKED)" --out "$(or $(OUT),build/assess/$${name%.*})" \
		$(if $(KEY),--key "$(KEY)") $(if $(TYPES),--types "$(TYPES)") $(if $(VALUES),--values) $(if $(ALIGNED),--aligned) \
		$(if $(SEED),--seed "$(SEED)")

course: $(READY) ## Run the lessons with their exercises solved, as pages for the teacher
	@$(BIN)/rlpaper course

lab: $(READY) ## Open JupyterLab on the first notebook
	@$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/notebooks/00-start-here.ipynb

review: $(READY) ## Serve a review project to its reviewers by Voila: PROJECT=folder [PORT=8866] [IP=127.0.0.1]
	@$(BIN)/rlpaper review serve $(if $(PROJECT),"$(PROJECT)") $(if $(PORT),--port $(PORT)) $(if $(IP),--ip $(IP))

lock: ## Resolve requirements.lock anew from pyproject.toml (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
		--all-extras --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean: ## Remove what was built: reports, caches, the virtual environment
	rm -rf build $(VENV) rlpaper.egg-info .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## List the targets
	@sed -n 's/^$$(PAPERS):/$(PAPERS):/; s/^\([a-z0-9 -]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		for n in $$name; do printf '  make %-12s %s\n' "$$n" "$$text"; done; done

# The environment: exactly what requirements.lock says, installed by uv, which is fetched into it where it is missing; by pip if
# that fails. uv does not read pip's settings, so what they say about where packages come from is handed on.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "rlpaper needs Python 3.11 or later; name one with: make PYTHON=/path/to/python3"; exit 1; }
	@echo "Setting up $(VENV) from requirements.lock (once; a minute, or two if pip does it)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@uv=$$(command -v uv) || { $(PIP) $(UV) 2>/dev/null && uv=$(BIN)/uv; }; \
	eval "$$($(BIN)/python -m pip config list | sort -r | sed -n $(foreach pair,$(HAND_ON),-e 's/\\n/ /g; s/^[^=]*\.$(subst >,=/export ,$(pair))=/p'))"; \
	export UV_INDEX_STRATEGY=unsafe-best-match; \
	{ [ -n "$$uv" ] && $$uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock && \
		$$uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .; } || \
	{ echo "uv did not do it; now by pip" && $(PIP) --require-hashes -r requirements.lock && \
		$(PIP) --no-deps --no-build-isolation -e .; }
	@$(BIN)/python -m ipykernel install --sys-prefix --name python3 --display-name rlpaper >/dev/null
	@touch $@
