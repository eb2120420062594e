"""The command line, called in this process."""

import pytest
from click.testing import CliRunner

from lakeproof import protocols
from lakeproof.cli import cli
from tests.unit.lakeproof.till import TILL


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Call `lakeproof` with arguments, in an empty folder; the result has exit_code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAKEPROOF_DEBUG", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)

    def invoke(*arguments):
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments], prog_name="lakeproof")
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


@pytest.fixture
def a_till(monkeypatch):
    """A fourth protocol, whose scenarios are generated and small."""
    monkeypatch.setattr(protocols, "PROTOCOLS", (*protocols.PROTOCOLS, TILL))


def last_line(result):
    """The last line of standard output."""
    return result.stdout.rstrip().splitlines()[-1]


@pytest.fixture
def last():
    """The last line of a result's standard output."""
    return last_line
