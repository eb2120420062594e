"""The files that vectors name: `tests/vectors/iceberg_files.json` as the model's data files and delete files."""

import json
from pathlib import Path
from typing import Any

from model.iceberg.files import AnyDeletes, DataFile, data_file, delete_file, equality_delete_file
from model.iceberg.metadata import TableMetadata

FOLDER = Path(__file__).resolve().parents[2] / "vectors"
FILES = json.loads((FOLDER / "iceberg_files.json").read_text(encoding="utf-8"))


def data(name: str) -> DataFile:
    """The data file of that name."""
    file = FILES["data"][name]
    return data_file(f"t/data/{name}", tuple((i, v) for i, v in file["rows"]), file["partition"])


def deletes(name: str) -> AnyDeletes:
    """The delete file of that name."""
    file = FILES["deletes"][name]
    if "ids" in file:
        return equality_delete_file(f"t/data/{name}", tuple(file["ids"]), file["partition"])
    return delete_file(f"t/data/{name}", deleted(name), file["partition"], file.get("vector", False))


def deleted(name: str) -> Any:
    """Its body: positions, or ids."""
    file = FILES["deletes"][name]
    return tuple(file["ids"]) if "ids" in file else tuple((f"t/data/{path}", at) for path, at in file["positions"])


def frozen(value: Any) -> Any:
    """A value of a vector as a statement takes it: with tuples in place of lists."""
    return tuple([frozen(each) for each in value]) if isinstance(value, list) else value


def row_ids_of(metadata: TableMetadata, live: list[Any]) -> dict[str, Any]:
    """The next row id, what each snapshot took, and the first row id of each live data file."""
    firsts = {one.path.removeprefix("t/data/"): one.first_row_id for one in live if isinstance(one, DataFile)}
    taken = [[each.first_row_id, each.added_rows] for each in metadata.snapshots]
    return {"next_row_id": metadata.next_row_id, "taken": taken, "row_ids": firsts}
