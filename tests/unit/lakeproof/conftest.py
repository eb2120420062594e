"""The command line, called in this process."""

import pytest
from click.testing import CliRunner

from lakeproof.cli import cli


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


def last_line(result):
    """The last line of standard output."""
    return result.stdout.rstrip().splitlines()[-1]


@pytest.fixture
def last():
    """The last line of a result's standard output."""
    return last_line
