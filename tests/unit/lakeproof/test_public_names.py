"""The names that a scenario file imports, and what importing them costs."""

import subprocess
import sys

import pytest

import lakeproof


@pytest.mark.parametrize("name", lakeproof.__all__)
def test_every_public_name_is_there(name):
    """And is listed."""
    assert getattr(lakeproof, name) is not None
    assert name in dir(lakeproof)


def test_an_unknown_name_is_an_attribute_error():
    """As of any module."""
    with pytest.raises(AttributeError, match="no attribute 'Bank'"):
        lakeproof.Bank  # noqa: B018  # the look-up is what is tested


@pytest.mark.parametrize(
    ("code", "banned"),
    [
        ("import lakeproof.pytest_plugin", {"sim", "checkers", "pyarrow", "pyspark", "jinja2", "numpy"}),
        ("from lakeproof import *", {"pyspark", "py4j", "jinja2", "rich", "click"}),
        ("import lakeproof.cli", {"pyspark", "py4j"}),
    ],
)
def test_importing_stays_light(code, banned):
    """Nobody waits for Spark who does not ask for it; pytest sessions wait for nothing at all."""
    script = f"{code}\nimport sys\nprint(' '.join(name for name in {sorted(banned)} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
