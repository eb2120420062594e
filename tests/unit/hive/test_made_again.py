"""Hive's own client: which calls it makes again, how often, and what comes of it in a race."""

from typing import Any

import pytest

from checkers.histories.history import History
from model.hive.asking_again import AskingAgain
from model.ports import ConnectionLost, Refused
from sim.hive.asking import ASKING
from sim.hive.live import CALLS
from sim.search.explore import default_plan
from tests.mutants.edited import edited
from tests.unit.hive.told import Told, anomalies

LOST, DONE = ConnectionLost("expected an answer, got none"), "done"
BY_NAME = {scenario.name: scenario for scenario in ASKING}


class Metastore:
    """What it answers, call by call; an error is raised."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def __getattr__(self, name: str) -> Any:
        def call() -> Any:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call


def told(call: str, *answers: Any) -> tuple[str, int]:
    """What the client is told at last, and how often it has asked."""
    metastore = Metastore(*answers)
    again: list[int] = []
    try:
        said = str(getattr(AskingAgain(lambda: metastore, lambda: again.append(1)), call)())
    except (ConnectionLost, Refused) as error:
        said = type(error).__name__
    made = len(answers) - len(metastore.answers)
    assert len(again) == made - 1
    return said, made


VECTORS = [
    *[(call, (LOST, DONE), ("done", 2)) for call in CALLS],
    ("alter_table", (DONE, DONE), ("done", 1)),
    ("alter_table", (LOST, LOST, DONE), ("ConnectionLost", 2)),
    ("alter_table", (Refused("no such table"), DONE), ("Refused", 1)),
    ("drop_table", (LOST, Refused("no such table")), ("Refused", 2)),
    ("lock_table", (LOST, DONE), ("ConnectionLost", 1)),
    ("lock_update", (LOST, DONE), ("ConnectionLost", 1)),
    ("lock_together", (LOST, DONE), ("ConnectionLost", 1)),
    ("record_update", (LOST, DONE), ("ConnectionLost", 1)),
    ("check_lock", (LOST, DONE), ("done", 2)),
]
"""As `RetryingMetaStoreClient.invoke` 4.0.1 does with `metastore.failure.retries` 1."""
BROKEN = {
    "nothing is made again": ("except ConnectionLost:", "except ZeroDivisionError:"),
    "what was refused is made again": ("except ConnectionLost:", "except Exception:"),
    "requests for locks are made again": ("if name in NEVER_AGAIN:", "if False:"),
}


@pytest.mark.parametrize(("call", "answers", "expected"), VECTORS)
def test_what_is_made_again(call, answers, expected):
    """Once, and no request for a lock."""
    assert told(call, *answers) == expected


@pytest.mark.parametrize("why", BROKEN)
def test_each_rule_is_noticed(why):
    """By a vector that tells something else."""
    with edited(why, why, (AskingAgain, "__getattr__", BROKEN[why])).alive():
        assert any(told(call, *answers) != expected for call, answers, expected in VECTORS)


@pytest.mark.parametrize(
    ("makers", "refused", "expected"),
    [
        ("w1 w2", False, ([], [])),
        ("w1 w1 w2", False, ([], [])),
        ("w1 w2 w1", False, (["made-twice"], [])),
        ("w1 w2", True, ([], ["refused-and-made"])),
        ("w2", True, ([], [])),
    ],
)
def test_the_properties(makers, refused, expected):
    """Whoever makes two versions around another one's, and whoever makes one and is refused."""
    record = Told().record
    ops = {name: record.invoke(name, "alter", "at=h1 table=t") for name in ("w1", "w2")}
    for name, op in ops.items():
        if refused and name == "w1":
            record.fail(op, "NoSuchTable: t")
        else:
            record.ok(op, writes=((f"table:{op + 1}", name),))
    record.version(0, 0)
    for ordinal, name in enumerate(makers.split(), 1):
        record.version(ordinal, ordinal, ordinal - 1, op=ops[name])
    history = History(record.events())
    assert (anomalies(history, "changes-happen-once"), anomalies(history, "refusals-are-true")) == expected


@pytest.mark.parametrize("name", BY_NAME)
def test_a_race_comes_to_what_its_row_says(name):
    """Where a call that got no answer is made again something is made twice, or refused and made."""
    assert default_plan(BY_NAME[name]).as_expected
