# Everything works on a machine with Python 3.11+ and a package index; it makes its own .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: coverage demo test lint docs bench bench-plots bench-spark bench-spark-bounds clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e . --group test --group lint
	touch $@

$(VENV)/with-spark: $(VENV)/ready  # half a gigabyte: only what needs it waits for it
	$(BIN)/python -m pip install -q --group pipeline
	touch $@

demo: $(VENV)/with-spark  ## real clients against ten releases, a part of the matrix, and what Spark says about it
	$(BIN)/python demo/demo.py --matrix build/demo

test: $(VENV)/with-spark lint  ## lint, types, all tests
	$(BIN)/python -m pytest -n auto

$(VENV)/with-coverage: $(VENV)/ready
	$(BIN)/python -m pip install -q --group coverage
	touch $@

COVERED := tests/emulator tests/statements --most-cases 2
coverage: export COVERAGE_FILE = build/coverage/data
coverage: export HYPOTHESIS_PROFILE = few
coverage: $(VENV)/with-coverage  ## branch coverage of the emulator by its own tests, two cases of each: holes, and the figure last
	rm -rf build/coverage && mkdir -p build/coverage
	-$(BIN)/python -P -m coverage run -m pytest -n auto -q --no-header $(COVERED) > build/coverage/tests.txt  # `make test` judges them
	$(BIN)/python -P -m coverage combine -q
	$(BIN)/python -P -m coverage report
	$(BIN)/python -P -m coverage json -q -o build/coverage/report.json
	$(BIN)/python -m tests.coverage_figure build/coverage/report.json

lint: $(VENV)/with-spark
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/with-docs: $(VENV)/ready
	$(BIN)/python -m pip install -q --group docs
	touch $@

docs: $(VENV)/with-docs  ## the documentation as a site, build/site/index.html; warnings are errors
	$(BIN)/python -m docs.generator build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench: $(VENV)/ready  ## ratios against peers; CHECK=1 fails if one is worse than in the last release
	$(BIN)/python tests/benchmarks/run.py $(if $(CHECK),--check)

$(VENV)/with-bench: $(VENV)/ready
	$(BIN)/python -m pip install -q --group bench
	touch $@

bench-plots: $(VENV)/with-bench  ## beside kfake, librdkafka's mock and Kafka's JVM: the figures and plot of the page on performance
	$(BIN)/python tests/benchmarks/run.py --plots

bench-spark: $(VENV)/with-spark  ## the pipeline beside its peers; takes some minutes
	$(BIN)/python tests/benchmarks/spark_run.py

bench-spark-bounds: $(VENV)/with-spark  ## memory of workers, planning, spread: fails where a promise is not kept
	$(BIN)/python tests/benchmarks/spark_bounds.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache dist
