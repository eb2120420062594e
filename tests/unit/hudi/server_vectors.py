"""Vectors of Hudi's tests of the timeline server's markers, of its checker, and of its Bloom filters."""

from dataclasses import replace
from typing import Any

from model.hudi import SHIPPED
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bloom import empty_filter
from model.hudi.checker import AsyncChecker, Watch
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import SERVER_MARKERS
from model.hudi.marker_files import Marker, read_marker_files
from model.hudi.marker_port import DirectTableMarkers, table_markers
from model.hudi.names import CREATE, MERGE, BaseFile, marker_file, marker_folder, marker_type
from model.hudi.observer import UNOBSERVED
from model.hudi.options import parse_options
from model.hudi.storage import TableStorage
from sim.hudi.build import ASYNC_AND_COMMITS
from tests.unit.hudi.playing import Vector, play
from tests.unit.hudi.worlds import Lab, Refusing


def server(vector: Vector) -> list[str]:
    """The server's markers of one instant: what it remembers, and what is stored."""
    lab = Lab()
    config = replace(lab.config, marker_type=SERVER_MARKERS, marker_batch_ms=0, marker_batch_threads=1)
    rules = replace(SHIPPED, unwritten_markers_are_hidden=vector.given == "shipped")
    files = Refusing(lab.files)
    world = lab.world("w1", files=files)
    storage = TableStorage(world, config)
    beats = Heartbeats(world, storage, config, rules)
    markers = table_markers(world, storage, beats, ActiveTimeline(world, storage, 2), config, rules, UNOBSERVED)
    before = ActiveTimeline(world, storage, 2).load()

    def do(who: str, what: str, argument: str) -> Any:
        match what:
            case "create":
                return markers.mark(7, (Marker("p1", BaseFile(argument, "0-0-0", 7), CREATE),), before)
            case "delete":
                return markers.delete(7)
            case "lose":
                return lab.files.delete(f"{marker_folder(7)}/{argument}")
            case "refuse":
                return files.refuse(argument)
            case "accept":
                return files.refuse("")
            case "files":
                return ",".join(file.file_id for file in markers.files(7, "p1")) or "-"
            case "paths":
                return ",".join(path.split("_")[0] for path in markers.paths(7)) or "-"
            case "stored":
                stored = read_marker_files(storage, 7)
                return ",".join(one.file.file_id for all_ in stored.values() for one in all_) or "-"
        return storage.read(marker_type(7)) or "-"

    return play(vector.script, do)


def bloom(vector: Vector) -> list[str]:
    """A filter of as many keys as it is made for: each may be a member, and hardly any other is."""
    entries, rate = vector.given.split()
    size, hashes, wrong = (int(word.split("=")[1]) for word in vector.script.split())
    told = empty_filter(int(entries), float(rate)).adding([f"key{number}" for number in range(int(entries))])
    forgotten = [f"key{number}" for number in range(int(entries)) if not told.may_hold(f"key{number}")]
    others = sum(told.may_hold(f"other{number}") for number in range(100))
    return [f"forgets {name}" for name in forgotten] + [
        f"wanted {wanted}, got {got}"
        for wanted, got in ((size, told.size), (hashes, told.hashes), (wrong, others))
        if wanted != got
    ]


def checker(vector: Vector) -> list[str]:
    """One pass of the checker."""
    lab = Lab()
    config = parse_options(dict(ASYNC_AND_COMMITS))
    world = lab.world("w1")
    storage = TableStorage(world, config)
    beats = Heartbeats(world, storage, config, SHIPPED)
    passes = AsyncChecker(world, storage, beats, ActiveTimeline(world, storage, 2), config, SHIPPED, UNOBSERVED)
    own, wanted = vector.script.split(" -> ")
    older, newer = [
        tuple([Marker("2016", BaseFile(name, "4-17-21", instant), MERGE) for name in names.split(",")])
        for instant, names in ((1, vector.given), (2, own))
    ]
    beats.start(1)
    lab.files.create(marker_file(1, 0), older)
    lab.files.create(marker_file(2, 0), newer)
    passes._look(Watch(2, frozenset(), lambda: newer, lambda: ()))
    got = "-" if passes.flag is None else "conflict"
    return [] if got == wanted else [f"wanted {wanted}, got {got}"]


def factory(vector: Vector) -> list[str]:
    """The markers that a client has, by their type and the scheme of the storage."""
    lab = Lab()
    kind, scheme = vector.given.split()
    config = replace(lab.config, marker_type=kind, scheme=scheme)
    world = lab.world("w1")
    storage = TableStorage(world, config)
    beats = Heartbeats(world, storage, config, SHIPPED)
    made = table_markers(world, storage, beats, ActiveTimeline(world, storage, 2), config, SHIPPED, UNOBSERVED)
    got = "direct" if isinstance(made, DirectTableMarkers) else "server"
    return [] if got == vector.script else [f"wanted {vector.script}, got {got}"]
