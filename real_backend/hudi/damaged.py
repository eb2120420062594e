"""A marker file of the real table that vanishes, or whose type does or is cut: done by hand, at one step.

Choices: as in the simulator it is the first file of the newest instant that has one, in the order of paths.
"""

from pathlib import Path

from model.hudi.marker_files import CUT_TYPE
from model.hudi.names import TEMP
from real_backend.errors import Abandoned
from real_backend.gating.gate import Gate
from real_backend.gating.journal import OK
from real_backend.hudi.exceptions import root_cause
from sim.hudi.files import is_meant
from sim.hudi.statements import Damage

PLACE = "markers"
NO_ANSWER = "ConnectionLost: expected an answer of the storage, got none"
"""What a lost call is to the hand: it has no client of Hudi's that would say so."""


def strike(gate: Gate, actor: str, table: Path, what: Damage) -> str:
    """Wait for the step, and damage what is there then, unless the call is lost before. Returns: the outcome."""
    try:
        fault = gate.hold(actor, "delete", PLACE)
    except Abandoned as error:
        return root_cause(error)
    if fault == "drop-before":
        return NO_ANSWER
    folders = sorted((table / TEMP).iterdir(), reverse=True) if (table / TEMP).is_dir() else []
    meant = [path for folder in folders for path in _files(folder) if is_meant(path.name, what)]
    if meant and what == "type cut":
        meant[0].write_text(CUT_TYPE)
    elif meant:
        meant[0].unlink()
    return OK if fault is None else NO_ANSWER


def _files(folder: Path) -> list[Path]:
    """All below, but the checksums that Hadoop's local file system writes."""
    return sorted([path for path in folder.rglob("*") if not path.name.endswith(".crc")])
