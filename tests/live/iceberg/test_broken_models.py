"""A model with one rule broken is caught by the real system: the command says DIFFERS and exits 1.

Neither side breaks a property in these runs, so nothing but the comparison can tell.
"""

import pytest
from click.testing import CliRunner

from lakeproof.cli import cli
from model.iceberg.errors import CommitFailed, ValidationFailed
from model.iceberg.producer import SnapshotProducer
from model.iceberg.row_delta import RowDelta
from model.iceberg.validations import Window
from real_backend.gating.backends import Backends
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant

pytestmark = pytest.mark.live
FILE = """
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, Update

scenario = race("mine", "Two statements.", {writers}, {table})
"""
NEIGHBOURS = '{"w1": [Delete(1)], "w2": [Update(2, "B")]}'
RIVALS = '{"w1": [Update(1, "A")], "w2": [Update(1, "B")]}'
W1_LAST = "w1:commit\nw2:end\nw1:end\n"
W1_READS_FIRST = "w1.load\nw2:end\nw1:end\n"
_exist, _refuse = RowDelta.validate_data_files_exist, Window._refuse


def and_deletes(self, paths):
    """Every row delta refuses concurrent delete files, a DELETE's too."""
    return _exist(self, paths).validate_no_conflicting_delete_files()


def retries_validation(_, error):
    """Another attempt after a refusal by validation."""
    return isinstance(error, CommitFailed | ValidationFailed)


def refuses_as_lost_race(self, found, mark, expected):
    """A refusal by validation, told as a lost race."""
    try:
        _refuse(self, found, mark, expected)
    except ValidationFailed as error:
        raise CommitFailed(str(error)) from None


def as_shipped():
    """No rule broken."""
    return Mutant("none", "nothing is broken", ())


def delete_validates():
    """DELETE validates what it does not validate as shipped."""
    return replaced("delete-validates", RowDelta, "validate_data_files_exist", and_deletes, "a DELETE is refused")


def validation_is_retried():
    """A refusal by validation is tried again."""
    return replaced("validation-retried", SnapshotProducer, "_may_retry", retries_validation, "more loads")


def validation_is_a_lost_race():
    """A refusal by validation is told as a lost race."""
    return replaced("validation-told-as-race", Window, "_refuse", refuses_as_lost_race, "the client would try again")


@pytest.fixture
def mine(sql, tmp_path, monkeypatch):
    """`lakeproof replay --live` of a user's file and steps, on the session's Spark."""
    monkeypatch.setattr(Backends, "of", lambda self, make: sql)

    def run(mutant, writers, table, steps):
        path, schedule = tmp_path / "mine.py", tmp_path / "schedule.txt"
        path.write_text(FILE.format(writers=writers, table=table))
        schedule.write_text(f"# lakeproof schedule 1\n# scenario: iceberg/mine\n# yield-points: load commit\n{steps}")
        with mutant.alive():
            return CliRunner().invoke(cli, ["replay", str(schedule), "--scenario", str(path), "--live"])

    return run


@pytest.mark.parametrize(("broken", "writers", "table", "steps", "differs"), [
    (delete_validates, NEIGHBOURS, "", W1_LAST, "w1: delete row 1: simulated refused (ValidationFailed); live ok"),
    (validation_is_retried, RIVALS, "", W1_LAST, "steps"),
    (
        validation_is_a_lost_race, RIVALS, "retries=0", W1_READS_FIRST,
        "w1: update row 1 = A: simulated lost the race (CommitFailed); live refused (ValidationException)",
    ),
])  # fmt: skip
def test_a_broken_rule_makes_the_replay_differ(mine, broken, writers, table, steps, differs):
    """Exit 1 and the difference by name; with the rule as shipped the same replay agrees and exits 0."""
    wrong = mine(broken(), writers, table, steps)
    assert f"DIFFERS  {differs}" in wrong.stdout
    assert "every property holds" in wrong.stdout
    assert wrong.exit_code == 1
    right = mine(as_shipped(), writers, table, steps)
    assert "DIFFERS" not in right.stdout
    assert right.exit_code == 0, right.stdout + right.stderr
