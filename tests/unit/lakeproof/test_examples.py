"""The examples do what the file beside them says, line by line."""

import re

import pytest

from tests.unit.lakeproof.scenario_files import BANK

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


def test_the_hudi_example_is_violated_as_shipped_and_holds_where_the_loss_is_repaired(call, tmp_path):
    """Options by Hudi's own keys."""
    example = BANK.with_name("hudi_upserts.py")
    assert "VIOLATED, as expected" in call("run", example).stdout
    path = tmp_path / "repaired.py"
    text = example.read_text().replace("RULES = SHIPPED", "RULES = NEWER_BASE_REFUSED")
    text = text.replace("import SHIPPED", "import SHIPPED\nfrom model.hudi.variants import NEWER_BASE_REFUSED")
    path.write_text(text.replace('    broken="acknowledged-writes-survive",\n', ""))
    assert "HOLDS, as expected" in call("run", path).stdout


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("iceberg_race", '"snapshot"\n', '"serializable"\n'), ("hive_sessions", "SHIPPED", "FIXED")],
)
def test_the_other_examples_are_violated_as_shipped_and_hold_where_they_say_so(call, tmp_path, name, old, new):
    """One line of the file is changed, and what is expected."""
    example = BANK.with_name(f"{name}.py")
    assert "VIOLATED, as expected" in call("run", example).stdout
    path = tmp_path / "repaired.py"
    text = re.sub(r'    broken="read.*\n', "", example.read_text().replace(f"{old}", new))
    path.write_text(text)
    assert "HOLDS, as expected" in call("run", path).stdout


def test_an_option_that_cannot_be_is_one_line(call, tmp_path):
    """The key, the value, what is allowed; 64."""
    path = tmp_path / "misspelt.py"
    path.write_text(BANK.with_name("hudi_upserts.py").read_text().replace("concurrency.mode", "concurency.mode"))
    result = call("run", path)
    assert result.exit_code == 64
    assert result.stderr.splitlines()[-1].startswith("lakeproof: ")
    assert "did you mean hoodie.write.concurrency.mode?" in result.stderr
