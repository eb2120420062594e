"""The examples do what the file beside them says, line by line."""

import re

from tests.unit.lakeproof.stories import BANK

STAMP = re.compile(r"\d{8}T\d{6}Z-\d+")


def printed(call, path):
    """What `lakeproof run` prints, without the time in names."""
    return STAMP.sub("STAMP", call("run", path).stdout)


def test_the_bank_transfer_holds_as_its_expected_output_says(call):
    """A scenario that is not Iceberg."""
    expected = BANK.with_suffix(".expected.txt").read_text()
    assert printed(call, BANK) == expected


def test_the_unchecked_bank_transfer_loses_a_withdrawal(call, tmp_path):
    """The variant that its docstring speaks of."""
    path = tmp_path / "bank_transfer.py"
    path.write_text(BANK.read_text().replace("CHECKED = True", "CHECKED = False"))
    result = call("run", path)
    assert result.exit_code == 1
    assert "no-lost-update: lost-update" in result.stdout
