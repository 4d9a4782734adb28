# Each target does all the set-up it needs: python3 (3.11 or newer, with venv), make and a package index.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
OUT    ?= demo
SECONDS ?= 600

.PHONY: demo test check test-cpus test-versions slow fuzz bench node blender clean

demo: $(VENV)/.ready-plot  ## the main job, on the embedded default: motions, pictures and a report in demo/
	$(BIN)/footfall demo --out $(OUT)

test: $(VENV)/.ready-dev  ## all tests but the slow studies
	$(BIN)/footfall warmup
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow and not blender"

check: $(VENV)/.ready-dev  ## style, types, the import rule, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

slow: $(VENV)/.ready-dev  ## the slow studies, such as 20,000 mutated files; STUDIES=ci: those that CI runs
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "slow $(if $(STUDIES),and $(STUDIES))"

test-cpus: $(VENV)/.ready-dev  ## examples, golden motions and sensitive tests as other processors compute them
	$(BIN)/python tools/cpu_profiles.py $(if $(PROFILES),--only $(PROFILES))

test-versions: $(VENV)/.ready-dev  ## with the oldest versions stated and the newest; PYTHONS names interpreters
	$(BIN)/python tools/environments.py $(if $(PYTHONS),--python $(PYTHONS))

fuzz: $(VENV)/.ready-dev  ## the randomised tests with fresh seeds, for SECONDS
	$(BIN)/python tools/fuzz.py --seconds $(SECONDS)

bench: $(VENV)/.ready-dev  ## every benchmark, with peers where they can be installed
	$(BIN)/footfall bench

node:  ## the Khronos glTF validator, for the tests that judge GLB files by it
	npm install --no-audit --no-fund --no-package-lock

blender: $(VENV)/.ready-dev .venv-blender/.ready  ## Blender as judge of saved files (a download of about 1 GB)
	FOOTFALL_BLENDER=.venv-blender/bin/python $(BIN)/python -m pytest -m blender tests/blender

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "footfall needs Python 3.11 or newer; say which with make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.ready-plot: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[plot]"
	@touch $@

$(VENV)/.ready-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@ $(VENV)/.ready-plot

.venv-blender/.ready:
	python3.11 -m venv .venv-blender
	.venv-blender/bin/python -m pip install --quiet "bpy==5.0.1"
	@touch $@

clean:
	rm -rf $(VENV) .venv-blender node_modules $(OUT) .pytest_cache .mypy_cache .ruff_cache .hypothesis
