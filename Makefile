# Everything happens inside the checkout: the virtual environment in .venv, jars in .cache/jars, runs in runs/.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup jars demo campaign silent test thorough agreement bad-inputs known-verdicts verdicts guarantees bench bench-spark lint format lock planted known-defects formal detection losses clean

help:
	@echo "make demo    simulate, check, explain and replay on live Spark SQL"
	@echo "make campaign  fifteen minutes of generated scenarios on Spark; a report of what fails, by its causes"
	@echo "make silent  a million schedules of configurations that are to hold: nothing may fail, known or not"
	@echo "make test    every kind of test, live ones included (Java 17 and Maven needed)"
	@echo "make thorough  the cases that the tests leave out, as others beside them show the same"
	@echo "make agreement  2,510 generated scenarios and all schedules of 20,097 pairs of operations on the real Iceberg, Hudi, Hive"
	@echo "make bad-inputs  every generated bad input, of which the tests try forty"
	@echo "make known-verdicts  a hundred thousand generated histories of known verdict, of which the tests judge a few"
	@echo "make known-defects  docs/known-defects: which known defects of Iceberg and Hudi the generators find, and their fixes"
	@echo "make formal   docs/formal-iceberg.md, docs/formal-hudi.md: the published formal models, recomputed"
	@echo "make detection  docs/early-detection.md: what each strategy of Hudi's early detection keeps, recomputed"
	@echo "make planted  make docs/planted.md: what it takes the generators to find each mutant and each known finding"
	@echo "make guarantees  make docs/guarantees.md: what each metastore cache keeps, over a hundred thousand schedules each"
	@echo "make verdicts  make docs/verdicts.md anew: every scenario searched, every claim judged"
	@echo "make losses  make docs/losses.md and its pages: what shipped software loses, how, and what helps"
	@echo "make bench   speed of the simulator, of the checkers and of gated live runs"
	@echo "make bench-spark  check ten million operations on Spark, beside a plain job for one property"
	@echo "make lint    ruff, ruff format, mypy --strict"
	@echo "make clean   remove everything that make created"

setup: $(STAMP)

# Made again when the lock or the project's own metadata changes; the stamp is written last, so that an interrupted
# installation is not taken for a finished one.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "setup: expected Python 3.11 or newer, got %d.%d; set PYTHON=..." % sys.version_info[:2])'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

jars: setup
	@$(BIN)/python -m lakeproof.fetch

demo: setup
	@$(BIN)/lakeproof demo

# Exit code 1: something fails that no known finding explains. A folder that is there is never overwritten: name another
# one with OUT=..., or go on in it with OPTIONS=--resume.
OUT ?= campaigns/campaign
OPTIONS ?=

campaign: setup
	@$(BIN)/lakeproof campaign examples/campaign.toml --master 'local[2]' --out $(OUT) $(OPTIONS)

SILENT ?= campaigns/silent

silent: setup
	@$(BIN)/lakeproof campaign examples/silent.toml --master 'local[2]' --out $(SILENT) $(OPTIONS)
	@$(BIN)/python -m tests.search.silent $(SILENT)

# First what runs on any number of cores, then what shares a Spark session and a pair of metastores: two of each, as a
# gated run waits for its real system more than it computes.
test: jars
	$(BIN)/python -m pytest -m "not live and not thorough" -n auto --dist loadfile --benchmark-disable
	$(BIN)/python -m pytest -m "live and not thorough" -n 2 --dist loadfile --benchmark-disable tests/live

# What takes longest, while others of the same tests or files show the like: tests/thorough.txt. CI runs it after the
# tests.
thorough: jars
	$(BIN)/python -m pytest -m thorough -n 2 --dist loadfile --benchmark-disable

# Exit code 1: a real system does something else than the simulation. ARGUMENTS="iceberg-sql=50 hudi=20 --first 1000"
# says which systems, how many scenarios of each, and from which seed on.
ARGUMENTS ?=

agreement: jars
	$(BIN)/python -m tests.agreement $(ARGUMENTS)

known-verdicts: setup
	$(BIN)/python -m tests.known_verdicts

bad-inputs: setup
	$(BIN)/python -m tests.bad_inputs

# docs/planted.md, from the tries of runs/planted.jsonl and those that are not there yet; half an hour on one core.
planted: setup
	$(BIN)/python -m tests.search.planted_page

# docs/known-defects, from the tries that are kept there and those that are not there yet; half an hour on one core.
known-defects: setup
	$(BIN)/python -m tests.search.iceberg.known_defects_page
	$(BIN)/python -m tests.search.hudi.known_defects_page

# docs/formal-iceberg.md and docs/formal-hudi.md: every row of the published models of commits; ten minutes.
formal: setup
	$(BIN)/python -m tests.search.iceberg.formal_page
	$(BIN)/python -m tests.search.hudi.formal_page

# docs/early-detection.md: every strategy of Hudi's early conflict detection; eight minutes.
detection: setup
	$(BIN)/python -m tests.search.hudi.detection_page

# docs/guarantees.md, from the cells of docs/guarantees that are there and a search of those that are not: delete
# docs/guarantees to begin anew; an hour on one core.
guarantees: setup
	$(BIN)/python -m tests.search.guarantees_page

# Every built-in scenario searched anew, every claim judged anew: docs/verdicts.md is made of it.
verdicts: setup
	$(BIN)/python -m lakeproof.verdicts > docs/verdicts.md.new
	mv docs/verdicts.md.new docs/verdicts.md

# docs/losses.md and docs/losses: five seconds. LIVE=--live replays every schedule on the real systems first.
LIVE ?=

losses: setup
	$(BIN)/python -m lakeproof.losses $(LIVE)

bench: jars
	$(BIN)/python -m pytest tests/benchmarks tests/live/test_live_speed.py tests/live/hudi/test_marker_speed.py --benchmark-only --benchmark-columns=median,rounds -s
	$(BIN)/python -m tests.benchmarks.fan_out

# Ten million operations on Spark, and by a plain job for one property: minutes on a calm machine, and of use on no other.
bench-spark: jars
	$(BIN)/python -m tests.benchmarks.check_on_spark

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# For maintainers: resolve the ranges of pyproject.toml anew.
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet pip-tools
	CUSTOM_COMPILE_COMMAND="make lock" $(VENV)-lock/bin/pip-compile --quiet --extra dev --generate-hashes --strip-extras \
		--allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-options --output-file requirements.lock pyproject.toml
	rm -rf $(VENV)-lock

clean:
	rm -rf $(VENV) $(VENV)-lock .cache .hypothesis .pytest_cache .mypy_cache .ruff_cache .benchmarks build dist runs *.egg-info
