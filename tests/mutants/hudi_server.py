"""Mutants of the timeline server's markers and of its checker; see `tests.mutants.hudi`.

Source: hudi/3.7, hudi/4.
"""

from contextlib import suppress
from typing import Any

from model.hudi import checker, marker_port
from model.hudi.checker import AsyncChecker, Watch
from model.hudi.errors import StorageFailed
from model.hudi.marker_files import Markers, read_marker_files, text_before_underscore
from model.hudi.marker_port import ServerTableMarkers
from model.hudi.marker_server import MarkerFolder, MarkerServer
from model.hudi.names import marker_file
from model.hudi.rules import SHIPPED
from model.hudi.storage import TableStorage
from model.hudi.variants import AS_DOCUMENT, FIXED
from tests.mutants.mutant import Mutant


def nothing(*_: Any) -> None:
    """A step that is left out."""


def always(*_: Any) -> bool:
    """Yes, without looking."""
    return True


def never(*_: Any) -> bool:
    """No, without doing anything."""
    return False


def no_markers(*_: Any) -> Markers:
    """None."""
    return ()


def read_or_raise(storage: TableStorage, instant: int, *, tolerant: object, picks: object) -> dict[int, Markers]:
    """What is in marker files, unless one of them cannot be read."""
    return read_marker_files(storage, instant)


def look_once(checks: AsyncChecker, watch: Watch) -> None:
    """One pass, at the beginning."""
    with suppress(StorageFailed):
        checks._look(watch)


def flush_last(server: MarkerServer, folder: MarkerFolder, index: int) -> None:
    """Write the last marker of a file alone."""
    path = marker_file(folder.instant, index)
    server._storage.overwrite(path)
    server._storage.close(path, folder.files[index][-1:])


def flush_quietly(server: MarkerServer, folder: MarkerFolder, index: int) -> None:
    """Write a file anew, and say nothing if that fails."""
    path = marker_file(folder.instant, index)
    with suppress(StorageFailed):
        server._storage.overwrite(path)
        server._storage.close(path, folder.files[index])


def no_files(*_: Any) -> dict[int, Markers]:
    """No marker files."""
    return {}


SERVER: tuple[Mutant, ...] = (
    Mutant(
        "checker-looks-at-larger-instants", "two writers refuse each other",
        ((AsyncChecker, "_comes_first", always),), FIXED,
    ),
    Mutant(
        "checker-takes-dead-for-alive", "heartbeats are not looked at",
        ((AsyncChecker, "_is_alive", always),), FIXED,
    ),
    Mutant(
        "checker-ends-after-failure", "shipped: F-9",
        ((checker, "read_marker_files", read_or_raise), (AsyncChecker, "_ends_after_failure", always)), AS_DOCUMENT,
    ),
    Mutant("checker-comes-by-once", "no period", ((AsyncChecker, "_run", look_once),), AS_DOCUMENT),
    Mutant(
        "checker-finds-no-markers", "no_markers else is looked for",
        ((AsyncChecker, "_find_marker", nothing),), AS_DOCUMENT,
    ),
    Mutant("checker-finds-no-commits", "shipped: F-5", ((AsyncChecker, "_find_commit", nothing),), AS_DOCUMENT),
    Mutant(
        "flag-is-not-looked-at", "a conflict refuses no_markers",
        ((MarkerServer, "_look_at_flag", nothing),), AS_DOCUMENT,
    ),
    Mutant(
        "compares-up-to-underscore", "shipped: F-6",
        ((checker, "compared", lambda marker, rules: text_before_underscore(marker.line)),), AS_DOCUMENT,
    ),
    Mutant(
        "marker-file-with-the-new-ones-only", "a rollback finds no file of an earlier batch",
        ((MarkerServer, "_flush", flush_last),), SHIPPED,
    ),
    Mutant("marker-file-not-written", "a rollback finds no file", ((MarkerServer, "_flush", nothing),), SHIPPED),
    Mutant("failure-to-close-swallowed", "up to 1.2.0 (#19368)", ((MarkerServer, "_flush", flush_quietly),), FIXED),
    Mutant("server-keeps-markers", "markers stay", ((MarkerServer, "delete", never),), SHIPPED),
    Mutant(
        "server-forgets-markers", "no file of a failed attempt is found",
        ((ServerTableMarkers, "files", no_markers),), SHIPPED,
    ),
    Mutant(
        "rollback-reads-no-server-markers", "a rollback finds no file",
        ((marker_port, "read_marker_files", no_files),), SHIPPED,
    ),
)  # fmt: skip
