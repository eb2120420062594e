"""What PyIceberg 0.12.0 loses in branches."""

from __future__ import annotations

from sim.search.defect import Defect

ITSELF = "PyIceberg 0.12.0 itself, in the simulator"
BRANCH_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "pyiceberg/branch-change-remove",
        "an acknowledged removal of a branch, and the branch's other rows",
        "a change of all rows of a file in a branch that somebody removes meanwhile; no fault",
        ITSELF,
        ("pyiceberg/branch-change-remove-beside",),
    ),
    Defect(
        "pyiceberg/branches-at-once-remove",
        "an acknowledged removal of a branch",
        "a transaction that writes to two branches, and the removal of the second meanwhile; no fault",
        ITSELF,
        ("pyiceberg/branches-by-turns-remove",),
    ),
    Defect(
        "pyiceberg/branches-at-once-change",
        "an acknowledged delete in a branch",
        "a transaction that writes to two branches, tried again, and a change of the same row meanwhile; no fault",
        ITSELF,
        ("pyiceberg/branches-by-turns-change",),
    ),
    Defect(
        "pyiceberg/branch-upsert-absent",
        "an acknowledged upsert",
        "an upsert to a branch that is not there, of a row as main has it; nobody beside, no fault",
        ITSELF,
        ("pyiceberg/branch-upsert-created",),
    ),
    Defect(
        "pyiceberg/branch-add-file-again",
        "nothing, but the rows of a file are there twice",
        "`add_files` of one file to a branch, twice; nobody beside, no fault",
        ITSELF,
        ("pyiceberg/add-file-append",),
    ),
    Defect(
        "pyiceberg/branch-append-tag",
        "an acknowledged tag: it is a branch, and has moved",
        "an append to a branch that is removed meanwhile, and a tag of its name; no fault",
        ITSELF,
        ("pyiceberg/branch-append-tag-before",),
    ),
)
