"""What is installed: the wheel has all that the code reads, says that it is typed, and carries its licence."""

import shutil
import subprocess
import sys
import zipfile
from email.parser import HeaderParser

import pytest

from tests.unit.house.rules import MAY_IMPORT, ROOT

CODE = "import setuptools.build_meta as b, sys; print(b.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout, made from a copy."""
    copy = tmp_path_factory.mktemp("checkout")
    for package in MAY_IMPORT:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    done = subprocess.run(
        [sys.executable, "-c", CODE, "."], cwd=copy, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(copy / done.stdout.splitlines()[-1]) as archive:
        yield archive


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    """Code, templates, Java sources, tables; nothing is read that is not installed."""
    files = [
        path.relative_to(ROOT)
        for package in MAY_IMPORT
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert len(files) > 300
    assert {str(path) for path in files} - set(wheel.namelist()) == set()


def test_every_package_says_that_it_is_typed(wheel):
    """Else a type checker takes everything of it for `Any`."""
    assert {name.split("/")[0] for name in wheel.namelist() if name.endswith("/py.typed")} == set(MAY_IMPORT)


def test_the_licence_is_in_the_wheel_and_named(wheel):
    """Apache-2.0, its whole text."""
    folder = next(name.split("/")[0] for name in wheel.namelist() if name.endswith("/METADATA"))
    assert HeaderParser().parsestr(wheel.read(f"{folder}/METADATA").decode())["License-Expression"] == "Apache-2.0"
    text = wheel.read(f"{folder}/licenses/LICENSE").decode()
    assert text == (ROOT / "LICENSE").read_text()
    assert "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION" in text
    assert len(text) > 11_000
