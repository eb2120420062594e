"""What the record of a live run's storage operations says of who completed what, and who wrote how much."""

from model.hudi.names import parse_data_file, parse_instant_file
from model.hudi.timeline import Instant
from real_backend.gating.gate import Passed
from real_backend.hudi.live_run import Written
from real_backend.hudi.read_back import Completed
from real_backend.hudi.storage import Operation


def completed_by_of(record: tuple[Operation, ...]) -> dict[str, str]:
    """Who made the completed file of each version, by its name: two may carry out one plan."""
    renamed = [(parse_instant_file(each.path.rpartition("/")[2]), each) for each in record if each.name == "rename"]
    return {Instant(*file).name: each.actor for file, each in renamed if file and file.completed is not None}


def written_by(actor: str, record: tuple[Operation, ...], instants: tuple[Completed, ...]) -> Written:
    """What an actor wrote, and what of it no commit names."""
    kept = {f"/{file}" for instant in instants for file in instant.files}
    own = (operation for operation in record if operation.actor == actor and operation.name == "written")
    files = [operation for operation in own if parse_data_file(operation.path.rpartition("/")[2]) is not None]
    wasted = [file for file in files if file.path not in kept]
    return Written(
        actor, len(files), sum(file.size_bytes for file in files), len(wasted), sum(file.size_bytes for file in wasted)
    )


def in_words(passed: Passed) -> str:
    """A step that was passed, in one word."""
    fault, outcome = passed.fault, passed.outcome
    return str(passed.at) + (f"!{fault}" if fault else "") + (f"={outcome}" if outcome else "")
