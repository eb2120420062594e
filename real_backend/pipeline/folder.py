"""The folder of a campaign: what it is of, its waves, and what of it counts.

    campaign.json            format, plan, hash of the code
    waves/0001.json          the manifest of a wave: written last, so what has none does not count
    TABLE/wave=0001/*.parquet
    causes/*.parquet         the failures by cause, made small: made anew each time

A wave is written beside its place and moved there when it is whole: a process that dies leaves nothing behind that
readers see, or a wave without a manifest, which the next one that goes on removes.

Choices: folders are moved, so the path is on a disk that the driver and the executors share.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from checkers.histories.storage import placed
from real_backend.pipeline.schema import TABLES, SliceRow, schema_of
from real_backend.pipeline.slices import Slice

FORMAT = 1
_ABOUT, _WAVES, _STAGING, _LOCK = "campaign.json", "waves", "_staging", "_lock"


@dataclass(frozen=True, slots=True)
class Folder:
    """A campaign's folder. Args: `path` is where it is; `about` is what its campaign.json says."""

    path: Path
    about: Mapping[str, Any]

    def waves(self) -> list[int]:
        """Returns: the numbers of the waves that count, in order."""
        return sorted(int(file.stem) for file in (self.path / _WAVES).glob("[0-9]*.json"))

    def manifest(self, wave: int) -> dict[str, Any]:
        """Returns: what is said of a wave: `engine`, `slices` (keys), `rows` of each table, `wall_s`."""
        found: dict[str, Any] = json.loads((self.path / _WAVES / f"{wave:04}.json").read_text(encoding="utf-8"))
        return found

    def keys(self) -> set[str]:
        """Returns: the keys of all slices that count."""
        return {key for wave in self.waves() for key in self.manifest(wave)["slices"]}

    def folders(self, table: str) -> list[Path]:
        """Returns: the folders with the rows of a table that count, one a wave, in order."""
        return [self.path / table / f"wave={wave:04}" for wave in self.waves()]

    def read(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Returns: the rows of a table that count, with the number of their `wave` (unless `columns` name others)."""
        wanted = schema_of(TABLES[table])
        names = wanted.names if columns is None else list(columns)
        parts = []
        for wave, folder in zip(self.waves(), self.folders(table), strict=True):
            for file in sorted(folder.glob("*.parquet")):
                part = pq.ParquetFile(file).read(columns=names).select(names)
                part = part.cast(pa.schema([wanted.field(name) for name in names]))
                parts.append(part.append_column("wave", pa.array([wave] * len(part), pa.int64())))
        empty = pa.schema([*(wanted.field(name) for name in names), pa.field("wave", pa.int64())]).empty_table()
        return pa.concat_tables([empty, *parts])

    def staging(self, wave: int) -> Path:
        """Returns: an empty folder in which a wave is made, with a folder for each table below it."""
        made = self.path / _STAGING / f"wave-{wave:04}-{os.getpid()}"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        return made

    def commit(self, wave: int, staging: Path, slices: Sequence[Slice], rows: Sequence[SliceRow], **more: Any) -> None:
        """Make a wave count.

        Args: `wave` is its number; `staging` has its tables; `slices` are those that were planned and `rows` those
        that were run; `more` is kept in the manifest.

        Raises: `RuntimeError` if a slice is missing or there twice.
        """
        planned, found = sorted(one.key for one in slices), sorted(row.slice for row in rows)
        if planned != found:
            raise RuntimeError(f"wave {wave}: expected {len(planned)} slices, each once, got {len(found)}")
        for table in TABLES:
            place = self.path / table / f"wave={wave:04}"
            place.parent.mkdir(exist_ok=True)
            os.rename(staging / table, place)
        (self.path / _WAVES).mkdir(exist_ok=True)
        with placed(self.path / _WAVES / f"{wave:04}.json", overwrite=True) as part:
            part.write_text(json.dumps({"wave": wave, **more, "slices": planned}, indent=1) + "\n", encoding="utf-8")
        shutil.rmtree(staging, ignore_errors=True)

    def clean(self) -> None:
        """Remove what a process that died has left: waves in the making, and folders of waves without a manifest."""
        shutil.rmtree(self.path / _STAGING, ignore_errors=True)
        counting = {f"wave={wave:04}" for wave in self.waves()}
        for table in TABLES:
            for folder in (self.path / table).glob("wave=*"):
                if folder.name not in counting:
                    shutil.rmtree(folder)


def opened(path: Path) -> Folder:
    """Open a campaign's folder to read it.

    Raises: `ValueError`, one line, if it is none or one of another version.
    """
    try:
        about = json.loads((path / _ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise ValueError(f"folder {path}: expected a campaign's, got one without a readable {_ABOUT}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        got = about.get("format") if isinstance(about, dict) else about
        raise ValueError(f"folder {path}: expected a campaign of format {FORMAT}, got {got!r}; begin a new one")
    return Folder(path, about)


@contextmanager
def writing(path: Path, about: Mapping[str, Any], *, resume: bool = False) -> Iterator[Folder]:
    """Hold a campaign's folder to add waves to it; one process at a time can.

    Args: `path` is where it is or will be; `about` is what the campaign is of; `resume`: it may be there already.

    Raises: `ValueError`, one line, if the folder has something else or another campaign, or another process holds it.
    """
    about = {"format": FORMAT, **about}
    if path.exists() and not (path.is_dir() and (not any(path.iterdir()) or (path / _ABOUT).exists())):
        raise ValueError(f"folder {path}: expected a new, an empty or a campaign's folder, got another one")
    if (path / _ABOUT).exists():
        _check_same(opened(path), about, resume)
    path.mkdir(parents=True, exist_ok=True)
    with (path / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"folder {path}: expected one that nobody writes, got a campaign that runs") from None
        if not (path / _ABOUT).exists():
            with placed(path / _ABOUT, overwrite=True) as part:
                part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        folder = Folder(path, about)
        folder.clean()
        yield folder


def _check_same(found: Folder, about: Mapping[str, Any], resume: bool) -> None:
    if not resume:
        raise ValueError(f"folder {found.path}: expected a new or an empty one, got a campaign's; resume it")
    for name, value in json.loads(json.dumps(about)).items():
        if found.about.get(name) != value:
            raise ValueError(
                f"folder {found.path}: expected a campaign of the same {name}, got one of another; begin a new one"
            )
