"""Generated races on one Iceberg table: who does what, what the table is like before, and what may fail.

Every draw has the simplest option first: without draws, two inserts on a new table of one row, with the defaults.
"""

from __future__ import annotations

from dataclasses import replace

from model.iceberg import VARIANTS, Rules
from sim.generation.draws import Draws, PinError
from sim.generation.generator import Generator, Settings, promised
from sim.iceberg.built_in.several import together
from sim.iceberg.cannot import CANNOT
from sim.iceberg.checked_workload import KEEPS, PRUNES
from sim.iceberg.draw import pyiceberg as draw_pyiceberg
from sim.iceberg.draw.ages import KINDS as BY_AGE
from sim.iceberg.draw.ages import a_little_ahead, with_ages
from sim.iceberg.draw.asked_last import asked_last
from sim.iceberg.draw.beside_sql import last_in_sql
from sim.iceberg.draw.by_hand import KINDS as BY_HAND
from sim.iceberg.draw.by_hand import with_calls
from sim.iceberg.draw.cache import KIND as OF_ORPHANS
from sim.iceberg.draw.cache import with_cache
from sim.iceberg.draw.calls import refuse_calls
from sim.iceberg.draw.catalogs import first_of, kind_of, with_catalogs, with_renames
from sim.iceberg.draw.consumers import with_consumers
from sim.iceberg.draw.equality import with_equality
from sim.iceberg.draw.faults import OVER_HTTP, OVER_THRIFT, faults_of, ports_of, steps_of
from sim.iceberg.draw.filters import KIND as BY_FILTER
from sim.iceberg.draw.formats import KINDS as OF_FORMATS
from sim.iceberg.draw.formats import refuse_format_1, with_formats
from sim.iceberg.draw.further import KINDS as FURTHER_CALLS
from sim.iceberg.draw.further import drawn_last
from sim.iceberg.draw.in_hive import made_in_hive
from sim.iceberg.draw.keys import with_busy_keys
from sim.iceberg.draw.layout import KINDS as OF_LAYOUT
from sim.iceberg.draw.locks import with_locks
from sim.iceberg.draw.managing import IN_SQL_ON, MANAGED_IN, beside_managing, managing, with_shared_files
from sim.iceberg.draw.managing import KINDS as MANAGING
from sim.iceberg.draw.manifests import KIND as OF_MANIFESTS
from sim.iceberg.draw.manifests import with_manifests
from sim.iceberg.draw.merging import with_merging
from sim.iceberg.draw.metastores import faults_beneath, on_its_catalog, with_metastores, without_metastores
from sim.iceberg.draw.partitions import KIND as OF_PARTITIONS
from sim.iceberg.draw.partitions import with_partitions
from sim.iceberg.draw.position_deletes import KIND as OF_DELETES
from sim.iceberg.draw.procedures import KINDS as OF_PROCEDURES
from sim.iceberg.draw.procedures import with_moves, with_procedures
from sim.iceberg.draw.pruning import beside_pruning, with_pruning
from sim.iceberg.draw.python_alone import STATEMENTS as OF_PYTHON_ALONE
from sim.iceberg.draw.python_branches import STATEMENTS as OF_PYTHON_BRANCHES
from sim.iceberg.draw.python_names import STATEMENTS as OF_PYTHON_NAMES
from sim.iceberg.draw.python_specs import STATEMENTS as OF_PYTHON_SPECS
from sim.iceberg.draw.python_tables import STATEMENTS as OF_PYTHON_TABLES
from sim.iceberg.draw.rarest import rarest
from sim.iceberg.draw.renaming import KINDS as OF_NAMES
from sim.iceberg.draw.renaming import WITH_FILES, renamed_in_hive
from sim.iceberg.draw.several import KINDS as OF_SEVERAL
from sim.iceberg.draw.several import Several, several
from sim.iceberg.draw.specs import KINDS as OF_SPECS
from sim.iceberg.draw.specs import beside_older_specs
from sim.iceberg.draw.sql import KINDS as FURTHER_SQL
from sim.iceberg.draw.sql import with_sql
from sim.iceberg.draw.sql_specs import KIND as OF_FIELDS
from sim.iceberg.draw.sql_specs import with_sql_specs
from sim.iceberg.draw.statements import FURTHER, IN_SQL, JAVA_API, OF_METADATA, RARE, SCANS, TRANSACTION, Table
from sim.iceberg.draw.streams import KINDS as BESIDE
from sim.iceberg.draw.tables import KINDS as OF_TABLES
from sim.iceberg.draw.tables import beside_tables, of_tables
from sim.iceberg.draw.vectors import copying, with_shared_vectors, with_sql_format
from sim.iceberg.draw.writers import Writers, words_of, writers_of
from sim.iceberg.facts import facts_of
from sim.iceberg.focuses import FOCUSES
from sim.iceberg.generate_python import in_python
from sim.iceberg.known import KNOWN
from sim.iceberg.manifest_merging import MERGED_BY
from sim.iceberg.options import (
    CATALOG,
    CLIENT,
    CONFIGURATIONS,
    DELETE_LEVEL,
    DELETE_MODE,
    FORMAT,
    LATE,
    OPTIONS,
    RETRIES,
    TIMEOUT,
    UPDATE_LEVEL,
    UPDATE_MODE,
    WAIT,
    is_cached,
)  # fmt: skip
from sim.iceberg.promises import PROMISES
from sim.iceberg.scenarios import race
from sim.services.register import Keys
from sim.world.scenario import FaultSpace, Scenario

IN_PYTHON = (
    *draw_pyiceberg.WIDE, *OF_PYTHON_ALONE, *OF_PYTHON_SPECS, *OF_PYTHON_BRANCHES, *OF_PYTHON_TABLES, *OF_PYTHON_NAMES,
)  # fmt: skip
KEPT: tuple[Keys, ...] = ("kept", "kept", "released", "expired")
OF_WHOLE_TABLES = (*MANAGING, *BY_AGE, *OF_TABLES, *OF_SEVERAL)
KINDS = (
    *IN_SQL, *JAVA_API, *RARE, TRANSACTION, *IN_PYTHON, *OF_WHOLE_TABLES, OF_PARTITIONS, *FURTHER_SQL, *OF_FORMATS,
    OF_ORPHANS, *OF_PROCEDURES, *OF_SPECS, *OF_NAMES, WITH_FILES, BY_FILTER, OF_FIELDS, *OF_LAYOUT, *BY_HAND,
    OF_MANIFESTS, OF_DELETES, *BESIDE, *FURTHER_CALLS,
)  # fmt: skip


def draw(draws: Draws, rules: Rules) -> Scenario:
    """Draw a race. Returns: its scenario, without a name of its own."""
    settings = _settings(draws)
    faults, client = faults_of(draws, ports_of(settings)), settings[CLIENT.key]
    table = Table(draws, client == "spark-sql", plain=client == "pyiceberg")
    if client == "pyiceberg":
        return in_python(draws, table, settings, faults)
    kinds = _kinds(draws, client, table)
    writers = writers_of(draws, faults, lambda _: table.statement(kinds))
    tries = draws.number("tries again", 0, 1) if client == "spark-sql" else 0
    steps, unmanaged = steps_of(draws, settings), faults
    writers = with_equality(draws, writers) if table.validations_drawn else writers
    managed = managing(draws, table, writers) if _manages(settings) else None
    made = of_tables(draws, table, writers) if _manages(settings) and managed is None else None
    if managed is not None:
        faults, writers = FaultSpace(), managed
    elif made is not None:
        faults, writers = beside_tables(draws, faults), made
    elif _is_over_rest(settings) and (instead := several(draws, may_fail=bool(faults.limit))) is not None:
        return _on_several_tables(draws, instead, rules, settings, faults)
    keys = _keys(draws, rules, settings, faults)
    alone = client == "java-api" and managed is None and made is None and settings[CATALOG.key] in MANAGED_IN
    width, writers = with_partitions(draws, writers, table.content, table.history) if alone else (0, writers)
    settings = with_metastores(draws, settings) if settings[CATALOG.key] == "hive" else settings
    faults = faults_beneath(draws, faults) if is_cached(settings) else faults
    writers, faults = (in_hive_made := made_in_hive(draws, table, writers, settings)) or (writers, faults)
    ages, writers = with_ages(draws, table, writers) if managed is not None else ((), writers)
    settings, writers = with_formats(draws, writers, table.history, settings) if alone else (settings, writers)
    if client == "spark-sql":
        width, writers = with_sql(draws, table, writers, settings[CATALOG.key] in IN_SQL_ON)
    settings, faults = with_catalogs(draws, settings, faults)
    cached, writers, settings = _beside_sql(draws, table, writers, settings, may=not width, calm=not faults.limit)
    shares = client != "spark-sql" and settings[FORMAT.key] == "3" and made is None and not ages
    writers = with_shared_vectors(draws, table, writers) if shares else writers
    plain = client == "java-api" and not (managed or made or in_hive_made)
    changed, faults = rarest(draws, table, writers, settings, faults, width, alone, plain)
    last = plain and changed is writers and not (width or faults.limit)
    writers, settings, faults, steps = with_pruning(draws, table, changed, settings, faults, steps, last)
    partitions, writers = with_sql_specs(draws, table, writers, width, settings)
    writers = with_calls(draws, table, writers, settings, plain=alone and plain and PRUNES not in settings)
    writers = with_manifests(draws, table, writers) if plain and PRUNES not in settings else writers
    ages, in_hive_made = a_little_ahead(draws, ages), in_hive_made or renamed_in_hive(draws, table, writers, settings)
    writers, faults = in_hive_made or (writers, faults)
    faults, keys = (faults, keys) if managed is None else _beside_managers(draws, rules, settings, unmanaged)
    writers = with_moves(draws, table, with_shared_files(draws, table, writers, managed))
    settings, steps = with_renames(draws, settings, steps, managed is None)
    writers, settings = with_merging(draws, writers, settings, table.new_row, plain=made is None and not in_hive_made)
    writers = with_consumers(draws, table, writers, settings, ages, plain=made is None and not in_hive_made)
    ages, writers, tries = last_in_sql(draws, table, writers, settings, ages, partitions, tries)
    made_in, writers = drawn_last(draws, table, writers, settings, managed is not None, plain and not in_hive_made)
    writers, faults = with_locks(draws, table, writers, settings, faults, plain and not in_hive_made)
    writers, further = asked_last(draws, table, writers, settings, partitions, ages, cached)
    return on_its_catalog(race(
        "generated", words_of(writers), writers, rules=rules, rows=table.rows, faults=faults, unlocked=table.unlocked,
        properties=promised(PROMISES, {**settings, **_facts(table, writers, settings, faults)}), ages_h=ages,
        keys=with_busy_keys(draws, rules, settings, faults, keys), history=tuple(table.history), tries=tries,
        retries=int(settings[RETRIES.key]), catalog=kind_of(settings), mode=settings[DELETE_MODE.key],
        isolation=settings[DELETE_LEVEL.key], update_mode=settings[UPDATE_MODE.key], yield_points=steps,
        update_isolation=settings[UPDATE_LEVEL.key], table_properties=_properties(made_in), cached=cached, **further,
    ), settings, rules, in_hive_made or table.locks_drawn)  # fmt: skip


def _beside_managers(draws: Draws, rules: Rules, settings: Settings, faults: FaultSpace) -> tuple[FaultSpace, Keys]:
    """What may fail beside who manages snapshots, of the `faults` that were drawn, and how keys are kept then."""
    faults = beside_managing(draws, settings, faults)
    return faults, _keys(draws, rules, settings, faults)


def _facts(table: Table, writers: Writers, settings: Settings, faults: FaultSpace) -> Settings:
    """What promises hang on beside settings."""
    files = () if settings[CLIENT.key] == "spark-sql" else table.files
    facts = facts_of(tuple(writers.values()), files, settings, faults)
    return beside_pruning(beside_older_specs(facts, writers, table.history), settings)


def _beside_sql(
    draws: Draws, table: Table, writers: Writers, settings: Settings, *, may: bool, calm: bool
) -> tuple[tuple[str, ...], Writers, Settings]:
    """Caches of Spark's catalog, and procedures beside its statements, if there `may` be any; where nothing fails
    (`calm`), purges in their place; and the format. Returns: whose sessions cache tables, the writers, the settings."""
    if settings[CLIENT.key] != "spark-sql":
        return (), writers, settings
    caches = settings[CATALOG.key] == "rest"
    cached, writers = with_cache(draws, writers) if caches else ((), writers)
    if settings[CATALOG.key] in IN_SQL_ON and may:
        writers, before, calling = with_procedures(draws, writers, table.new_row, caches=caches, purges=caches and calm)
        table.history, cached = [*table.history, *before], tuple(dict.fromkeys((*cached, *calling)))
    return cached, writers, with_sql_format(draws, settings)


def _is_over_rest(settings: Settings) -> bool:
    return (settings[CLIENT.key], settings[CATALOG.key]) == ("java-api", "rest")


def _keys(draws: Draws, rules: Rules, settings: Settings, faults: FaultSpace) -> Keys:
    """How a catalog over REST keeps idempotency keys, where somebody sends any, and something may fail."""
    sends = rules.idempotency_key and settings[CATALOG.key] == "rest" and faults.limit
    return draws.one_of("keys", KEPT) if sends else "kept"


def _on_several_tables(draws: Draws, drawn: Several, rules: Rules, settings: Settings, faults: FaultSpace) -> Scenario:
    """A race on several tables, with what a commit of them is promised; a key is honoured by who commits at once."""
    refuse_format_1(draws, "where several tables are committed at once")
    keys = _keys(draws, rules, settings, faults)
    if drawn.server != "at once":
        rules = replace(rules, idempotency_key=False)
    but: dict[str, str] = {"no-write-skew": "a table that is read alone is not in the request"} if drawn.copies else {}
    if faults.limit or drawn.changes_schema:
        but["no-spurious-refusal"] = "who is refused once does not ask again"
    return together(
        "generated", "", drawn.writers, rules=rules, server=drawn.server, retries=int(settings[RETRIES.key]),
        faults=faults, but=but, keys=keys if rules.idempotency_key else "kept",
    )  # fmt: skip


def _manages(settings: Settings) -> bool:
    """Whether somebody may manage snapshots, or the table as a whole."""
    return settings[CLIENT.key] == "java-api" and settings[CATALOG.key] in MANAGED_IN


def _settings(draws: Draws) -> Settings:
    """What the user sets; the format is drawn of the Java API here, of SQL at the end, and is 2 with everybody else.
    What is set of a Hive catalog's metastores comes last.

    Raises: `PinError` if it is pinned to another one there.
    """
    free = [option for option in OPTIONS if option not in (FORMAT, *LATE)]
    pinned, (of_client, of_catalog) = draws.pinned(FORMAT.key), first_of(draws)
    implied, known = {CLIENT.key: of_client, CATALOG.key: of_catalog}, {CATALOG.key: CATALOG.values[:3]}
    implied |= copying(draws)
    if pinned in ("1", "3") and draws.pinned(CLIENT.key) is None:
        known[CLIENT.key] = CLIENT.values[:2]
    settings = {one.key: draws.one_of(one.key, known.get(one.key, one.values), implied.get(one.key)) for one in free}
    client = settings[CLIENT.key]
    refuse_calls(draws, settings)
    if client == "pyiceberg" and pinned in ("1", "3"):
        raise PinError(f"{FORMAT.key}: expected 2 with client {client}, got {pinned}")
    if settings[CATALOG.key] == "hive":
        refuse_format_1(draws, f"with {CATALOG.key}=hive")
    later, usual = "2" if pinned == "1" else None, FORMAT.values[0]
    version = draws.one_of(FORMAT.key, FORMAT.values[:2], later) if client == "java-api" else usual
    settings = {**settings, FORMAT.key: version}
    if client == "pyiceberg":
        return {**settings, **without_metastores(draws, f"{CLIENT.key}={client}")}
    kind = settings[CATALOG.key]
    return settings if kind == "hive" else {**settings, **without_metastores(draws, f"{CATALOG.key}={kind}")}


def _kinds(draws: Draws, client: str, table: Table) -> tuple[str, ...]:
    """Some of the statements of a client; of the Java API's, now and then some of the rarer ones, too."""
    if client != "java-api":
        return draws.some("statements", table.possible(IN_SQL))
    wide = draws.one_of("repertoire", ("plain", "wide", "transactions"))
    if wide == "plain":
        return draws.some("statements", table.possible(JAVA_API))
    table.draw_validations()
    known = [*JAVA_API, *FURTHER]
    for rarer, name in ((OF_METADATA, "changes of metadata"), (SCANS, "scans")):
        known += rarer if draws.flag(name) else ()
    kinds = draws.some("statements", table.possible(known))
    return (*kinds, *[TRANSACTION] * len(kinds)) if wide == "transactions" else kinds


def _properties(settings: Settings) -> tuple[tuple[str, str], ...]:
    """What is not as usual of the waits, the format and the merging of manifests, and how old metadata goes."""
    unusual = [one.key for one in (WAIT, TIMEOUT, FORMAT) if settings[one.key] != one.values[0]]
    return tuple(
        [(key, settings[key]) for key in (*unusual, *[one for one in (PRUNES, KEEPS, *MERGED_BY) if one in settings])]
    )


GENERATOR = Generator(
    "iceberg",
    OPTIONS,
    VARIANTS,
    PROMISES,
    draw,
    tuple(dict.fromkeys(KINDS)),
    tuple(sorted({k for port in (*OVER_HTTP, *OVER_THRIFT) for kinds in port.kinds.values() for k in kinds})),
    CANNOT,
    CONFIGURATIONS,
    KNOWN,
    slowness=lambda settings: 4 if settings.get(CLIENT.key) == "pyiceberg" else 1,
    focuses=FOCUSES,
)
