"""Runs of built-in scenarios by short schedules, for tests of what is told about them."""

from functools import cache

from checkers.histories.history import History
from lakeproof.protocols import renderer_of
from lakeproof.scenarios import built_in
from reports.explanation.explain import explain
from reports.explanation.judging import judge
from reports.record import Record, Search
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.search.strategies import FirstCome

YIELD_POINTS = ("load", "commit")
SNAPSHOT, SERIALIZABLE = "iceberg/delete-update-snapshot", "iceberg/delete-update-serializable"
LOST = "w1:commit w2:end w1:end"


@cache
def played(name, steps=None):
    """A run of a built-in scenario; without steps, in the default order."""
    runner = Runner(built_in()[name], yield_points=YIELD_POINTS, annotated=True)
    return runner.play(steps_of(steps)) if steps else runner.run(FirstCome())


def explained(run):
    """The explanation of a run by its protocol's renderer."""
    return explain(run, renderer_of(run.scenario))


def told(name, steps=None):
    """(sentences, reasons) of a run."""
    explanation = explained(played(name, steps))
    return [sentence.text for sentence in explanation.sentences], list(explanation.therefore)


def record(name, steps=None, **fields):
    """A record around a run; its search is made up."""
    run = played(name, steps)
    judged = judge(History(run.events), run.scenario.properties)
    verdict = "violated" if judged.findings else "holds"
    known = {
        "tool": "0", "scenario": name, "summary": run.scenario.summary, "question": "?", "expect": "holds",
        "verdict": verdict, "as_expected": verdict == "holds", "headline": verdict, "knobs": {"mode": "test"},
        "search": Search("test", 1, 0, False, 1, dict(run.coverage), run.scenario.counters), "judged": judged,
        "explanation": explained(run), "schedule": "# lakeproof schedule 1\n", "digest": run.digest(),
        "command": "lakeproof replay x",
    }  # fmt: skip
    return Record(**{**known, **fields}), History(run.events)
