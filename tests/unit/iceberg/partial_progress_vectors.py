"""The vectors of `tests/vectors/iceberg_partial_progress.json`: a compaction of Spark's in several commits. They say
what those of `iceberg_sql_specs.json` say, and are run as they are."""

import json
from typing import Any

from tests.unit.iceberg.vector_files import FOLDER

VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "iceberg_partial_progress.json").read_text(encoding="utf-8"))
BY_NAME = {vector["name"]: vector for vector in VECTORS}
