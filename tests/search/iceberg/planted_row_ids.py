"""What was planted in row ids: where each is looked for, and what is missing."""

from collections.abc import Mapping

from sim.iceberg.defects_row_ids import ROW_ID_DEFECTS
from tests.mutants.iceberg_row_copies import ROW_COPIES
from tests.mutants.iceberg_row_ids import MERGED, ROW_IDS

FORMAT_3 = "Java API, format 3"
ROW_ID_FINDINGS = tuple([defect.scenario for defect in ROW_ID_DEFECTS])
ROW_IDS_WHERE: Mapping[str, str] = {
    **dict.fromkeys((*[mutant.name for mutant in ROW_IDS], *ROW_ID_FINDINGS), FORMAT_3),
    **dict.fromkeys(
        (*[mutant.name for mutant in ROW_COPIES], "iceberg/row-ids-rewrite-manifests-insert"), "merge-on-read, format 3"
    ),
    **dict.fromkeys(
        ("copied-rows-take-new-ids", "copied-rows-count-as-changed", "iceberg/row-ids-upgraded-update-insert"),
        "copy-on-write, format 3",
    ),
    **dict.fromkeys((MERGED.name, "row-ids-kept-when-added"), "Java API, format 3, manifests merged"),
}
WASTED = "a property about ids that no row gets: they are given away, and nothing else comes of it"
ROW_IDS_MISSING: Mapping[str, str] = {
    "row-ids-of-deletes": WASTED,
    "row-ids-read-one-a-file": "a manifest of several files of several rows, of which some go: drawn, but rarely",
    "row-ids-of-deleted-files": "a table that comes to format 3, whose first commit then takes files out of a manifest"
    " of several: drawn, but rarely",
}
