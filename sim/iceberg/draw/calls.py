"""Which calls a race has where that is set: what is drawn now and then is there, or is not.

Choices: a race says so by the draws that it has anyway, so that its name makes it again without the setting.
"""

from __future__ import annotations

from collections.abc import Mapping

from sim.generation.draws import Draws, PinError
from sim.generation.generator import Settings
from sim.iceberg.options import (
    ALIKE,
    ALTERED,
    APART,
    APPENDED,
    BESIDE_JAVA,
    BESIDE_SQL,
    BUSY,
    BY_HAND,
    CALLS,
    CATALOG,
    CLIENT,
    FORMAT,
    GIVEN_UP,
    IN_COMMITS,
    INCREMENTAL,
    MERGED,
    OF_BRANCHES,
    OF_FILES,
    OF_LAYOUT,
    OF_LOCKS,
    OF_NAMES,
    OF_SEVERAL,
    OF_SNAPSHOTS,
    OF_SPECS,
    OF_TYPES,
    ON_BRANCH,
    OTHER_TABLES,
    OVERWRITES,
    OWN_ROWS,
    REFUSED,
    RENAMES,
)  # fmt: skip

USUAL = CALLS.values[0]
WHO: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    BY_HAND: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    OF_SNAPSHOTS: {
        "spark-sql": ("in-memory", "rest", "jdbc"), "java-api": ("in-memory", "rest"), "pyiceberg": CATALOG.values,
    },
    OF_SEVERAL: {"java-api": ("rest",)},
    OF_FILES: {"pyiceberg": CATALOG.values},
    OF_BRANCHES: {"pyiceberg": CATALOG.values},
    OTHER_TABLES: {"pyiceberg": CATALOG.values},
    OWN_ROWS: {"pyiceberg": CATALOG.values},
    OF_NAMES: {"java-api": ("in-memory", "rest", "jdbc"), "pyiceberg": CATALOG.values},
    OF_SPECS: {"java-api": ("in-memory", "rest")},
    OF_LAYOUT: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    INCREMENTAL: {"spark-sql": ("rest", "jdbc"), "java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    MERGED: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    BESIDE_SQL: {"spark-sql": ("rest",)},
    OVERWRITES: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    APART: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    BUSY: {"spark-sql": ("rest",), "java-api": ("rest",)},
    BESIDE_JAVA: {"spark-sql": ("rest",)},
    ALIKE: {"spark-sql": ("rest",)},
    ALTERED: {"spark-sql": ("rest",)},
    APPENDED: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    OF_TYPES: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
    OF_LOCKS: {"java-api": ("hive",)},
    ON_BRANCH: {"spark-sql": ("rest",)},
    IN_COMMITS: {"spark-sql": ("rest",)},
    GIVEN_UP: {"java-api": ("in-memory", "rest")},
    REFUSED: {"java-api": ("in-memory", "rest", "jdbc", "hadoop")},
}  # fmt: skip
"""The clients and the catalogs with which calls may be asked for."""


def refuse_calls(draws: Draws, settings: Settings) -> None:
    """Raise `PinError` if calls are asked for of who cannot make them."""
    given, client = draws.pinned(CALLS.key), settings[CLIENT.key]
    catalog = draws.pinned(CATALOG.key) or settings[CATALOG.key]
    possible = WHO.get(given or USUAL)
    if possible is not None and catalog not in possible.get(client, ()):
        with_them = f"{CLIENT.key}={client}, {CATALOG.key}={catalog}"
        raise PinError(f"{CALLS.key}: expected {USUAL} with {with_them}, got {given}")
    if given in (BESIDE_SQL, BESIDE_JAVA, ALTERED) and (asked_for := draws.pinned(FORMAT.key)) not in (None, "2", "3"):
        raise PinError(f"{CALLS.key}: expected {USUAL} with {FORMAT.key}={asked_for}, got {given}")


def manages(draws: Draws) -> str | None:
    """What the draw is pinned to of whether snapshots are managed: not in format 1, nor beside other calls that are
    asked for, nor where renames replace files; None: it is free."""
    if draws.pinned(RENAMES.key) == RENAMES.values[1]:
        return "False"
    return "True" if draws.pinned(CALLS.key) == OF_SNAPSHOTS else left_alone(draws)


def left_alone(draws: Draws) -> str | None:
    """The same of whether tables are made."""
    return "False" if draws.pinned(FORMAT.key) == "1" else others(draws, OF_SNAPSHOTS)


def asked_for(draws: Draws, calls: str) -> bool:
    """Whether these calls are asked for; where they are not, nothing is written down: a race is what it was."""
    return draws.pinned(CALLS.key) in (None, calls) and draws.told(CALLS.key, CALLS.values) == calls


def only(draws: Draws, calls: str, value: str = "True") -> str | None:
    """What a draw is pinned to where these calls are asked for; None: they are not."""
    return value if draws.pinned(CALLS.key) == calls else None


def unless(draws: Draws, calls: str) -> str | None:
    """That a draw is pinned to "False" where these calls are asked for; None: they are not."""
    return only(draws, calls, "False")


def others(draws: Draws, *calls: str) -> str | None:
    """That a draw is pinned to "False" where other calls than these are asked for, but consumers, a table that
    merges manifests, and appends of some; None: it is free."""
    return None if draws.pinned(CALLS.key) in (None, USUAL, INCREMENTAL, MERGED, APPENDED, *calls) else "False"


def of_specs_over_rest(draws: Draws, settings: Settings) -> bool:
    """Whether changes of specs are asked for where an expiry is not compared with the whole table."""
    return (draws.pinned(CALLS.key), settings[CATALOG.key]) == (OF_SPECS, "rest")


def asked(draws: Draws, calls: str) -> str | None:
    """Whether it is to be drawn that a race has these calls: "True" where they are asked for, "False" where others are;
    None: it is free."""
    return only(draws, calls) or others(draws, calls)
