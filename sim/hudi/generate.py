"""Generated races on one Hudi table: who is at work, on what table, under which options, and what may fail."""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.hudi import VARIANTS, HudiConfig, Rules
from model.hudi.keys import (
    BUCKET_CONFLICTS,
    FILE_SYSTEM,
    LOCK_PROVIDER,
    MERGE_ON_READ,
    METASTORE,
    MODE,
    NON_BLOCKING,
    STORAGE_BASED,
    TABLE_TYPE,
    ZOOKEEPER,
)
from sim.generation.draws import Draws
from sim.generation.generator import Generator, promised
from sim.hudi.build import MARKER_FILES, ONCE, WRITES, Writers, race
from sim.hudi.carried import check_carried
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.archiving import draw_archiving
from sim.hudi.draw.cleaning import draw_cleaning
from sim.hudi.draw.clocks import draw_offsets, in_time, of_actors
from sim.hudi.draw.clustering import draw_clustering, draw_updates
from sim.hudi.draw.columns import draw_asked, meets_others
from sim.hudi.draw.consumers import reading
from sim.hudi.draw.faults import FAULT_KINDS, at_lock_object, draw_faults
from sim.hudi.draw.last import draw_last
from sim.hudi.draw.merging import draw_table_type
from sim.hudi.draw.non_blocking import Drawn, draw_non_blocking
from sim.hudi.draw.partitions import draw_partitions
from sim.hudi.draw.replacing import draw_replacing
from sim.hudi.draw.restores import draw_restores, saving
from sim.hudi.draw.said import apart, rewrites, said_of_faults, said_of_race, writes
from sim.hudi.draw.versions import draw_versions
from sim.hudi.focuses import FOCUSES
from sim.hudi.known import KNOWN
from sim.hudi.known_rows import NEW_IDS
from sim.hudi.promises import (
    APART,
    CLOCKS,
    DEAD,
    FAULTS,
    GROUPED,
    LEFTOVERS,
    PASSES,
    PROMISES,
    STORAGE,
    WRITERS,
)
from sim.hudi.rows import Rows
from sim.hudi.settings import (
    OPTIONS,
    config_of,
    draw_lock_object,
    draw_markers,
    draw_metastore_lock,
    draw_settings,
    options_of,
    told,
)
from sim.hudi.statements import (
    HIDING,
    PARTITION,
    Clean,
    Cluster,
    Compact,
    DamageMarkers,
    Insert,
    PlanClustering,
    Read,
    Statement,
    Upsert,
    anybody,
)
from sim.hudi.workload import Past, Storage
from sim.world.scenario import FaultSpace, Scenario

STATEMENTS = ("upsert", "insert", "clean", "read")
RARE_STATEMENTS = (
    "bulkinsert", "overwrite", "deletepartition", "cluster", "savepoint", "deletesavepoint", "compact", "archive",
    "restore", "damagemarkers", "planclustering", "update", "readnews", "readfirst", "readasof",
)  # fmt: skip
HABITS = ("tries", "tasks", "attempts", "work", "waiting")
"""What is unusual about an upsert."""
GROUP_NAMES = (("fg1", "fg2", "fg3"), ("fg1", "fg10", "fg101"), ("00000001-1", "00000001-2", "00000002-1"))
"""Usual ones; such that one is the beginning of another; such that two are of one bucket."""
ENDINGS = ("committed", "written", "requested", "left behind", "rolling back")
STORAGES: tuple[Storage, ...] = ("atomic", "check-then-put", "overwrite")
NEW_ID = 9
INSERTED = 100
"""What is about all of a partition, or about file groups of others."""
PLANS = (Cluster, Compact, PlanClustering)  # one that is refused stays
EVERY_CALL, SERVER_STEPS = "every call", tuple(MARKER_FILES.kinds)
Groups = tuple[tuple[str, Rows], ...]


@dataclass(frozen=True, slots=True)
class _Palette:
    """What statements of a scenario are drawn from."""

    kinds: tuple[str, ...]
    habits: tuple[str, ...]
    groups: Groups
    ids: tuple[int, ...]
    apart: bool
    config: HudiConfig


def draw(draws: Draws, rules: Rules) -> Scenario:
    """Draw a race. Returns: its scenario, without a name of its own."""
    settings = draw_settings(draws)
    config = config_of(settings)
    hosts = settings[LOCK_PROVIDER] in (ZOOKEEPER, FILE_SYSTEM) and draws.flag("hosts of their own")
    storage = draws.one_of("storage", STORAGES if config.scheme == "file" else STORAGES[:1])
    palette = _palette(draws, config)
    history = tuple(draws.list_of("earlier writes", 0, 2, lambda number: _past(draws, palette, number)))
    actors = draws.list_of("actors", 2, 4, lambda actor: _statements(draws, palette, actor))
    offsets = draw_offsets(draws, [f"w{number + 1}" for number in range(len(actors))]) if hosts else ()
    faults = draw_faults(draws, config, hosts=hosts)
    steps = _steps(draws, storage)
    settings = draw_lock_object(draws, draw_markers(draws, settings))
    if settings[LOCK_PROVIDER] == STORAGE_BASED:
        faults = at_lock_object(faults, config_of(settings))
        steps = (*steps, "commit") if steps else None
    partitions = draw_partitions(draws, len(palette.groups))
    settings = draw_metastore_lock(draws, settings)
    if settings[LOCK_PROVIDER] == METASTORE:
        faults, steps = at_lock_object(faults, config_of(settings)), (*steps, "lock") if steps else None
    merged = told(draws, TABLE_TYPE) == MERGE_ON_READ or told(draws, MODE) == NON_BLOCKING
    if not merged:
        actors = draw_replacing(draws, actors, config_of(settings), partitions or (PARTITION,))
        actors = draw_clustering(draws, actors, config_of(settings))
    grouped = anybody(actors, Cluster)
    faults, beside = (FaultSpace(), draw_updates(draws)) if grouped else (faults, ())
    if not (grouped or merged):
        actors, beside = draw_cleaning(draws, actors, config_of(settings), partitions or (PARTITION,))
    settings, actors = draw_table_type(draws, settings, actors, config_of({**settings, **dict(beside)}), len(history))
    drawn = Drawn(actors, palette.groups, history, partitions)
    settings, drawn = draw_non_blocking(draws, settings, drawn, config_of(settings))
    actors, groups, history, partitions, elsewhere = drawn
    settings, beside = draw_versions(draws, settings, beside, config_of(settings))
    settings, actors, beside = draw_archiving(draws, settings, actors, groups, beside)
    disturbed = bool(faults.limit or offsets)
    actors = draw_restores(draws, settings, actors, groups, disturbed=disturbed)
    last = draw_last(draws, settings, beside, drawn._replace(actors=actors), faults, disturbed=disturbed, hosts=hosts)
    settings, beside, drawn, faults = last
    first_walk = draws.first_walk()
    settings, drawn, consumers, steps = draw_asked(draws, settings, drawn, steps, beside)
    actors, groups, history, partitions, elsewhere = drawn
    blocked = settings[MODE] != NON_BLOCKING
    world = {
        **_at_work(actors, history),
        APART: "yes" if apart(drawn, config_of(settings)) and not meets_others(actors) else "no",
        STORAGE: storage,
        CLOCKS: "in time" if in_time(config_of(settings), offsets, faults) else "too far apart",
        FAULTS: said_of_faults(faults, actors),
        **reading(consumers),
        PASSES: "on time" if steps else "any time",
    }
    writers: Writers = {**{f"w{n}": todo for n, todo in enumerate(actors, 1)}, **consumers}
    scenario = race(
        "generated", _words(writers), writers, rules=rules, history=history, partitions=partitions,
        properties=promised(PROMISES, {**settings, **world}), groups=groups, one_process=not hosts, storage=storage,
        options=(*options_of(settings), *beside), clock_offsets_ms=of_actors(offsets, writers), faults=faults,
        yield_points=(*steps, *SERVER_STEPS) if steps and rewrites(settings) else steps, elsewhere=elsewhere,
    )  # fmt: skip
    said = said_of_race(actors, groups, settings, new=blocked and _adds(actors, history), elsewhere=bool(elsewhere))
    return replace(scenario, parameters=(*scenario.parameters, *said.items()), first_walk=first_walk)


def _at_work(actors: list[list[Statement]], history: tuple[Past, ...]) -> dict[str, str]:
    """What promises ask of who is at work, and of who was before."""
    left = anybody(actors, *PLANS) or any(past.ending == "left behind" for past in history)
    return {
        WRITERS: str(sum(any(not isinstance(one, (DamageMarkers, Read)) for one in todo) for todo in actors)),
        LEFTOVERS: "yes" if left else "no", GROUPED: "yes" if anybody(actors, Cluster) else "no", **saving(actors),
        DEAD: "yes" if any(past.ending != "committed" for past in history) else "no",
    }  # fmt: skip


def _adds(actors: list[list[Statement]], history: tuple[Past, ...]) -> bool:
    """Whether rows may come whose ids no file holds."""
    return writes(NEW_ID, actors, history) or anybody(actors, *HIDING)


MANY_DRAWS = 130
"""With so many draws actors do one thing more each: a name has at most 250 characters."""


def _palette(draws: Draws, config: HudiConfig) -> _Palette:
    kinds = ("upsert", *draws.some("statements", STATEMENTS[1:], 0))
    by_bucket = config.conflict_strategy == BUCKET_CONFLICTS  # no new groups: Hudi reads a bucket's number off the name
    kinds = tuple([kind for kind in kinds if not (by_bucket and kind == "insert")])
    habits = draws.some("habits", HABITS, 0)
    names = draws.one_of("names of file groups", GROUP_NAMES)[: draws.number("file groups", 1, 3)]
    each = draws.number("rows in each", 1, 2)
    groups = tuple([
        (name, tuple([(key, f"a{key}") for key in range(1 + number * each, 1 + (number + 1) * each)]))
        for number, name in enumerate(names)
    ])  # fmt: skip
    ids = tuple([key for _, rows in groups for key, _ in rows])
    apart = len(groups) > 1 and draws.flag("a file group for each actor")
    if not apart and draws.flag(NEW_IDS) and not by_bucket:
        ids = (*ids, NEW_ID)
    return _Palette(kinds, habits, groups, ids, apart, config)


def _past(draws: Draws, palette: _Palette, number: int) -> Past:
    ending = draws.one_of("how it ended", ENDINGS)
    rows = tuple([(key, f"h{number + 1}") for key in _ids(draws, palette.ids)])
    return Past(rows, ending, ending != "committed" and draws.flag("just now"))  # type: ignore[arg-type]


def _statements(draws: Draws, palette: _Palette, actor: int) -> list[Statement]:
    most = 4 if len(draws.drawn) < MANY_DRAWS else 1
    return draws.list_of("statements", 1, most, lambda number: _statement(draws, palette, actor, 4 * actor + number))


def _statement(draws: Draws, palette: _Palette, actor: int, number: int) -> Statement:
    kind, value = draws.one_of("kind", palette.kinds), chr(ord("A") + number)
    expiry_ms = palette.config.tolerance_ms + palette.config.heartbeat_interval_ms
    if kind == "insert":
        return Insert(((INSERTED + number, value),))
    if kind == "clean":
        return Clean(draws.one_of("wait before it", (0, expiry_ms)))
    if kind == "read":
        return Read()
    own = palette.groups[actor % len(palette.groups)][1]
    ids = tuple([key for key, _ in own]) if palette.apart else palette.ids
    habits = {habit for habit in palette.habits if draws.flag(habit)}
    return Upsert(
        tuple([(key, value) for key in _ids(draws, ids)]),
        tries=draws.number("tries", 2, 3) if "tries" in habits else 1,
        between_ms=draws.one_of("between", (0, expiry_ms)) if "tries" in habits else 0,
        tasks=2 if "tasks" in habits else 1,
        attempts=2 if "attempts" in habits else 1,
        work_ms=draws.one_of("work", (palette.config.heartbeat_interval_ms // 2, expiry_ms)) if "work" in habits else 0,
        after_ms=draws.one_of("after", (expiry_ms, 2 * expiry_ms)) if "waiting" in habits else 0,
    )


def _ids(draws: Draws, ids: tuple[int, ...]) -> tuple[int, ...]:
    """One or two different ids, in their order."""
    return tuple(sorted(set(draws.list_of("ids", 1, 2, lambda _: draws.one_of("id", ids)))))


def _steps(draws: Draws, storage: str) -> tuple[str, ...] | None:
    if draws.flag(EVERY_CALL):
        return None
    return (*WRITES, "open-w") if storage == "check-then-put" else WRITES


def _words(writers: Writers) -> str:
    return "; ".join([f"{actor}: {', '.join([type(one).__name__ for one in todo])}" for actor, todo in writers.items()])


GENERATOR = Generator(
    "hudi",
    OPTIONS,
    VARIANTS,
    PROMISES,
    draw,
    (*STATEMENTS, *RARE_STATEMENTS),
    FAULT_KINDS,
    (
        "a metadata table in tables of version 6, where log files are clustered, or restores are beside archiving",
        "restores where something fails or clocks are apart, or beside who cleans or clusters",
        "savepoints on merge-on-read tables where nobody restores; their archiving and cleaning",
        "overwrites and deletions under the bucket strategy, or with the timeline server's early detection",
        "faults of the writing of marker files where something else fails, or is compacted, clustered or restored",
        "inserts of ids that a file holds: they are duplicates by design",
        "several processes under the in-process lock, which excludes nobody",
        f"requests that arrive twice: {ONCE}",
        "torn files where files are renamed into their places (file, hdfs): nobody reads them",
        "who reads incrementally where nobody asks for it; processes that start again after their death",
        "new file groups under the bucket strategy, which reads a number off their names",
        "several buckets of a partition where nobody asks for them; inserts and bulk inserts of non-blocking writers",
    ),
    CONFIGURATIONS,
    KNOWN,
    focuses=FOCUSES,
    carried=check_carried,
)
