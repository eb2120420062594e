"""The line that replays a schedule, as it can be pasted into a shell."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def replay_command(schedule: Path, file: Path | None) -> str:
    """The line that replays a schedule; a user's own scenario has to be named, since it is code."""
    words = [program(), "replay", str(schedule), *(["--scenario", str(file)] if file is not None else [])]
    return shlex.join(words)


def program() -> str:
    """How to call this program here: by its name, or by the path that it was called by if the name is not found."""
    called = Path(sys.argv[0])
    if shutil.which("lakeproof") is None and called.name == "lakeproof" and called.is_file():
        return os.path.relpath(called)
    return "lakeproof"
