"""The pages of losses: what is lost, by which smallest schedule, what helps, and who knows of it upstream.

    python -m lakeproof.losses            docs/losses.md, and a page and a schedule of each below docs/losses
    python -m lakeproof.losses --live     replay each schedule on the real system first, and keep what came of it
    python -m lakeproof.losses NAME ...   with or without --live: the pages of these scenarios alone, and the index

What is known of a loss is data (`sim/<protocol>/losses.py`); the schedule and its sentences come from a search by the
default plan, the live verdict from the last replay of that very schedule (docs/losses/live.json). Tests make the pages
anew, and look whether the live tests that they name exist.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from checkers.histories.history import History
from lakeproof import protocols
from lakeproof.investigate import Investigation, Knobs, investigate
from lakeproof.protocols import part
from lakeproof.talk import say
from reports.explanation.build import judge_run
from reports.explanation.explain import explain
from sim.search.loss import SEARCHED_IN, SEARCHED_ON, Loss

DOCS = Path("docs")
FOLDER, INDEX = Path("losses"), Path("losses.md")
LIVE = FOLDER / "live.json"
WIDTH = 120
Verdicts = Mapping[str, Mapping[str, str | bool]]
"""What came of the last live replay, by scenario."""
HEAD = f"""\
# Losses

What shipped software loses, corrupts, or never does again: each with a page that says when, how likely, and what helps,
and with the smallest schedule that the search finds. `lakeproof replay docs/losses/NAME.txt` plays it and explains it
step by step, `--live` puts the real system through it. "Agrees" means that the real system did the same at each step,
told each client the same, and broke the same property; "by tests", that there is a test which does so by steps of its
own, where no live gate can hold at those of the schedule; "no", that it is simulated only: of Impala nothing is run.

Upstream was searched from {SEARCHED_ON} on, as each page says: {SEARCHED_IN},
not Apache's JIRA. "None found" means that, and no more; a ticket of JIRA is one that upstream's source or threads name.

This page is made by `make losses`, from `sim/*/losses.py` and from the runs that it names.
"""
COLUMNS = """\
| loss | what is lost | needs | replayed on the real system | reported upstream |
| --- | --- | --- | --- | --- |
"""
NO_ISSUE = "none found"
NOT_REPLAYED = "no"


@dataclass(frozen=True, slots=True)
class Told:
    """A loss, and what a search of its scenario found."""

    loss: Loss
    found: Investigation

    @property
    def schedule(self) -> str:
        """The schedule, as its file has it."""
        return str(self.found.schedule)

    @property
    def digest(self) -> str:
        """What names the schedule in the record of its replay."""
        return sha256(self.schedule.encode()).hexdigest()[:16]


def losses() -> tuple[Loss, ...]:
    """Every loss, in the order of the protocols."""
    return tuple(loss for protocol in protocols.PROTOCOLS if protocol.losses for loss in part(protocol.losses))


def tell(loss: Loss) -> Told:
    """Search the scenario of a loss by the default plan, and make the failing run small."""
    protocols.known_properties()
    found = investigate(protocols.scenarios()[loss.scenario], Knobs(determinism=False))
    assert found.result.verdict == "violated", f"{loss.scenario}: expected a violation, got {found.result.verdict}"
    return Told(loss, found)


def verdicts(folder: Path) -> Verdicts:
    """What came of the live replays so far. Args: `folder`: where the documents are."""
    path = folder / LIVE
    found: Verdicts = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


# -- in words --------------------------------------------------------------------------------------------------------


def page(told: Told, live: Verdicts) -> str:
    """The page of a loss."""
    loss, scenario = told.loss, told.found.scenario
    parts = [
        f"# {loss.title}\n",
        f"`{loss.scenario}`: {scenario.summary}\n",
        f"* Lost: {loss.defect.lost}.\n* Needs: {loss.defect.needs}.\n* Seen on: {loss.defect.real}.\n",
        f"## Configuration\n\n{loss.configuration}\n",
        f"## How likely\n\n{loss.likelihood}\n",
        f"## What helps\n\n{loss.advice}\n\n{_variants(loss)}\n",
        *_search(told),
        *_replay(told, live),
        *_upstream(loss),
        *([f"## Beyond\n\n{loss.scope}\n"] if loss.scope else []),
    ]
    return "\n".join(parts)


def _variants(loss: Loss) -> str:
    names = ", ".join(f"`{name}`" for name in loss.defect.helps)
    return f"Holds within its bounds: {names}." if names else "No variant that holds is simulated."


def _search(told: Told) -> Iterator[str]:
    """The smallest schedule, and what it does in sentences."""
    run, result = told.found.run, told.found.result
    explanation = explain(run, protocols.renderer_of(told.found.scenario))
    judged = judge_run(run, History(run.events))
    broken = ", ".join(f"{finding.property} ({finding.anomaly})" for finding in judged.findings)
    faults = f"; {result.scenario.faults}" if result.scenario.faults.limit else ""
    yield "## The smallest schedule\n"
    yield f"Found within {result.found_words}. Breaks {broken}. Bounds: {result.scenario.bounds}{faults}.\n"
    yield "\n".join(f"{sentence.number}. {sentence.text}" for sentence in explanation.sentences) + "\n"
    yield "\n".join(f"* {reason}" for reason in explanation.therefore or judged.findings[0].sentences) + "\n"
    yield f"```\n{told.schedule.rstrip()}\n```\n"


def _replay(told: Told, live: Verdicts) -> Iterator[str]:
    loss = told.loss
    path = (DOCS / FOLDER / f"{loss.file}.txt").as_posix()
    can = "" if told.found.scenario.live is None else " --live"
    yield f"## Replay\n\n    lakeproof replay {path}{can}\n"
    kept = live.get(loss.scenario)
    if kept is not None and kept["schedule"] == told.digest:
        agreed = "agrees with the simulation" if kept["agrees"] else "DIFFERS from the simulation"
        yield f"Replayed step by step: {kept['system']} {agreed}.\n"
    if loss.live:
        yield "Tests that put the real software through it:\n"
        yield "\n".join(f"* `{name}`" for name in loss.live) + "\n"


def _upstream(loss: Loss) -> Iterator[str]:
    upstream = loss.upstream
    yield f"## Upstream\n\nReports of this very loss: {upstream.reported or NO_ISSUE}. Nearest:\n"
    yield "\n".join(f"* {name}: {says}" for name, says in upstream.nearest) + "\n"
    words = "; ".join(f'"{each}"' for each in upstream.words)
    yield f"Searched for {words}, on {upstream.searched_on}.\n"


def index(told: Sequence[Told], live: Verdicts) -> str:
    """The page of all losses."""
    rows = "".join(f"| {' | '.join(_cells(one, live))} |\n" for one in told)
    return f"{HEAD}\n{COLUMNS}{rows}"


def _cells(told: Told, live: Verdicts) -> Iterable[str]:
    loss = told.loss
    yield f"[{loss.title}]({FOLDER.as_posix()}/{loss.file}.md)"
    yield loss.defect.lost
    yield loss.defect.needs
    yield _replayed(told, live)
    yield loss.upstream.reported or NO_ISSUE


def _replayed(told: Told, live: Verdicts) -> str:
    """In a cell: whether the real system has done the same."""
    kept = live.get(told.loss.scenario)
    if kept is not None and kept["schedule"] == told.digest:
        return f"{kept['system']}: {'agrees' if kept['agrees'] else 'DIFFERS'}"
    return f"{told.loss.defect.real}, by tests" if told.loss.live else NOT_REPLAYED


# -- the command -----------------------------------------------------------------------------------------------------


def replay(told: Sequence[Told], folder: Path) -> None:
    """Replay the schedules on their live systems, and keep what came of each before the next."""
    from lakeproof.live import live_systems  # only who asks for live systems waits for it

    with live_systems() as systems:
        for one in told:
            if one.found.scenario.live is None:
                continue
            say(f"{one.loss.scenario}, live")
            live = systems.replay(one.found.scenario, one.found.schedule, one.found.run).live
            kept = {"schedule": one.digest, "system": live.system, "agrees": live.agrees}
            known = {**verdicts(folder), one.loss.scenario: kept}
            text = json.dumps(dict(sorted(known.items())), indent=1)
            (folder / LIVE).write_text(f"{text}\n", encoding="utf-8")


def main(words: Sequence[str], folder: Path = DOCS) -> None:
    """Make the pages. Args: `words`: `--live`, and names of scenarios (none: all); `folder`: where documents are."""
    names = [word for word in words if word != "--live"]
    told = []
    for loss in losses():
        say(loss.scenario)
        told.append(tell(loss))
    chosen = [one for one in told if not names or one.loss.scenario in names]
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    if "--live" in words:
        replay(chosen, folder)
    live = verdicts(folder)
    for one in chosen:
        (folder / FOLDER / f"{one.loss.file}.txt").write_text(one.schedule, encoding="utf-8")
        (folder / FOLDER / f"{one.loss.file}.md").write_text(page(one, live), encoding="utf-8")
    (folder / INDEX).write_text(index(told, live), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
