"""Services in place of writers, in generated Hudi races on merge-on-read tables: now and then one writer is left,
beside who compacts, and who overwrites, clusters or restores; or alone, who compacts and restores himself.

It is drawn when all else has been, so that a race without it is what it was. What services do to each other is drawn
seldom where several writers are at work, and then stands behind all their steps. There is none of non-blocking writers,
nor where clocks are apart or something may fail, with early detection, or with a metadata table.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import BUCKET_CONFLICTS, EARLY, IN_PROCESS, LOCK_PROVIDER, UPDATES
from sim.generation.draws import Draws
from sim.hudi.draw.clustering import draw_updates
from sim.hudi.draw.restores import TRIES
from sim.hudi.rows import Rows
from sim.hudi.settings import config_of
from sim.hudi.statements import (
    Cluster,
    Compact,
    Overwrite,
    Read,
    Restore,
    Savepoint,
    Statement,
    Upsert,
    Write,
    anybody,
)
from sim.hudi.workload import Options

SHAPE = "who is beside who compacts"
AS_DRAWN, OVERWRITES, CLUSTERS, RESTORES = "as drawn", "who overwrites", "who clusters", "who restores"
ALONE = "nobody, who restores alone"
SHAPES = (*[AS_DRAWN] * 5, OVERWRITES, CLUSTERS, RESTORES, ALONE)
UPSERTS, COMPACTS = "an upsert", "a compaction"
SERVICES = (Cluster, Compact, Restore, Savepoint)
MOST = 2
"""How many statements the writer has at most."""
Actors = list[list[Statement]]
Groups = tuple[tuple[str, Rows], ...]


def draw_services(
    draws: Draws, settings: Mapping[str, str], actors: Actors, groups: Groups, beside: Options
) -> tuple[Actors, Options]:  # fmt: skip
    """Draw whether it is such a race. Args: `groups`: the file groups, and their rows; `beside`: what is set beside the
    settings. Returns: the actors, and what is set beside them.
    """
    config = config_of(settings)
    fits = config.merge_on_read and not config.bucketed and not config.metadata
    alone = settings[LOCK_PROVIDER] == IN_PROCESS and settings[EARLY] != "true"
    never = not (fits and alone) or config.conflict_strategy == BUCKET_CONFLICTS
    shape = AS_DRAWN if never else draws.one_of(SHAPE, SHAPES)
    if shape == AS_DRAWN:
        return actors, beside
    row = groups[0][1][0][0]
    writer = _writer(actors) or [Upsert(((row, "W"),))]
    if shape == ALONE:
        readers: Actors = [[one for one in todo if isinstance(one, Read)] for todo in actors if anybody([todo], Read)]
        return [_alone(draws, writer, row), *readers], beside
    of_logs = [todo for todo in actors if any(isinstance(one, Compact) and one.logs for one in todo)]
    compacting: Actors = [[Compact(draws.one_of("whose plan", ("its own", "anybody's")) == "anybody's")], *of_logs]
    if shape == OVERWRITES:
        whole = draws.flag("of the whole table")
        return [[*writer, Overwrite(((row, "over"),), whole_table=whole)], *compacting], beside
    if shape == CLUSTERS:
        return [writer, [Cluster()], *compacting], _updated(draws, beside)
    tries = draws.one_of("how often a restore is tried", (TRIES, 1))
    return [writer, [Savepoint(), Restore(tries)], *compacting], beside


def _alone(draws: Draws, writer: list[Statement], row: int) -> list[Statement]:
    """What one does who takes back what he has done since a savepoint, and goes on."""
    undone = draws.list_of(
        "what is taken back", 1, 3, lambda _: draws.one_of("a thing taken back", (UPSERTS, COMPACTS))
    )
    back = [Compact() if one == COMPACTS else Upsert(((row, f"back {n}"),)) for n, one in enumerate(undone)]
    return [*writer, Savepoint(), *back, Restore(), Upsert(((row, "on"),))]


def _updated(draws: Draws, beside: Options) -> Options:
    return beside if UPDATES in dict(beside) else (*beside, *draw_updates(draws))


def _writer(actors: Actors) -> list[Statement]:
    """The first writes of the first of them who does services of no kind."""
    writers = [[one for one in todo if isinstance(one, Write)] for todo in actors if not anybody([todo], *SERVICES)]
    return next((list(todo[:MOST]) for todo in writers if todo), [])
