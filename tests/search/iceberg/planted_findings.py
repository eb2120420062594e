"""Findings about Iceberg that break what nobody promises, or that others have the anomaly of: how each is told.

What nobody promises is asked all the same, and must hold where the finding is repaired. What another finding explains,
too, is told by what has happened: by whom a fault has struck, by who was under way, by whose file is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from checkers.histories.history import Event
from sim.iceberg.generate import GENERATOR
from sim.search.run import Run
from tests.search.iceberg.java_repairs import JAVA_REPAIRS
from tests.search.planted import Planted, Unpromised, explained_by

JAVA, MANAGED, SURVIVE = "Java API", "Java API, snapshots managed", "acknowledged-writes-survive"
SPECS, REST_LAYOUT = "Java API, specs changed", "Java API, REST catalog, layout changed"


def _done(run: Run, f: str) -> list[Event]:
    """What was acknowledged of an operation."""
    return [event for event in run.events if (event.type, event.f) == ("ok", f)]


def _spans(run: Run, f: str) -> list[tuple[int, int]]:
    """From where to where in the history each operation of this kind lasted."""
    places: dict[int, list[int]] = {}
    for place, event in enumerate(run.events):
        if event.f == f and event.type in ("invoke", "ok", "fail", "info"):
            places.setdefault(event.op, []).append(place)
    return sorted([(some[0], some[-1]) for some in places.values()])


def nobody_beside(run: Run) -> bool:
    """Whether its MERGEs came one after the other: none has begun while another one lasted."""
    spans = _spans(run, "merge missing")
    return all(ended < begun for (_, ended), (begun, _) in pairwise(spans))


def struck_a_rewrite(run: Run) -> bool:
    """Whether all faults struck a writer who does nothing but rewrite manifests."""
    struck = {actor for _, actor, _ in run.injected}
    did = {event.f for event in run.events[: run.acted] if event.process in struck}
    return did == {"cluster manifests"}


def struck_an_import(run: Run) -> bool:
    """The same of a writer who does nothing but import."""
    struck = {actor for _, actor, _ in run.injected}
    return {event.f for event in run.events[: run.acted] if event.process in struck} == {"import"}


def was_created(run: Run) -> bool:
    """Whether somebody created the table, was told so, and one other put his own in the place of what was not there."""
    put = [event for event in run.events if (event.type, event.f) == ("invoke", "create or replace table")]
    return bool(_done(run, "create table")) and len(put) == 1


def lasted_longer(run: Run) -> bool:
    """Whether an append had begun before the table was dropped, and was acknowledged when another one was there."""
    made = [span for kind in ("create table", "create or replace table") for span in _spans(run, kind)]
    return any(
        first < dropped < begun and created < last
        for first, last in _spans(run, "append")
        for _, dropped in _spans(run, "drop table")
        for begun, created in made
    )


def left_statistics(run: Run) -> bool:
    """Whether the file is left that somebody was told he has set, alone, beside an expiry."""
    sent = [event for event in _done(run, "set statistics") if event.arg is not None]
    names = [str(event.arg).partition(",")[0] for event in sent]
    told = [str(event.arg) for event in run.events if event.f == "inspect"]
    return len(names) == 1 and bool(_done(run, "expire")) and any(f"/{names[0]}.stats" in words for words in told)


def published_alone(run: Run) -> bool:
    """Whether a branch was moved, and published then, while nobody else was under way."""
    moved, published = _spans(run, "fast-forward"), _spans(run, "publish")
    others = [span for kind in ("insert", "update", "delete") for span in _spans(run, kind)]
    return bool(_done(run, "fast-forward")) and any(
        ended < begun and not any(begins <= done and ends >= first for begins, ends in others)
        for first, ended in moved for begun, done in published
    )  # fmt: skip


def _unpromised(name: str, where: str, broken: str = SURVIVE, repaired: str | None = None) -> Unpromised:
    repair = JAVA_REPAIRS.get(name)
    return Unpromised(name, GENERATOR, (where,), broken=broken, repaired=repaired, repair=repair)


def _told_by(name: str, where: str, like: str, happened: Callable[[Run], bool], broken: str = "") -> Planted:
    known = explained_by(GENERATOR, like)
    return Planted(name, GENERATOR, (where,), "shipped", broken=broken, shows=lambda run: happened(run) and known(run))


IMPORT = "iceberg/import-reply-faults"
IMPORTED = explained_by(GENERATOR, IMPORT, alone=False)
TOLD: Mapping[str, Planted] = {
    one.name: one for one in (
        _unpromised("iceberg/roll-back-append", MANAGED, repaired="roll-back-needs-head"),
        _unpromised("iceberg/overwrite-overwrite", JAVA, "snapshot-isolation"),
        _unpromised("iceberg/spec-upsert", SPECS),
        _unpromised("iceberg/spec-replace-partitions", SPECS),
        _unpromised("iceberg/clock-ahead-append", MANAGED, "no-leaks"),
        Unpromised("iceberg/statistics-expire", GENERATOR, (REST_LAYOUT,), broken="no-leaks", shows=left_statistics),
        Unpromised("iceberg/call-publish-cached", GENERATOR, ("snapshots managed",), broken=SURVIVE,
                   shows=published_alone),
        _told_by("iceberg/merge-missing-cached", "default", "iceberg/merge-missing-serializable", nobody_beside,
                 SURVIVE),
        _told_by("iceberg/cluster-manifests-reply-faults", "Java API, REST catalog", "iceberg/update-reply-faults",
                 struck_a_rewrite),
        Planted(IMPORT, GENERATOR, ("Java API, REST catalog, manifests appended",), "shipped",
                shows=lambda run: struck_an_import(run) and IMPORTED(run)),
        _told_by("iceberg/create-or-replace-create", JAVA, "iceberg/create-or-replace-create", was_created),
        _told_by("iceberg/hadoop-drop-create-append", "Java API, Hadoop catalog", "iceberg/hadoop-drop-create-append",
                 lasted_longer),
    )
}  # fmt: skip
