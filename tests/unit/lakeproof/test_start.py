"""What a command imports before it does something: who asks for the version waits for nothing that is not needed."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "numpy", "pyarrow", "pandas", "scipy", "pyiceberg", "pyspark", "py4j", "networkx", "matplotlib", "pydantic",
    "jinja2", "rich", "sqlalchemy", "thriftpy2", "psycopg", "hypothesis", "pytest",
}  # fmt: skip
FOR_SOME = {"multiprocessing", "xml", "platformdirs", "tomllib"}
"""What --jobs, --junit and --live need."""
CALL = """
import sys
sys.argv = ["lakeproof", *{arguments!r}]
from lakeproof.cli import main
try:
    main()
except SystemExit as ended:
    names = {{name if name.startswith("real_backend.") else name.partition(".")[0] for name in sys.modules}}
    print("code", ended.code, *sorted(names), file=sys.stderr)
"""


def imported(folder, *arguments):
    """The exit code of a command in a process of its own, and the libraries that it imported."""
    call = CALL.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", call], cwd=folder, capture_output=True, text=True, check=True)
    _, code, *modules = done.stderr.splitlines()[-1].split()
    return int(code), set(modules)


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("list",), ("list", "--json")])
def test_a_command_that_searches_nothing_imports_no_large_library(tmp_path, arguments):
    """PyIceberg among them: its scenarios are listed without it."""
    code, modules = imported(tmp_path, *arguments)
    assert code == 0
    assert "click" in modules
    assert not modules & HEAVY


@pytest.mark.parametrize("name", ["iceberg/append-append", "hudi/older-instant", "hive/shipped-stale-read"])
def test_a_run_imports_what_its_own_scenario_needs(tmp_path, name):
    """No other protocol's library, nothing of a live system, nothing that draws charts, or serves other options."""
    code, modules = imported(tmp_path, "run", name)
    assert code == 0
    assert modules & HEAVY == {"numpy", "pyarrow", "jinja2"}
    assert not modules & FOR_SOME
    assert {one for one in modules if one.startswith("real_backend.")} <= {"real_backend.errors"}


def test_a_check_imports_no_simulation_and_no_page(tmp_path):
    """Not even what a run needs: the history is read and judged."""
    history = {"type": "ok", "process": "setup", "op": 0, "f": "insert", "commit": 0}
    (tmp_path / "one.jsonl").write_text(json.dumps(history) + "\n")
    code, modules = imported(tmp_path, "check", "one.jsonl", "--property", "readable")
    assert code in (0, 2)
    assert modules & HEAVY <= {"numpy", "pyarrow"}
    assert not modules & FOR_SOME


def test_a_process_that_ends_looks_for_no_garbage(tmp_path):
    """A fifth of a small run went by in looking through what had been imported, at its end."""
    call = CALL.format(arguments=("list",)) + "\nimport gc\nprint(gc.get_freeze_count(), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", call], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert int(done.stderr.splitlines()[-1]) > 1_000


def test_help_names_every_verb_as_its_own_help_does(call):
    """The first page is written without importing the verbs."""
    from lakeproof.cli import COMMANDS

    for verb in COMMANDS:
        assert verb in call("--help").stdout
        assert call(verb, "--help").exit_code == 0


def test_a_users_own_file_may_import_pandas(tmp_path):
    """It is kept out of our start alone."""
    (tmp_path / "own.py").write_text("import pandas\nassert pandas.__version__\nscenario = None\n")
    code = CALL.format(arguments=("run", "own.py"))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "expected a module-level `scenario`" in done.stderr
    assert "pandas" in done.stderr.splitlines()[-1].split()
